"""Grok account exports: `{conversations: [{conversation, responses: [{response}]}]}`."""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text
from archives.formats.rows import claims_records, last_key, message_rows, read_records
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"human": Origin.TYPED, "user": Origin.TYPED, "assistant": Origin.ASSISTANT}


def _is_record(value: object) -> bool:
    record = mapping(value)
    return isinstance(record.get("conversation"), dict) and isinstance(record.get("responses"), list)


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    about = mapping(record.get("conversation"))
    native = identifier(about.get("conversation_id")) or identifier(about.get("id"))
    where = f"{where}, conversation {native}" if native else where
    drafts: list[MessageDraft] = []
    for number, row in message_rows(record.get("responses"), where, reading):
        response = mapping(row.get("response")) or row
        own = identifier(response.get("response_id")) or identifier(response.get("_id"))
        parent = identifier(response.get("parent_response_id"))
        if parent is None and own is None:
            parent = last_key(drafts)
        drafts.append(_message(response, own or f"#{number}", own, parent, reading))
    head = Head(
        account=reading.account,
        provider="grok",
        native_id=native,
        where=where,
        title=string(about.get("title")),
        created=reading.moment(about.get("create_time")),
        updated=reading.moment(about.get("modify_time")),
        leaf=identifier(about.get("leaf_response_id")),
    )
    return assemble(head, drafts, reading.tally)


def _message(
    response: Mapping[str, object], key: str, own: str | None, parent: str | None, reading: Reading
) -> MessageDraft:
    sender = string(response.get("sender")) or "unknown"
    draft = MessageDraft(
        key,
        parent,
        sender,
        own,
        author=string(response.get("model")),
        when=reading.moment(response.get("create_time")),
    )
    draft.pieces.append(Piece(as_text(response.get("thinking_trace")), Origin.REASONING))
    spoken = _ORIGINS.get(sender.lower(), Origin.UNKNOWN)
    draft.pieces.append(Piece(string(response.get("message")) or "", spoken))
    for found in objects(response.get("web_search_results")):
        words = "\n".join(filter(None, (string(found.get("title")), string(found.get("preview")))))
        draft.pieces.append(Piece(words, Origin.TOOL_RESULT, string(found.get("url"))))
    for file in sequence(response.get("file_attachments")):
        native = identifier(file) or identifier(mapping(file).get("id")) or "unnamed"
        name = string(mapping(file).get("name")) or native
        draft.attachments.append(Attachment(name=well_formed(name)[0], native_id=well_formed(native)[0]))
    return draft


FORMAT = Format(
    id="grok",
    version=1,
    title="Grok export",
    reads="account export with branches, thinking, web results",
    absent="bytes of attachments",
    evidence="a real file and a fixture",
    # only the export of the whole account has this form
    whole_account=lambda _others: True,
    claims=claims_records(_is_record, under=("conversations",)),
    read=read_records(_is_record, _conversation, under=("conversations",)),
)
