"""Grok CLI sessions: `chat_history.jsonl`, lines by `type`, without ids and times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import call_piece, plain_as, result_text, take_blocks
from archives.formats.injected import typed_apart
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, string
from schemas.conversation import Conversation, Origin

_MARKS = ("prompt_index", "synthetic_reason", "model_fingerprint", "reasoning_effort")


def _is_line(value: object) -> bool:
    line = mapping(value)
    return (
        line.get("type") in ("user", "assistant")
        and "content" in line
        and any(mark in line for mark in _MARKS)
    )


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.LINES, Kind.OBJECT) and any(map(_is_line, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, reading)


def _conversation(part: Part, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, (where, value) in enumerate(reading.lines(part)):
        line = mapping(value)
        if not line:
            reading.reject(value, "a line that is no JSON object", where)
            continue
        drafts.append(_message(line, f"#{number}", last_key(drafts), where, reading))
    head = Head(
        account=reading.account, provider="grok_cli", native_id=None, where=part.name, leaf=last_key(drafts)
    )
    return assemble(head, drafts, reading.tally)


def _message(
    line: Mapping[str, object], key: str, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    kind = string(line.get("type")) or "no type"
    draft = MessageDraft(
        key,
        before,
        kind,
        identifier(line.get("id")),
        author=string(line.get("model_id")),
        empty_because=f"a line without words ({kind})",
    )
    if kind == "user":
        plain = plain_as(Origin.RUNTIME_CONTEXT) if line.get("synthetic_reason") else typed_apart
        take_blocks(line.get("content"), draft, plain, reading.tally, where)
    elif kind == "assistant":
        take_blocks(line.get("content"), draft, plain_as(Origin.ASSISTANT), reading.tally, where)
        for call in objects(line.get("tool_calls")):
            draft.pieces.append(call_piece(call.get("arguments"), string(call.get("name"))))
    elif kind == "reasoning":
        draft.pieces.append(Piece(result_text(line.get("summary")), Origin.REASONING))
    elif kind == "tool_result":
        draft.pieces.append(Piece(result_text(line.get("content")), Origin.TOOL_RESULT))
    elif kind == "backend_tool_call":
        call = mapping(line.get("kind"))
        draft.pieces.append(call_piece(call.get("action"), string(call.get("tool_type"))))
    elif kind == "system":
        draft.hidden = True
        take_blocks(line.get("content"), draft, plain_as(Origin.RUNTIME_CONTEXT), reading.tally, where)
    else:
        reading.tally.unknown_type(kind, where, dict(line))
    return draft


_KEYS = Keys(
    words="content tool_calls summary kind model_id",
    used="synthetic_reason prior_turn_interrupt prompt_index",
    omitted={
        "bytes of pictures": "content.url content.image_url",
        "what only the service can read": "encrypted_content signature",
        "settings of the model": "model_fingerprint reasoning_effort",
    },
)

FORMAT = Format(
    id="grok_cli",
    version=2,
    title="Grok CLI sessions",
    reads="chat_history.jsonl, reasoning, tool calls",
    absent="ids and times",
    evidence="one file",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
