"""Grok account exports: `{conversations: [{conversation, responses: [{response}]}]}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.documents import resource
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text
from archives.formats.rows import claims_records, last_key, message_rows, read_records
from archives.keys import Keys, is_text
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin
from schemas.resource import Resource

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


_BESIDE = {"projects": "project", "tasks": "task", "media_posts": "media post"}


def _resources(reading: Reading) -> Iterator[Resource]:
    """Projects, tasks and posts stand beside the conversations: documents of what they say."""
    for _place, rest in reading.beside:
        for key, what in _BESIDE.items():
            for number, one in enumerate(objects(rest.get(key)), 1):
                name = string(one.get("name")) or string(one.get("title")) or str(number)
                own = next(
                    (identifier(one.get(named)) for named in ("id", "_id", f"{key[:-1]}_id") if named in one),
                    None,
                )
                words = "\n".join(_told(one))
                found = resource(
                    reading, "grok", f"{key}/{own or name}", f"Grok {what}: {name}", words
                )  # fmt: skip
                if found is not None:
                    yield found


def _told(value: object) -> Iterator[str]:
    """Every text of a record whose keys are not known, a line each, behind its key."""
    waiting: list[tuple[str, object]] = [("", value)]
    while waiting:
        key, one = waiting.pop()
        if isinstance(one, str):
            if is_text(key, one):
                yield f"{key}: {one}"
        else:
            held = one.items() if isinstance(one, dict) else ((key, inner) for inner in sequence(one))
            waiting.extend(reversed(list(held)))


_KEYS = Keys(
    words="""conversation.title responses projects tasks media_posts""",
    used="""responses.response.sender responses.sender responses.response.parent_response_id
        responses.response.share_link conversation.leaf_response_id conversation.temporary
        conversation.system_prompt_name""",
    omitted={"settings of the model": "responses.response.metadata responses.response.model_mode"},
)

FORMAT = Format(
    id="grok",
    version=2,
    title="Grok export",
    reads="account export with branches, thinking, web results",
    absent="bytes of attachments",
    evidence="a real file and a fixture",
    # only the export of the whole account has this form
    whole_account=lambda _others: True,
    resources=_resources,
    keys=_KEYS,
    claims=claims_records(_is_record, under=("conversations",)),
    read=read_records(_is_record, _conversation, under=("conversations",)),
)
