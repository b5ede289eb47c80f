"""A look at the beginning of a file: enough to tell what it is, without reading it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from archives.decoding import encoding_of
from archives.json_window import BadRecord, JsonWindow
from archives.sources import Member
from archives.sqlite_schema import schema_beyond
from schemas.errors import InputError

HEAD_BYTES = 1 << 16
FIRST_RECORDS = 5
"""Elements of a list that are looked at: the first may be corrupt."""
LOOK_BYTES = 1 << 24
"""Once so much of a file was taken in, no further record is looked at: a record may be 128 MiB long."""
FIRST_LINES = 20
"""Lines of a JSON Lines file that are looked at: session logs begin with lines of other kinds."""


_VALUE_BYTES = 64
_LIKE_JSON = re.compile(r'\[\s*[\[{"]|\{\s*"')
"""Text files begin with brackets too: WhatsApp's with a date."""


class Kind(StrEnum):
    """What a file is made of."""

    LIST = "a JSON list"
    OBJECT = "a JSON object"
    LINES = "JSON Lines"
    SQLITE = "a SQLite database"
    MARKUP = "HTML or XML"
    TEXT = "text"
    BINARY = "binary data"
    EMPTY = "an empty file"


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The kind of a file and its first records or characters."""

    kind: Kind
    records: tuple[object, ...] = ()
    """LIST: its first elements. LINES: the first values. OBJECT: the object, long lists in it cut short."""
    text: str = ""
    """MARKUP and TEXT: the first characters. SQLITE: the first pages, where the schema stands, and the
    statements of a long one that stand further on."""
    damage: str = ""
    """Why the look ended early, if it did."""
    remedy: str = ""
    """What mends the damage, where that is known."""

    def objects(self) -> Iterator[dict[str, object]]:
        """The JSON objects among the records."""
        return (record for record in self.records if isinstance(record, dict))

    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        weight, waiting = len(self.text), list(self.records)
        while waiting:
            value = waiting.pop()
            weight += _VALUE_BYTES + (len(value) if isinstance(value, str) else 0)
            if isinstance(value, dict):
                weight += _VALUE_BYTES * len(value)
                waiting.extend(value.values())
            elif isinstance(value, list):
                waiting.extend(value)
        return weight

    def slim(self) -> Glimpse:
        """The shape without the bulk: a folder may hold a hundred thousand files."""
        return replace(self, records=tuple(_slim(record, 2) for record in self.records[:1]))


def _slim(value: object, depth: int) -> object:
    if isinstance(value, str):
        return value[:200]
    if isinstance(value, list):
        return [_slim(element, depth - 1) for element in value[:1]]
    if isinstance(value, dict):
        members = list(value.items())[:40] if depth > 0 else []
        return {key: _slim(member, depth - 1) for key, member in members}
    return value


def glimpse(member: Member, plausible: Callable[[object], bool]) -> Glimpse:
    """Look at a member. `plausible` knows a record when it sees one, and helps past a corrupt one."""
    try:
        with member.look() as stream:
            head = stream.head(HEAD_BYTES)
    except InputError as error:
        return Glimpse(Kind.EMPTY, damage=error.why or error.what, remedy=error.remedy)
    if not head:
        return Glimpse(Kind.EMPTY)
    if head.startswith(b"SQLite format 3\x00"):
        return Glimpse(Kind.SQLITE, text=head.decode("latin-1") + _rest_of_schema(head, member))
    encoding = encoding_of(head[:4])
    text = head.decode(encoding, errors="replace").lstrip("\ufeff\x00 \t\r\n")
    if not text:
        return Glimpse(Kind.EMPTY)
    if text[0] in "[{":
        with member.look() as stream:
            window = JsonWindow(stream)
            seen = _look_at_json(window, plausible)
            if seen.damage:
                seen = replace(seen, remedy=window.remedy)
        held = [record for record in seen.records if isinstance(record, dict | list)]
        if any(held) or (not seen.damage and len(held) == len(seen.records)):
            return seen
        if _LIKE_JSON.match(text):
            return Glimpse(seen.kind, damage=seen.damage, remedy=seen.remedy)
    if encoding == "utf-8" and b"\x00" in head[:1024]:
        return Glimpse(Kind.BINARY)
    return Glimpse(Kind.MARKUP if text[0] == "<" else Kind.TEXT, text=text)


def _rest_of_schema(head: bytes, member: Member) -> str:
    try:
        return schema_beyond(head, member.look)
    except InputError:  # what is damaged says so when it is read
        return ""


def _look_at_json(window: JsonWindow, plausible: Callable[[object], bool]) -> Glimpse:
    if window.take("["):
        return _look_at_list(window, plausible)
    first, whole, why = _look_at_object(window)
    if not whole or window.next_character() != "{":
        return Glimpse(Kind.OBJECT, (first,), damage=why)
    found: list[object] = [first]
    try:
        while len(found) < FIRST_LINES and window.size < LOOK_BYTES and window.next_character() == "{":
            found.append(window.value())
    except BadRecord:
        pass
    return Glimpse(Kind.LINES, tuple(found))


def _look_at_list(window: JsonWindow, plausible: Callable[[object], bool]) -> Glimpse:
    found: list[object] = []
    damage = ""
    while len(found) < FIRST_RECORDS and not (found and window.size > LOOK_BYTES) and not window.take("]"):
        if window.take(","):
            continue
        if not window.next_character():
            damage = "it breaks off"
            break
        try:
            found.append(window.value())
        except BadRecord as error:
            damage = error.why
            if found and window.size > LOOK_BYTES:
                break
            found.extend(window.resume(error, plausible)[1])
            if error.broke_off or not found:
                break
    return Glimpse(Kind.LIST, tuple(found), damage=damage)


def _look_at_object(window: JsonWindow) -> tuple[dict[str, object], bool, str]:
    """The members of the object up to its first long list, whether that was all, and what broke."""
    window.take("{")
    found: dict[str, object] = {}
    try:
        while not window.take("}"):
            if window.take(","):
                continue
            if found and window.size > LOOK_BYTES:
                return found, False, ""
            key = str(window.value())
            window.take(":")
            if not window.take("["):
                found[key] = window.value()
                continue
            elements: list[object] = []
            found[key] = elements
            while not window.take("]"):
                if window.take(","):
                    continue
                if window.over_a_chunk and (len(elements) >= FIRST_RECORDS or window.size > LOOK_BYTES):
                    return found, False, ""
                elements.append(window.value())
    except BadRecord as error:
        return found, False, error.why
    return found, True, ""
