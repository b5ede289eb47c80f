"""Sessions of Pi, OpenClaw and Droid: lines `{type: message, id, parentId, message: {role, content[]}}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import plain_as, result_text, take_blocks
from archives.formats.injected import typed_apart
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from archives.shapes import identifier, mapping, string
from schemas.conversation import Conversation, Origin

_OPENINGS = frozenset({"session", "session_start"})


def _is_opening(value: object) -> bool:
    row = mapping(value)
    return string(row.get("type")) in _OPENINGS and "id" in row and "sessionId" not in row


def _is_message(value: object) -> bool:
    row = mapping(value)
    inner = mapping(row.get("message"))
    said = "content" in inner or inner.get("role") == "bashExecution"
    return row.get("type") == "message" and "id" in row and "role" in inner and said


def _vendor(records: tuple[object, ...]) -> str | None:
    """Droid opens with `session_start`; OpenClaw's providers and ids bear its name; else it is Pi."""
    if not any(map(_is_opening, records)) or not any(map(_is_message, records)):
        return None
    opening = next(mapping(record) for record in records if _is_opening(record))
    if opening.get("type") == "session_start":
        return "droid"
    marks = [string(opening.get("id")) or ""]
    marks += [string(mapping(record).get("provider")) or "" for record in records]
    return "openclaw" if any("openclaw" in mark.lower() for mark in marks) else "pi"


_KEYS = Keys(
    words="message summary title sessionTitle cwd name",
    used="""message.api message.stopReason thinkingLevel provider message.provider message.customType
        owner modelId fromHook""",
    omitted={
        "what only the service can read": """**.thinkingSignature **.textSignature
            **.thoughtSignature **.signature""",
        "bytes of pictures": "message.content.data message.content.source.data",
    },
)


def _format(vendor: str, title: str, reads: str, absent: str) -> Format:
    def claims(seen: Glimpse) -> bool:
        return seen.kind is Kind.LINES and _vendor(seen.records) == vendor

    def read(reading: Reading) -> Iterator[Conversation]:
        for part in reading.parts:
            yield _conversation(part, vendor, reading)

    return Format(
        id=vendor,
        version=2,
        title=title,
        reads=reads,
        absent=absent,
        evidence="one file",
        keys=_KEYS,
        claims=claims,
        read=read,
    )


def _conversation(part: Part, vendor: str, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    opening: Mapping[str, object] = {}
    keys: set[str] = set()
    name: str | None = None
    for number, (where, line) in enumerate(reading.lines(part)):
        row = mapping(line)
        if not row:
            reading.reject(line, "a line that is no JSON object", where)
            continue
        if _is_opening(row) and not opening:
            opening = row
        if row.get("type") == "session_info":
            name = string(row.get("name")) or name
        draft = _message(row, number, drafts, keys, reading, where)
        keys.add(draft.key)
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider=vendor,
        native_id=identifier(opening.get("id")),
        where=part.name,
        title=name or string(opening.get("sessionTitle")) or string(opening.get("title")),
        created=reading.moment(opening.get("timestamp")),
        updated=drafts[-1].when if drafts else Moment(),
        project=string(opening.get("cwd")),
    )
    return assemble(head, drafts, reading.tally)


def _message(
    row: Mapping[str, object],
    number: int,
    drafts: list[MessageDraft],
    keys: set[str],
    reading: Reading,
    where: str,
) -> MessageDraft:
    kind = string(row.get("type")) or "no type"
    inner = mapping(row.get("message"))
    role = string(inner.get("role")) or kind
    own = identifier(row.get("id"))
    parent = identifier(row.get("parentId"))
    if parent not in keys:
        # A tool result names the call as its parent, not a message.
        parent = drafts[-1].key if drafts else None
    draft = MessageDraft(
        own or f"#{number}",
        parent,
        role,
        own,
        author=string(inner.get("model")),
        when=reading.moment(row.get("timestamp")),
        empty_because=f"a line without words ({kind})",
    )
    if kind in ("compaction", "branch_summary"):
        draft.pieces.append(Piece(string(row.get("summary")) or "", Origin.GENERATED_SUMMARY))
    elif role == "bashExecution":
        draft.pieces.append(Piece(string(inner.get("command")) or "", Origin.TOOL_CALL, "bash"))
        draft.pieces.append(Piece(string(inner.get("output")) or "", Origin.TOOL_RESULT, "bash"))
    elif role == "toolResult":
        words = result_text(inner.get("content"))
        draft.pieces.append(Piece(words, Origin.TOOL_RESULT, string(inner.get("toolName"))))
    elif kind == "message":
        plain = {"user": typed_apart, "assistant": plain_as(Origin.ASSISTANT)}.get(
            role, plain_as(Origin.RUNTIME_CONTEXT)
        )
        take_blocks(inner.get("content"), draft, plain, reading.tally, where)
    return draft


PI = _format("pi", "Pi sessions", "session lines with blocks, compaction summaries", "model changes")
OPENCLAW = _format("openclaw", "OpenClaw sessions", "session lines with blocks", "model changes")
DROID = _format("droid", "Droid sessions", "session lines with blocks", "settings")
