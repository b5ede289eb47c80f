"""What a page was asked for: its filter, as it stands in an address and in a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlencode

from schemas.unit import RECALLED_STATES, Category, Speaker, State
from vault.deck import TO_DECIDE, Wanted

E = TypeVar("E", bound=StrEnum)

FIELDS = (
    "state", "category", "speaker", "thread", "path", "name", "conversation", "since", "before", "q"
)  # fmt: skip
LONGEST_NUMBER = 8
"""Digits of a count or a place: no vault has as many notes as a longer one."""
DECIDED = (State.KEPT, State.DISCARDED)
STATES: dict[str, tuple[State, ...]] = {
    "": TO_DECIDE,
    "review": (State.REVIEW,),
    "passed": (State.PASSED,),
    "kept": (State.KEPT,),
    "discarded": (State.DISCARDED,),
    "rejected": (State.REJECTED,),
    "archived": (State.ARCHIVED,),
    "recalled": RECALLED_STATES,
    "all": tuple(State),
}
"""The choices of the filter's first field."""


def filter_of(fields: Mapping[str, str], names: Sequence[str] = FIELDS) -> dict[str, str]:
    """The filter's own fields, those that are set."""
    return {name: fields[name][:500] for name in names if fields.get(name)}


def number_of(text: str) -> int | None:
    """A count or a place; None for what is none or has too many digits (Python reads 4,300 at most)."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


def wanted(asked: Mapping[str, str]) -> Wanted:
    """The notes that a filter asks for; a value that makes no sense asks for nothing in particular."""
    return Wanted(
        states=STATES.get(asked.get("state", ""), TO_DECIDE),
        category=one_of(Category, asked.get("category", "")),
        speaker=one_of(Speaker, asked.get("speaker", "")),
        conversation=asked.get("conversation", ""),
        thread=asked.get("thread", ""),
        since=day_of(asked.get("since", "")),
        before=day_of(asked.get("before", "")),
        words=asked.get("q", ""),
        path=asked.get("path", ""),
        name=asked.get("name", ""),
    )


def query(asked: Mapping[str, str], **more: str) -> str:
    """The filter as the end of an address, with `?` where there is anything to say."""
    fields = {**asked, **{name: value for name, value in more.items() if value}}
    return f"?{urlencode(fields)}" if fields else ""


def one_of(kind: type[E], value: str) -> E | None:
    """The member with this value; None where there is none."""
    return kind(value) if value in {one.value for one in kind} else None


def day_of(value: str) -> datetime | None:
    """The moment at which a day begins in UTC, or the one that is named; None for what is none."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
