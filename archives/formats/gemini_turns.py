"""Gemini in Google Workspace, from Takeout: `conversation_<id>.txt`, which are JSON, one a conversation.

`{conversation_turns: [{user_turn: {prompt}} | {system_turn: {text: [{preamble, data}]}}], title,
creation_time, last_modification_time}`; each turn has its `turn_index` and `turn_last_modified`. What else a
turn holds is kept raw.

Facts: the importer whose comment describes an export of 2026-09-03 (`server/importers/gemini.py`, function
`journal_gemini_workspace_export`, in a public repository); no file was at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from archives.contract import Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import keep_unknown
from archives.formats.rows import last_key, message_rows
from archives.glimpse import Glimpse, Kind
from archives.shapes import identifier, mapping, sequence, string
from schemas.conversation import Conversation, Origin

_TURNS = {"user_turn": ("user", Origin.TYPED), "system_turn": ("assistant", Origin.ASSISTANT)}
_OF_A_TURN = frozenset({"prompt", "text", "turn_index", "turn_last_modified"})


def _is_record(value: object) -> bool:
    record = mapping(value)
    turns = record.get("conversation_turns")
    if not isinstance(turns, list):
        return False
    return any(_TURNS.keys() & mapping(turn).keys() for turn in turns) or "creation_time" in record


def claims_turns(seen: Glimpse) -> bool:
    """Whether the file is a conversation of turns."""
    return seen.kind is Kind.OBJECT and any(map(_is_record, seen.records))


def conversations_of_turns(part: Part, reading: Reading) -> Iterator[Conversation]:
    """The conversation of the file (several, where somebody put them one after another)."""
    stem = PurePosixPath(part.name).name.split(".")[0]
    for number, (where, record) in enumerate(reading.records(part, plausible=_is_record)):
        if isinstance(record, dict) and _is_record(record):
            native = stem if number == 0 else f"{stem}-{number}"
            yield _conversation(record, native, where, reading)
        else:
            reading.reject(record, "a record that is no conversation", where, alone=True)


def _conversation(record: Mapping[str, object], native: str, where: str, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, row in message_rows(record.get("conversation_turns"), where, reading):
        kind = next((kind for kind in _TURNS if kind in row), "unknown")
        role, spoken = _TURNS.get(kind, ("unknown", Origin.UNKNOWN))
        turn = mapping(row.get(kind))
        index = identifier(turn.get("turn_index"))
        draft = MessageDraft(
            f"#{number}", last_key(drafts), role, f"turn-{index}" if index else None,
            when=reading.moment(turn.get("turn_last_modified")), kind=kind,
        )  # fmt: skip
        place = f"{where}, turn {number}"
        draft.pieces.append(Piece(string(turn.get("prompt")) or "", spoken))
        draft.pieces.append(Piece(_answer(turn.get("text")), spoken))
        others = {key: value for key, value in turn.items() if key not in _OF_A_TURN and value}
        if kind == "unknown" or not isinstance(row.get(kind), dict):
            others = dict(row)
        if others:
            keep_unknown(f"{kind}: {', '.join(sorted(others))}", others, draft, reading.tally, place)
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="gemini_takeout",
        native_id=native,
        where=where,
        title=string(record.get("title")),
        created=reading.moment(record.get("creation_time")),
        updated=reading.moment(record.get("last_modification_time")),
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


def _answer(blocks: object) -> str:
    """The answer: its blocks follow one another, each with what introduces it before."""
    if isinstance(blocks, str):
        return blocks
    parts = (
        (string(mapping(block).get("preamble")) or "") + (string(mapping(block).get("data")) or "")
        for block in sequence(blocks)
    )
    return "\n".join(part for part in parts if part)
