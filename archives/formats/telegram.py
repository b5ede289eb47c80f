"""Telegram Desktop exports: `result.json` of one chat, or of a whole account under `chats.list`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.people import notice, owner_of, poll_text, words_of
from archives.formats.rows import last_key, message_rows
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin


def _is_chat(value: object) -> bool:
    rows = sequence(mapping(value).get("messages"))
    return any(
        ("date_unixtime" in mapping(row) or "date" in mapping(row)) and "type" in mapping(row)
        for row in rows[:5]
    )


def _chats(record: Mapping[str, object]) -> list[object]:
    return [
        chat for group in ("chats", "left_chats") for chat in sequence(mapping(record.get(group)).get("list"))
    ]


def _claims(seen: Glimpse) -> bool:
    return seen.kind is Kind.OBJECT and any(
        _is_chat(record) or any(map(_is_chat, _chats(record))) for record in seen.objects()
    )


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        for where, record in reading.records(part, plausible=_is_chat):
            about = mapping(mapping(record).get("personal_information"))
            names = (string(about.get("first_name")), string(about.get("last_name")))
            owner = owner_of(reading, " ".join(filter(None, names)) or None)
            if isinstance(mapping(record).get("messages"), list):
                yield _conversation(mapping(record), where, owner, reading)
            for number, chat in enumerate(_chats(mapping(record)), 1):
                if isinstance(mapping(chat).get("messages"), list):
                    yield _conversation(mapping(chat), f"{where}, chat {number}", owner, reading)
                else:
                    reading.reject(chat, "a chat without messages", where, alone=True)


def _conversation(
    record: Mapping[str, object], where: str, owner: str | None, reading: Reading
) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, row in message_rows(record.get("messages"), where, reading):
        author = string(row.get("from")) or string(row.get("actor"))
        own = identifier(row.get("id"))
        kind = string(row.get("type")) or ""
        draft = MessageDraft(
            f"#{number}",
            last_key(drafts),
            "user",
            own,
            author=author,
            when=reading.moment(row.get("date_unixtime") or row.get("date")),
            empty_because=f"a message without words ({kind})",
        )
        text = _text(row.get("text"))
        forwarded = string(row.get("forwarded_from"))
        if forwarded is not None:
            # whoever forwards words did not say them
            draft.pieces = [Piece(text, Origin.ATTACHED, f"forwarded from {forwarded}")]
        elif kind == "message":
            draft.pieces = words_of(author, text, owner)
        else:
            draft.pieces = notice(text or string(row.get("action")) or "")
        if kind == "message":
            draft.pieces.extend(words_of(author, poll_text(row.get("poll")), owner))
        _take_beside(row, draft)
        name = string(row.get("file_name")) or string(row.get("file")) or string(row.get("photo"))
        if name:
            media_type = string(row.get("mime_type")) or string(row.get("media_type"))
            draft.attachments.append(
                Attachment(
                    name=well_formed(name)[0],
                    media_type=well_formed(media_type)[0] if media_type else None,
                )
            )
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="telegram",
        native_id=identifier(record.get("id")),
        where=where,
        title=string(record.get("name")),
        created=drafts[0].when if drafts else reading.moment(None),
        updated=drafts[-1].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
        owner=owner,
    )
    return assemble(head, drafts, reading.tally)


def _take_beside(row: Mapping[str, object], draft: MessageDraft) -> None:
    """Contacts, places and the addresses behind links."""
    contact = mapping(row.get("contact_information"))
    told = " ".join(
        filter(None, (string(contact.get(key)) for key in ("first_name", "last_name", "phone_number")))
    )
    draft.pieces.append(Piece(told, Origin.ATTACHED, "contact"))
    place = [string(row.get("place_name")), string(row.get("address"))]
    where = mapping(row.get("location_information"))
    place += [str(where[key]) for key in ("latitude", "longitude") if isinstance(where.get(key), int | float)]
    draft.pieces.append(Piece(", ".join(filter(None, place)), Origin.ATTACHED, "place"))
    for part in (*objects(row.get("text")), *objects(row.get("text_entities"))):
        address = string(part.get("href"))
        if address and all(address != piece.text for piece in draft.pieces):
            draft.pieces.append(Piece(address, Origin.ATTACHED, "link"))


def _text(value: object) -> str:
    """A string, or a list of strings and of entities with a text of their own."""
    if isinstance(value, str):
        return value
    parts = (part if isinstance(part, str) else string(mapping(part).get("text")) for part in sequence(value))
    return "".join(part for part in parts if part)


_KEYS = Keys(
    words="""name messages.text messages.text_entities messages.from messages.actor messages.action
        messages.forwarded_from messages.poll messages.contact_information messages.location_information
        messages.place_name messages.address messages.file messages.file_name messages.photo
        chats.list personal_information.first_name personal_information.last_name""",
    omitted={
        "reactions": "messages.reactions chats.list.messages.reactions",
        "what the exporter says of itself": """about chats.about left_chats.about contacts.about
            sessions.about""",
    },
)

FORMAT = Format(
    id="telegram",
    version=2,
    title="Telegram export",
    reads="one chat or a whole account, entities joined, files by name",
    absent="reactions; zone of old exports",
    evidence="2 files",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
