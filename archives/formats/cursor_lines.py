"""Cursor's CLI transcripts: lines `{role, message: {content[]}}`, without ids, times or session."""

from __future__ import annotations

import re

from archives.contract import Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import plain_as, take_blocks
from archives.formats.injected import typed_apart
from archives.formats.rows import last_key, part_title
from archives.glimpse import Glimpse, Kind
from archives.shapes import mapping, string
from schemas.conversation import Conversation, Origin

_QUERY = re.compile(r"<user_query>(.*?)(?:</user_query>|\Z)", re.DOTALL)


def _is_line(value: object) -> bool:
    line = mapping(value)
    return {"role", "message"} <= set(line) <= {"role", "message", "timestamp"} and "content" in mapping(
        line.get("message")
    )


def claims_lines(seen: Glimpse) -> bool:
    """Whether the file is such a transcript."""
    return seen.kind in (Kind.LINES, Kind.OBJECT) and any(map(_is_line, seen.records))


def typed_in_query(text: str) -> list[Piece]:
    """Where the editor marks the user's query, what stands around it is the editor's."""
    pieces: list[Piece] = []
    at = 0
    for query in _QUERY.finditer(text):
        pieces.append(Piece(text[at : query.start()], Origin.RUNTIME_CONTEXT))
        pieces.extend(typed_apart(query[1].strip()))
        at = query.end()
    if not pieces:
        return typed_apart(text)
    return [*pieces, Piece(text[at:], Origin.RUNTIME_CONTEXT)]


def conversation_of_lines(part: Part, reading: Reading) -> Conversation:
    """One file, one conversation; its name is the session's."""
    drafts: list[MessageDraft] = []
    for number, (where, value) in enumerate(reading.lines(part)):
        line = mapping(value)
        role = string(line.get("role"))
        if role is None:
            reading.reject(value, "a line without a role", where)
            continue
        draft = MessageDraft(
            f"#{number}", last_key(drafts), role, None, when=reading.moment(line.get("timestamp"))
        )
        plain = (
            typed_in_query
            if role == "user"
            else plain_as(Origin.ASSISTANT if role == "assistant" else Origin.UNKNOWN)
        )
        take_blocks(mapping(line.get("message")).get("content"), draft, plain, reading.tally, where)
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="cursor",
        native_id=part_title(part),
        where=part.name,
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)
