"""mnemic's own transcript JSON Lines: a conversation a line.

`{id, owner?, title, created_at, messages: [{id, role, name?, created_at, text, parent?}]}`. With an `owner`,
a `user` message by anybody else is another person's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, sequence, string
from schemas.conversation import Conversation, Origin

_ORIGINS = {
    "user": Origin.TYPED,
    "assistant": Origin.ASSISTANT,
    "system": Origin.RUNTIME_CONTEXT,
    "tool": Origin.TOOL_RESULT,
}


def _is_transcript(value: object) -> bool:
    """Messages have `role` and `text`; OpenAI's have `content`."""
    record = mapping(value)
    messages = sequence(record.get("messages"))
    if not messages:
        return False
    first = mapping(messages[0])
    return "role" in first and isinstance(first.get("text"), str) and "content" not in first


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.LINES, Kind.OBJECT, Kind.LIST) and any(map(_is_transcript, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        rows = (
            reading.records(part, plausible=_is_transcript)
            if part.glimpse.kind is Kind.LIST
            else reading.lines(part)
        )
        for where, record in rows:
            if not isinstance(record, dict) or not isinstance(record.get("messages"), list):
                reading.reject(record, "a conversation without its messages", where, alone=True)
                continue
            yield _conversation(record, where, reading)


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    owner = string(record.get("owner")) or reading.owner
    native = identifier(record.get("id"))
    where = f"{where}, conversation {native}" if native else where
    drafts: list[MessageDraft] = []
    branching = any("parent" in mapping(value) for value in sequence(record.get("messages")))
    for number, value in enumerate(sequence(record.get("messages"))):
        if not isinstance(value, dict):
            reading.reject(value, "a message that is no JSON object", where)
            continue
        before = drafts[-1].key if drafts else None
        key = (identifier(value.get("id")) if branching else None) or f"#{number}"
        parent = identifier(value.get("parent")) if "parent" in value else before
        drafts.append(_message(value, key, parent, owner, reading))
    created = reading.moment(_time(record))
    head = Head(
        account=reading.account,
        provider=string(record.get("provider")) or "transcript",
        native_id=native,
        where=where,
        title=string(record.get("title")),
        created=created,
        updated=reading.moment(record.get("updated_at") or record.get("updatedAt")),
        leaf=identifier(record.get("active_leaf")) or (drafts[-1].key if drafts else None),
        owner=owner,
        model=string(record.get("model")),
        project=string(record.get("project")),
    )
    return assemble(head, drafts, reading.tally)


def _time(holder: Mapping[str, object]) -> object:
    """Other programs write files of this shape too, with another word for the time."""
    return next(filter(None, map(holder.get, ("created_at", "createdAt", "timestamp"))), None)


def _message(
    value: Mapping[str, object], key: str, parent: str | None, owner: str | None, reading: Reading
) -> MessageDraft:
    native = identifier(value.get("id"))
    role = string(value.get("role")) or "unknown"
    name = string(value.get("name"))
    origin = _ORIGINS.get(role, Origin.UNKNOWN)
    if origin is Origin.TYPED and owner is not None and name is not None and name != owner:
        origin = Origin.OTHER
    text = value.get("text")
    return MessageDraft(
        key=key,
        parent=parent,
        role=role,
        native_id=native,
        pieces=[Piece(text, origin)] if isinstance(text, str) else [],
        author=name,
        when=reading.moment(_time(value)),
    )


_KEYS = Keys(
    words="""title owner provider model project messages.name messages.text""",
    used="messages.parent active_leaf",
)

FORMAT = Format(
    id="transcript",
    version=2,
    title="mnemic transcript JSON Lines",
    reads="everything: it is mnemic's own interchange format",
    absent="nothing",
    evidence="LoCoMo (5 files)",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
