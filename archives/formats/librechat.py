"""LibreChat exports: one conversation a file, its messages flat or nested under `children`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece, keep_unknown
from archives.formats.rows import claims_records, message_rows, read_records
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_NOBODY = "00000000-0000-0000-0000-000000000000"


def _is_record(value: object) -> bool:
    record = mapping(value)
    messages = record.get("messagesTree", record.get("messages"))
    first = next(objects(messages), {})
    return "conversationId" in record and "messageId" in first


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    native = identifier(record.get("conversationId"))
    where = f"{where}, conversation {native}"
    options = mapping(record.get("options"))
    drafts: list[MessageDraft] = []
    prefix = string(options.get("promptPrefix"))
    if prefix:
        instruction = MessageDraft("options", None, "system", "options", hidden=True)
        instruction.pieces.append(Piece(prefix, Origin.CUSTOM_INSTRUCTION))
        drafts.append(instruction)
    for number, (row, above) in enumerate(_walk(record, where, reading)):
        draft = _message(row, f"#{number}", above, where, reading)
        if draft.parent is None and prefix:
            draft.parent = "options"
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="librechat",
        native_id=native,
        where=where,
        title=string(record.get("title")),
        created=next((draft.when for draft in drafts if draft.when.at), reading.moment(None)),
        model=string(options.get("model")),
    )
    return assemble(head, drafts, reading.tally)


def _walk(
    record: Mapping[str, object], where: str, reading: Reading
) -> Iterator[tuple[dict[str, object], str | None]]:
    """Every message with the id of the one it is nested in, parents first, however deep."""
    top = record.get("messagesTree", record.get("messages"))
    waiting = [(row, None) for _, row in message_rows(top, where, reading)][::-1]
    stack: list[tuple[dict[str, object], str | None]] = list(waiting)
    while stack:
        row, above = stack.pop()
        yield row, above
        own = identifier(row.get("messageId"))
        stack.extend([(child, own) for _, child in message_rows(row.get("children"), where, reading)][::-1])


def _message(
    row: dict[str, object], place: str, above: str | None, where: str, reading: Reading
) -> MessageDraft:
    own = identifier(row.get("messageId"))
    parent = identifier(row.get("parentMessageId")) or above
    by_user = row.get("isCreatedByUser") is True
    spoken = Origin.TYPED if by_user else Origin.ASSISTANT
    if row.get("error") is True:
        spoken = Origin.RUNTIME_CONTEXT
    draft = MessageDraft(
        own or place,
        None if parent == _NOBODY else parent,
        "user" if by_user else "assistant",
        own,
        author=string(row.get("sender")),
        when=reading.moment(row.get("createdAt")),
    )
    blocks = list(objects(row.get("content")))
    for block in blocks:
        _take_block(block, draft, spoken, f"{where}, message {draft.key}", reading)
    if not blocks:
        draft.pieces.append(Piece(string(row.get("text")) or "", spoken))
    for file in (*objects(row.get("files")), *objects(row.get("attachments"))):
        media_type = string(file.get("type"))
        draft.attachments.append(
            Attachment(
                name=well_formed(string(file.get("filename")) or "unnamed")[0],
                media_type=well_formed(media_type)[0] if media_type else None,
                size=whole(file.get("bytes")),
            )
        )
    return draft


def _take_block(
    block: dict[str, object], draft: MessageDraft, spoken: Origin, where: str, reading: Reading
) -> None:
    match block.get("type"):
        case "text":
            text = block.get("text")
            draft.pieces.append(Piece(string(text) or string(mapping(text).get("value")) or "", spoken))
        case "think":
            think = block.get("think")
            words = string(think) or string(mapping(think).get("value")) or ""
            draft.pieces.append(Piece(words, Origin.REASONING))
        case "tool_call":
            call = mapping(block.get("tool_call"))
            name = string(call.get("name"))
            draft.pieces.append(call_piece(call.get("args"), name))
            draft.pieces.append(Piece(as_text(call.get("output")), Origin.TOOL_RESULT, name))
        case "error":
            draft.pieces.append(Piece(as_text(block.get("error")), Origin.RUNTIME_CONTEXT, "error"))
        case kind:
            keep_unknown(str(kind), block, draft, reading.tally, where)


_KEYS = Keys(
    words="title messages messagesTree options",
    used="**.endpoint **.finish_reason **.sender **.exportAt **.imageDetail **.endpointType **.iconURL",
)

FORMAT = Format(
    id="librechat",
    version=2,
    title="LibreChat export",
    reads="flat and nested exports, content parts, preset instructions",
    absent="export date",
    evidence="one real excerpt",
    keys=_KEYS,
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
