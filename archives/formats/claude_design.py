"""Claude Design chats, part of Claude.ai's account export since 2026."""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece, keep_unknown
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT}


def is_design_chat(value: object) -> bool:
    """Its messages wrap their words: `{uuid, role, content: {role, content, …}}`."""
    record = mapping(value)
    first = next(objects(record.get("messages")), {})
    inner = mapping(first.get("content"))
    return (
        "uuid" in record and "uuid" in first and "content" in inner and ("role" in inner or "role" in first)
    )


def design_conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    """One chat; its messages follow one another."""
    native = identifier(record.get("uuid"))
    where = f"{where}, conversation {native}"
    drafts: list[MessageDraft] = []
    for number, value in enumerate(sequence(record.get("messages"))):
        if not isinstance(value, dict):
            reading.reject(value, "a message that is no JSON object", where)
            continue
        parent = drafts[-1].key if drafts else None
        drafts.append(_message(value, identifier(value.get("uuid")) or f"#{number}", parent, where, reading))
    head = Head(
        account=reading.account,
        provider="claude_ai",
        native_id=native,
        where=where,
        title=string(record.get("title")),
        created=reading.moment(record.get("created_at")),
        updated=reading.moment(record.get("updated_at")),
        project=string(mapping(record.get("project")).get("name")),
    )
    return assemble(head, drafts, reading.tally)


def _message(
    value: Mapping[str, object], key: str, parent: str | None, where: str, reading: Reading
) -> MessageDraft:
    inner = mapping(value.get("content"))
    role = string(value.get("role")) or string(inner.get("role")) or "unknown"
    spoken = _ORIGINS.get(role, Origin.UNKNOWN)
    draft = MessageDraft(
        key,
        parent,
        role,
        identifier(value.get("uuid")),
        author=string(inner.get("authorName")),
        when=reading.moment(value.get("created_at") or inner.get("timestamp")),
    )
    draft.pieces.append(Piece(string(inner.get("content")) or "", spoken))
    for block in objects(inner.get("contentBlocks")):
        _take_block(block, draft, spoken, reading, f"{where}, message {key}")
    for attachment in objects(inner.get("attachments")):
        name = string(attachment.get("name")) or "unnamed"
        kind = identifier(attachment.get("type"))
        draft.pieces.append(Piece(string(attachment.get("content")) or "", Origin.ATTACHED, name))
        draft.attachments.append(
            Attachment(name=well_formed(name)[0], media_type=well_formed(kind)[0] if kind else None)
        )
    return draft


def _take_block(
    block: dict[str, object], draft: MessageDraft, spoken: Origin, reading: Reading, where: str
) -> None:
    words = string(block.get("text")) or string(block.get("content")) or string(block.get("message")) or ""
    match block.get("type"):
        case "text":
            draft.pieces.append(Piece(words, spoken))
        case "thinking":
            draft.pieces.append(Piece(words, Origin.REASONING))
        case "user_interjection":
            draft.pieces.append(Piece(words, Origin.TYPED))
        case "error":
            draft.pieces.append(Piece(words, Origin.RUNTIME_CONTEXT, "error"))
        case "tool_call":
            call = mapping(block.get("toolCall"))
            name = string(call.get("name"))
            draft.pieces.append(call_piece(call.get("input"), name))
            draft.pieces.append(Piece(as_text(call.get("output")), Origin.TOOL_RESULT, name))
        case kind:
            keep_unknown(str(kind), block, draft, reading.tally, where)
