"""Qwen Code sessions: lines like Claude Code's, with `message.parts` and the role `model`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece
from archives.formats.injected import typed_apart
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, string
from schemas.conversation import Conversation, Origin


def _is_line(value: object) -> bool:
    line = mapping(value)
    return "sessionId" in line and "uuid" in line and "parts" in mapping(line.get("message"))


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.LINES, Kind.OBJECT) and any(map(_is_line, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, reading)


def _conversation(part: Part, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    session: Mapping[str, object] = {}
    for number, (where, value) in enumerate(reading.lines(part)):
        line = mapping(value)
        if not line:
            reading.reject(value, "a line that is no JSON object", where)
            continue
        session = session or (line if "sessionId" in line else {})
        drafts.append(_message(line, number, last_key(drafts), reading))
    head = Head(
        account=reading.account,
        provider="qwen_code",
        native_id=identifier(session.get("sessionId")),
        where=part.name,
        created=drafts[0].when if drafts else Moment(),
        updated=drafts[-1].when if drafts else Moment(),
        project=string(session.get("cwd")),
    )
    return assemble(head, drafts, reading.tally)


def _message(line: Mapping[str, object], number: int, before: str | None, reading: Reading) -> MessageDraft:
    kind = string(line.get("type")) or "no type"
    own = identifier(line.get("uuid"))
    draft = MessageDraft(
        own or f"#{number}",
        identifier(line.get("parentUuid")) or before,
        string(mapping(line.get("message")).get("role")) or kind,
        own,
        author=string(line.get("model")),
        when=reading.moment(line.get("timestamp")),
        empty_because=f"a line without words ({kind})",
    )
    for part in objects(mapping(line.get("message")).get("parts")):
        _take_part(part, kind, string(line.get("subtype")), draft)
    return draft


def _take_part(part: Mapping[str, object], kind: str, subtype: str | None, draft: MessageDraft) -> None:
    words = string(part.get("text")) or ""
    if part.get("thought") is True:
        draft.pieces.append(Piece(words, Origin.REASONING))
    elif words and kind == "user" and subtype is None:
        draft.pieces.extend(typed_apart(words))
    elif words:
        draft.pieces.append(Piece(words, Origin.ASSISTANT if kind == "assistant" else Origin.RUNTIME_CONTEXT))
    call = mapping(part.get("functionCall"))
    draft.pieces.append(call_piece(call.get("args"), string(call.get("name"))))
    result = mapping(part.get("functionResponse"))
    response = mapping(result.get("response"))
    output = string(response.get("output")) or as_text(response)
    draft.pieces.append(Piece(output, Origin.TOOL_RESULT, string(result.get("name"))))


_KEYS = Keys(
    words="message cwd model",
    used="subtype",
    omitted={
        "settings and telemetry": "gitBranch version systemPayload usageMetadata",
        "a result as it is shown, where the result itself stands": "toolCallResult",
        "bytes of files": "message.parts.inlineData",
    },
)

FORMAT = Format(
    id="qwen_code",
    version=2,
    title="Qwen Code sessions",
    reads="session lines, thoughts, tool calls",
    absent="telemetry",
    evidence="one file",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
