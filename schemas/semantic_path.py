"""Semantic paths: one to three names joined by dots, such as `home.garden.hedge`, under which notes are
filed."""

from __future__ import annotations

import re
from unicodedata import normalize

from pydantic import Field

from schemas.base import Noun
from schemas.errors import UsageError

MAX_LEVELS = 3
MAX_PATHS = 3
"""A note lies at so many paths at most."""
MAX_NAME = 40
"""Characters of one name."""
UNSORTED = "unsorted"
"""The first level of notes that fit nothing in the taxonomy."""
NO_TOPIC = "untitled"
UNDATED = "undated"
"""The timeline's one path that is no day, and so no first level of a path."""

_BETWEEN_WORDS = re.compile(r"[\W_]+")
_NAME = re.compile(rf"[^\W_][\w-]{{0,{MAX_NAME - 1}}}")


class NamedPaths(Noun):
    """Where a language model says that a note belongs, the likest path first, none with the note's topic."""

    account: str
    conversation_id: str
    unit_id: str
    paths: tuple[str, ...] = Field(min_length=1, max_length=MAX_PATHS)
    filer: str
    """Engine, model and prompt, as the note's `extractor` names them."""


def checked_path(text: str) -> str:
    """The path as it is stored, in lower case.

    Raises UsageError for one that is none: empty or over-long names, more than three levels, other
    characters than letters, digits, `-` and `_`, or a first name that does not begin with a letter or is the
    timeline's.
    """
    path = normalize("NFC", text.strip()).casefold()
    names = path.split(".")
    if len(names) > MAX_LEVELS:
        raise _no_path(text, f"it has {len(names)} levels, and {MAX_LEVELS} are the most")
    for name in names:
        if not _NAME.fullmatch(name):
            raise _no_path(
                text, f"the name {name!r} is not 1 to {MAX_NAME} letters, digits, '-' and '_', a letter first"
            )
    if names[0][0].isdigit():
        raise _no_path(text, "a first level begins with a letter; dates are paths of the timeline")
    if names[0] == UNDATED:
        raise _no_path(text, f"{UNDATED} is a path of the timeline, where notes without a date lie")
    return path


def _no_path(text: str, why: str) -> UsageError:
    return UsageError(f"{text!r} is not a path", why=why, remedy="Write it as home.garden.hedge")


def name_of(topic: str) -> str:
    """A name for a topic in plain words: `Fixing the boat's keel` becomes `fixing-the-boat-s-keel`.

    Cut between words where it is too long; empty where the topic has no letter and no digit.
    """
    words = [word for word in _BETWEEN_WORDS.split(normalize("NFC", topic).casefold()) if word]
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:MAX_NAME]
        if len(longer) > MAX_NAME:
            break
        name = longer
    return name


def unsorted_path(topic: str | None) -> str:
    """Where notes of a topic lie that fit nothing in the taxonomy, or that nobody has filed yet."""
    return f"{UNSORTED}.{name_of(topic or '') or NO_TOPIC}"


def is_below(path: str, prefix: str) -> bool:
    """Whether a path is the prefix or lies below it: `home.garden` is below `home`, `homework` is not."""
    return path == prefix or path.startswith(f"{prefix}.")


_LEVELS = re.compile(r"[./>→:]")
_LONGEST = 4 * MAX_LEVELS * MAX_NAME
"""Characters of what is read for a path at most."""


def forgiven_path(text: str) -> str | None:
    """The path that somebody meant who does not keep to the rules, such as a language model; None where there
    is none.

    Levels may stand apart by `/`, `>` or `:`, names may be plain words, and what lies deeper than three
    levels is left out.
    """
    bare = text[:_LONGEST].strip("`'\"*[](). \t\n")
    try:
        return checked_path(bare)
    except UsageError:
        names = [name_of(one) for one in _LEVELS.split(bare)][:MAX_LEVELS]
    return ".".join(names) if all(names) and names[0][0].isalpha() and names[0] != UNDATED else None
