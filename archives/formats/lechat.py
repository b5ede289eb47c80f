"""Mistral Le Chat: a zip of `chat-<uuid>.json`, each a list of messages, perhaps unordered.

The only place where sorting by time is right: there are neither parents nor an order of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece, keep_unknown
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "system": Origin.RUNTIME_CONTEXT}


def _is_message(value: object) -> bool:
    record = mapping(value)
    return "chatId" in record and "role" in record and ("contentChunks" in record or "content" in record)


def _claims(seen: Glimpse) -> bool:
    return seen.kind is Kind.LIST and any(map(_is_message, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, reading)


def _conversation(part: Part, reading: Reading) -> Conversation:
    rows: list[dict[str, object]] = []
    for where, record in reading.records(part, plausible=_is_message):
        if isinstance(record, dict) and _is_message(record):
            rows.append(record)
        else:
            reading.reject(record, "a record that is no message", where)
    rows.sort(key=lambda row: string(row.get("createdAt")) or "")
    drafts: list[MessageDraft] = []
    for number, row in enumerate(rows):
        drafts.append(_message(row, f"#{number}", last_key(drafts), part.name, reading))
    head = Head(
        account=reading.account,
        provider="lechat",
        native_id=identifier(rows[0].get("chatId")) if rows else None,
        where=part.name,
        created=drafts[0].when if drafts else reading.moment(None),
        updated=drafts[-1].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


def _message(
    row: Mapping[str, object], key: str, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    role = string(row.get("role")) or "unknown"
    spoken = _ORIGINS.get(role, Origin.UNKNOWN)
    draft = MessageDraft(
        key, before, role, identifier(row.get("id")), when=reading.moment(row.get("createdAt"))
    )
    chunks = list(objects(row.get("contentChunks")))
    for chunk in chunks:
        match chunk.get("type"):
            case "text":
                _append(draft, string(chunk.get("text")) or "", spoken)
            case "tool_call":
                call = mapping(chunk.get("function")) or chunk
                name = string(call.get("name"))
                draft.pieces.append(call_piece(call.get("arguments"), name))
                draft.pieces.append(Piece(as_text(chunk.get("result")), Origin.TOOL_RESULT, name))
            case "reference" | "custom_element":
                pass
            case "image_url":
                draft.attachments.append(Attachment(name="image"))
            case kind:
                keep_unknown(f"chunk {kind}", chunk, draft, reading.tally, where)
    if not any(piece.origin is spoken and piece.text.strip() for piece in draft.pieces):
        _append(draft, string(row.get("content")) or "", spoken)
    for quote in objects(row.get("quotes")):
        draft.pieces.append(Piece(string(quote.get("text")) or "", Origin.ATTACHED, "quote"))
    for canvas in objects(row.get("canvas")):
        words = string(canvas.get("content")) or string(canvas.get("text")) or ""
        draft.pieces.append(Piece(words, Origin.TOOL_RESULT, string(canvas.get("title")) or "canvas"))
    for source in objects(row.get("references")):
        told = (source.get("title") or source.get("name"), source.get("snippet") or source.get("description"))
        words = "\n".join(filter(None, map(string, told)))
        draft.pieces.append(Piece(words, Origin.TOOL_RESULT, string(source.get("url"))))
    for file in objects(row.get("files")):
        draft.attachments.append(Attachment(name=well_formed(string(file.get("name")) or "unnamed")[0]))
    return draft


def _append(draft: MessageDraft, words: str, spoken: Origin) -> None:
    """Text chunks are cut around references: put together, they are one text."""
    if draft.pieces and draft.pieces[-1].origin is spoken:
        words = draft.pieces.pop().text + words
    draft.pieces.append(Piece(words, spoken))


_KEYS = Keys(
    words="content contentChunks canvas references quotes files",
    used="quality reaction generation chatId parentId model turn",
    omitted={"elements that the app draws": "contentChunks.customElement"},
)

FORMAT = Format(
    id="lechat",
    version=2,
    title="Mistral Le Chat export",
    reads="one file a chat, sorted by time, quotes, canvases, references, files by name",
    absent="title",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
