"""From a template and its values to a response. Everything from an archive is escaped by the templates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from interfaces.web.guard import RunSecrets

TEMPLATES = Path(__file__).with_name("templates")


class Show:
    """Renders templates; calling it gives the response."""

    def __init__(self, keys: RunSecrets, account: str) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._root = f"/{keys.address}"
        told = {"day": day, "many": many, "counted": counted, "words": words, "minute": minute}
        self._environment.filters |= told
        self._environment.globals |= {"root": self._root, "csrf": keys.form, "account": account}

    def address(self, place: str) -> str:
        """The address of a page on this server."""
        return self._root + place

    def __call__(self, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """The page."""
        return HTMLResponse(self._environment.get_template(template).render(values), status)


def day(moment: object) -> str:
    """A date, or "undated"."""
    return f"{moment:%Y-%m-%d}" if isinstance(moment, datetime) else "undated"


def minute(moment: object) -> str:
    """A date and time in UTC, or nothing."""
    return f"{moment:%Y-%m-%d %H:%M}" if isinstance(moment, datetime) else ""


def many(number: object) -> str:
    """A count with separators of thousands."""
    return f"{number:,}" if isinstance(number, int) else str(number)


def counted(number: object, what: str) -> str:
    """So many of something: "1 note", "1,200 notes"."""
    return f"{many(number)} {what}{'' if str(number) == '1' else 's'}"


_WORDS: Mapping[str, str] = {
    "": "to decide",
    "accept": "agreeing to a pair",
    "apart": "parting a pair",
    "close": "closing",
    "action_item": "action item",
    "open_question": "open question",
    "owner": "you",
    "other": "another person",
    "source": "pasted text",
}


def words(name: object) -> str:
    """A state's, category's or speaker's name as people say it."""
    return _WORDS.get(str(name), str(name))
