"""Microsoft Copilot's activity download: CSV `Conversation,Time,Author,Message`, newest row first, no ids."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from schemas.conversation import Conversation, Origin

_HEADER = ["conversation", "time", "author", "message"]
_ORIGINS = {
    "human": Origin.TYPED,
    "user": Origin.TYPED,
    "you": Origin.TYPED,
    "ai": Origin.ASSISTANT,
    "copilot": Origin.ASSISTANT,
    "bot": Origin.ASSISTANT,
}
_FIELD_LIMIT = 1 << 28


def _claims(seen: Glimpse) -> bool:
    first = seen.text.split("\n", 1)[0].strip("\ufeff\r ")
    return seen.kind is Kind.TEXT and [cell.strip(' "').lower() for cell in first.split(",")] == _HEADER


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        talks: dict[str, list[tuple[str, list[str]]]] = {}
        for where, row in _rows(part, reading):
            talks.setdefault(row[0], []).append((where, row))
        for title, rows in talks.items():
            yield _conversation(title, rows[::-1], reading)


def _rows(part: Part, reading: Reading) -> Iterator[tuple[str, list[str]]]:
    csv.field_size_limit(_FIELD_LIMIT)
    rows = csv.reader(line.replace("\x00", "�") for line in reading.text_lines(part))
    number = 0
    while True:
        number += 1
        where = f"{part.name}, row {number}"
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            reading.tally.reject(f"a row is no valid CSV: {error}", where, b"")
            continue
        if number == 1 or not row:
            continue
        if len(row) != len(_HEADER):
            reading.tally.reject(
                "a row without exactly four cells", where, ",".join(row).encode(errors="replace")
            )
            continue
        yield where, row


def _conversation(title: str, rows: list[tuple[str, list[str]]], reading: Reading) -> Conversation:
    """Rows tie in time: the file's order, reversed, is the order of the talk."""
    drafts: list[MessageDraft] = []
    for number, (_, (_, time, author, text)) in enumerate(rows):
        draft = MessageDraft(f"#{number}", last_key(drafts), author.lower(), None, when=reading.moment(time))
        draft.pieces.append(Piece(text, _ORIGINS.get(author.strip().lower(), Origin.UNKNOWN)))
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="copilot",
        native_id=None,
        where=rows[0][0],
        title=title or None,
        created=drafts[0].when,
        updated=drafts[-1].when,
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


FORMAT = Format(
    id="copilot",
    version=1,
    local_times=True,
    title="Microsoft Copilot activity (CSV)",
    reads="activity CSV, grouped by conversation",
    absent="ids; zone of the times",
    evidence="field list only",
    keys=Keys(words="line", omitted={"the line of names of columns": "header"}),
    claims=_claims,
    read=_read,
)
