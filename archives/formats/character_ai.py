"""Character.AI as browser tools save it: `{info, histories: {histories: [{msgs: [{text, src:
{is_human}}]}]}}`.

One file holds every chat with one character, which opens each. The service's own data export has no public
description. Facts: SillyTavern's importer (`importCAIChat` in `src/endpoints/chats.js` of
github.com/SillyTavern/SillyTavern) and a public data set's reader of such dumps; no file was at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.rows import last_key, message_rows
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin


def _histories(value: object) -> list[object]:
    return sequence(mapping(mapping(value).get("histories")).get("histories"))


def _is_record(value: object) -> bool:
    rows = (row for history in objects(_histories(value)) for row in sequence(history.get("msgs"))[:5])
    return any("is_human" in mapping(mapping(row).get("src")) for row in rows)


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.OBJECT, Kind.LIST) and any(map(_is_record, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        for where, record in reading.records(part, plausible=_is_record):
            if not _is_record(record):
                reading.reject(record, "a record that is no dump of a character's chats", where, alone=True)
                continue
            character = mapping(mapping(mapping(record).get("info")).get("character"))
            for number, history in enumerate(_histories(record)):
                place = f"{where}, chat {number}"
                if isinstance(history, dict):
                    yield _conversation(history, character, place, reading)
                else:
                    reading.reject(history, "a chat that is no JSON object", place, alone=True)


def _conversation(
    history: Mapping[str, object], character: Mapping[str, object], where: str, reading: Reading
) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, row in message_rows(history.get("msgs"), where, reading):
        source = mapping(row.get("src"))
        human = source.get("is_human") is True
        draft = MessageDraft(
            f"#{number}", last_key(drafts), "user" if human else "assistant",
            identifier(row.get("uuid")) or identifier(row.get("id")),
            author=string(source.get("name")), when=reading.moment(row.get("created")),
        )  # fmt: skip
        draft.pieces.append(Piece(string(row.get("text")) or "", Origin.TYPED if human else Origin.ASSISTANT))
        image = string(row.get("image_rel_path"))
        if image:
            draft.attachments.append(Attachment(name=well_formed(image)[0]))
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="character_ai",
        native_id=identifier(history.get("external_id")),
        where=where,
        title=string(character.get("name")),
        created=reading.moment(history.get("created")),
        leaf=last_key(drafts),
        project=string(character.get("name")),
    )
    return assemble(head, drafts, reading.tally)


_KEYS = Keys(
    words="info.character.name histories",
    used="**.is_human",
    omitted={
        "the character as its maker describes it": "info.character",
        "who is in the chat": "**.tgt **.user",
        "marks on messages": "**.annotation **.deleted",
    },
)

FORMAT = Format(
    id="character_ai",
    version=1,
    title="Character.AI chats (saved by browser tools)",
    reads="every chat with a character, who said what, pictures by name",
    absent="the character's description; the service's own export, whose shape is not public",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
