"""What a reader says of the keys of its format: which it reads, which it leaves out, and why.

A path is keys with dots between them, as the archive writes them: `messages.content.text`. Lists are passed
through without a mark, `*` is any key, `**.name` is a key of this name at any depth. What is said of a path
holds for all that is in it, unless a longer path says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from archives.shapes import mapping

STRUCTURE = frozenset(
    {
        "type", "role", "id", "uuid", "kind", "status", "version", "object", "encoding", "mime", "mimeType",
        "mime_type", "mimetype", "media_type", "mediaType", "content_type", "contentType", "locale", "lang",
        "timestamp", "time", "date", "ts", "created", "updated", "modified",
    }
)  # fmt: skip
"""Keys that in every format say what something is, or when, and hold no words."""
_NAMES_STRUCTURE = re.compile(
    r"(?:[a-z0-9](?:Id|ID|Ids|Uuid|UUID|Hash|At|Time|Timestamp)|_(?:id|ids|uuid|hash|at|ts|time))\Z"
)
_MACHINE = re.compile(
    r"[0-9a-fA-F-]{6,}|[+-]?[0-9][0-9.,:/_ -]*|\d{4}-\d\d-\d\d[T ][0-9:.]+(?:Z|[+-][0-9:]+)?|\W+|"
    r"(?:[a-z]{1,12}[_-])?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)
"""Numbers, times, hashes and ids: what no person reads."""


class Use(Enum):
    """What becomes of what stands at a path."""

    WORDS = auto()
    """Kept as text, name or source. It is looked up whether it really arrived."""
    WHOLE = auto()
    """Kept with all that is in it, as JSON, such as a tool's arguments: it is not looked up."""
    USED = auto()
    """An id, a time, a kind, a switch: it shapes the conversation and is no text of it."""
    OMITTED = auto()
    """Known, and left out for the reason that is given."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The declaration of one reader."""

    words: str = ""
    """Paths of what is kept, parted by white space."""
    whole: str = ""
    """Paths of what is kept as JSON."""
    used: str = ""
    omitted: Mapping[str, str] = field(default_factory=dict)
    """Paths that are left out, by reason."""
    forms: tuple[Callable[[str], str], ...] = ()
    """How the reader writes a text that it keeps in another form, such as HTML as plain text."""

    def paths(self) -> Iterator[tuple[str, Use, str]]:
        """Every declared path, its use, and the reason where it is left out."""
        for path in self.words.split():
            yield path, Use.WORDS, ""
        for path in self.whole.split():
            yield path, Use.WHOLE, ""
        for path in self.used.split():
            yield path, Use.USED, ""
        for reason, paths in self.omitted.items():
            for path in paths.split():
                yield path, Use.OMITTED, reason

    def use_of(self, path: str) -> tuple[Use | None, str]:
        """What is said of a path (lists without a mark), with the reason; None where nothing is."""
        steps = path.split(".")
        found: tuple[Use | None, str] = (None, "")
        closest = 0.0
        for declared, use, reason in self.paths():
            depth = _depth(declared.split("."), steps)
            if depth > closest:
                found, closest = (use, reason), depth
        return found


def _depth(declared: list[str], steps: list[str]) -> float:
    """How many steps of a path a declared one covers, 0 if it is another; a key alone gives way to a path."""
    if declared[0] == "**":
        return steps.index(declared[1]) + 0.5 if declared[1] in steps else 0
    covers = len(declared) <= len(steps) and all(
        one in ("*", step) for one, step in zip(declared, steps, strict=False)
    )
    return len(declared) if covers else 0


def is_text(key: str, value: str) -> bool:
    """Whether a value may hold words: it is no number, time, hash or id, by itself or by its key's name."""
    value = value.strip()
    if not value or _MACHINE.fullmatch(value[:200]):
        return False
    return any(map(str.isspace, value)) or not names_structure(key)


def names_structure(key: str) -> bool:
    """Whether a key of this name holds an id, a time or a kind in any format."""
    return key in STRUCTURE or _NAMES_STRUCTURE.search(key) is not None


def strings_of(value: object) -> Iterator[str]:
    """Every text in a value, however deep."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, dict):
            waiting.extend(mapping(one).values())
