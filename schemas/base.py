"""What every noun shares."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict


class Noun(BaseModel):
    """A frozen record: equal by value, with no field beyond the declared ones."""

    # a command uses few of the nouns: each is made ready when it is first used, not when it is imported
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A changed copy. What was computed and cached on the original is not carried over."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied


N = TypeVar("N", bound=Noun)


def unchecked(kind: type[N]) -> Callable[[dict[str, Any]], N]:
    """A maker of such nouns from all of their fields, in the order in which they are declared.

    It validates nothing, which takes a tenth of the time: for code that has built every field itself, many
    times a second. What crosses a disk border is validated where it is read.
    """
    declared = set(kind.model_fields)
    put, new = object.__setattr__, object.__new__

    def make(fields: dict[str, Any]) -> N:
        noun = new(kind)
        put(noun, "__dict__", fields)
        put(noun, "__pydantic_fields_set__", declared)  # a copy of the noun copies it
        put(noun, "__pydantic_extra__", None)
        put(noun, "__pydantic_private__", None)
        return noun

    return make


def _as_utc(value: datetime) -> datetime:
    if value.tzinfo is UTC:
        return value
    if value.tzinfo is None:
        raise ValueError("a time without a zone is a guess: convert it to UTC where it is read")
    return value.astimezone(UTC)


Instant = Annotated[datetime, AfterValidator(_as_utc)]
"""A moment in UTC. A naive datetime is refused: only the reader knows which zone was meant."""


def sha256_text(text: str) -> str:
    """SHA-256 of the text's UTF-8 form, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
