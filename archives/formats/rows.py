"""The shape most formats share: a file of records, each a conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from archives.contract import Part, Reading
from archives.drafts import MessageDraft
from archives.glimpse import Glimpse, Kind
from archives.shapes import mapping, sequence
from schemas.conversation import Conversation

Convert = Callable[[Mapping[str, object], str, Reading], Conversation]
"""A record, where it stands, and the reading, to a conversation."""


def claims_records(
    is_record: Callable[[object], bool], *, under: tuple[str, ...] = ()
) -> Callable[[Glimpse], bool]:
    """Claim a list, an object, JSON Lines, or an object around a list of such records."""

    def claims(seen: Glimpse) -> bool:
        if seen.kind not in (Kind.LIST, Kind.OBJECT, Kind.LINES):
            return False
        wrapped = (
            row for record in seen.objects() for key in under for row in sequence(mapping(record).get(key))
        )
        return any(map(is_record, seen.records)) or any(map(is_record, wrapped))

    return claims


def read_records(
    is_record: Callable[[object], bool], convert: Convert, *, under: tuple[str, ...] = ()
) -> Callable[[Reading], Iterator[Conversation]]:
    """Read every record of every claimed file; what is no such record is rejected."""

    def read(reading: Reading) -> Iterator[Conversation]:
        for part in reading.parts:
            rows = (
                reading.lines(part)
                if part.glimpse.kind is Kind.LINES
                else reading.records(part, under=under, plausible=is_record)
            )
            for where, record in rows:
                if is_record(record):
                    yield convert(mapping(record), where, reading)
                else:
                    reading.reject(record, "a record that is no conversation", where, alone=True)

    return read


def message_rows(value: object, where: str, reading: Reading) -> Iterator[tuple[int, dict[str, object]]]:
    """The messages of a list with their places; what is no object is rejected."""
    for number, row in enumerate(sequence(value)):
        if isinstance(row, dict):
            yield number, row
        else:
            reading.reject(row, "a message that is no JSON object", where)


def last_key(drafts: list[MessageDraft]) -> str | None:
    """The key of the message before, in formats where messages simply follow one another."""
    return drafts[-1].key if drafts else None


def file_title(part_name: str) -> str:
    """A file's name without its extensions, for formats that keep the title there."""
    return PurePosixPath(part_name).name.split(".")[0]


def part_title(part: Part) -> str:
    """The title that a part's file name gives."""
    return file_title(part.name)
