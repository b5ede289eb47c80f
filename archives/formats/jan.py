"""Jan: a folder a thread, `threads/<id>/thread.json` and `messages.jsonl`, a line a message as OpenAI's
threads have it.

Facts: `docs/docs/specs/messages.md` and `threads.md` of github.com/janhq/jan; no file of a user's was at
hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import keep_unknown
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "system": Origin.CUSTOM_INSTRUCTION}


def _is_message(value: object) -> bool:
    record = mapping(value)
    return record.get("object") == "thread.message" and "role" in record and "thread_id" in record


def _is_thread(value: object) -> bool:
    return mapping(value).get("object") == "thread"


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.LINES, Kind.OBJECT, Kind.LIST) and any(map(_is_message, seen.records))


def _accounts_for(seen: Glimpse) -> bool:
    return seen.kind is Kind.OBJECT and any(map(_is_thread, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        threads: dict[str, list[MessageDraft]] = {}
        rows = (
            reading.records(part, plausible=_is_message)
            if part.glimpse.kind is Kind.LIST
            else reading.lines(part)
        )
        for where, value in rows:
            if isinstance(value, dict) and _is_message(value):
                drafts = threads.setdefault(identifier(value.get("thread_id")) or "", [])
                drafts.append(_draft(value, len(drafts), last_key(drafts), where, reading))
            else:
                reading.reject(value, "a line that is no message", where, alone=True)
        for native, drafts in threads.items():
            yield _conversation(native, drafts, part, reading)


def _conversation(native: str, drafts: list[MessageDraft], part: Part, reading: Reading) -> Conversation:
    about = _about(part, reading)
    assistant = next(objects(about.get("assistants")), {})
    told = string(assistant.get("instructions"))
    if told:
        given = MessageDraft("instructions", None, "system", "instructions", hidden=True)
        given.pieces.append(Piece(told, Origin.CUSTOM_INSTRUCTION))
        drafts = [given, *drafts]
    head = Head(
        account=reading.account,
        provider="jan",
        native_id=native or identifier(about.get("id")),
        where=f"{part.name}, thread {native}",
        title=string(about.get("title")) or string(mapping(about.get("metadata")).get("title")),
        created=reading.moment(about.get("created")) if "created" in about else drafts[-1].when,
        updated=reading.moment(about.get("updated")),
        leaf=last_key(drafts),
        model=string(mapping(assistant.get("model")).get("id")),
    )
    return assemble(head, drafts, reading.tally)


def _about(part: Part, reading: Reading) -> Mapping[str, object]:
    """What the `thread.json` beside the messages says."""
    folder = PurePosixPath(part.name).parent
    for other in reading.others:
        if PurePosixPath(other.name).parent == folder and _accounts_for(other.glimpse):
            return mapping(next(other.whole(), None))
    return {}


def _draft(
    row: Mapping[str, object], number: int, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    role = string(row.get("role")) or "unknown"
    draft = MessageDraft(
        f"#{number}", before, role, identifier(row.get("id")), when=reading.moment(row.get("created_at"))
    )
    for part in sequence(row.get("content")):
        held = mapping(part)
        text = held.get("text")
        words = string(text) or string(mapping(text).get("value"))
        match held.get("type"):
            case "text":
                draft.pieces.append(Piece(words or "", _ORIGINS.get(role, Origin.UNKNOWN)))
            case "reasoning":
                draft.pieces.append(Piece(words or string(held.get("reasoning")) or "", Origin.REASONING))
            case "image" | "image_url" | "image_file":
                draft.attachments.append(Attachment(name="image"))
            case kind:
                keep_unknown(str(kind), part, draft, reading.tally, where)
    for file in objects(row.get("attachments")):
        name = string(file.get("file_id")) or "file"
        draft.attachments.append(Attachment(name=well_formed(name)[0]))
    return draft


_KEYS = Keys(
    words="content attachments title assistants",
    used="role status object metadata assistant_id",
    omitted={
        "marks on the text": "content.text.annotations",
        "bytes of pictures": "content.image_url",
        "how the thread is listed": "order isFavorite",
    },
)

FORMAT = Format(
    id="jan",
    version=1,
    title="Jan threads",
    reads="messages.jsonl with the thread.json beside it; reasoning, instructions",
    absent="bytes of pictures; settings of models",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
    accounts_for=_accounts_for,
)
