"""Discord channels as DiscordChatExporter writes them: `{guild, channel, messages[]}`."""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, assemble
from archives.formats.people import notice, owner_of, words_of
from archives.formats.rows import claims_records, last_key, message_rows, read_records
from archives.shapes import identifier, mapping, objects, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation

_SPOKEN = frozenset({"Default", "Reply", "", "ThreadStarterMessage"})


def _is_record(value: object) -> bool:
    record = mapping(value)
    return (
        isinstance(record.get("guild"), dict)
        and isinstance(record.get("channel"), dict)
        and "messages" in record
    )


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    channel, guild = mapping(record.get("channel")), mapping(record.get("guild"))
    owner = owner_of(reading)
    drafts: list[MessageDraft] = []
    for number, row in message_rows(record.get("messages"), where, reading):
        author = mapping(row.get("author"))
        name = string(author.get("nickname")) or string(author.get("name"))
        own = identifier(row.get("id"))
        kind = string(row.get("type")) or ""
        text = string(row.get("content")) or ""
        draft = MessageDraft(
            f"#{number}",
            last_key(drafts),
            "user",
            own,
            author=name,
            when=reading.moment(row.get("timestamp")),
            empty_because=f"a message without words ({kind or 'Default'})",
        )
        spoken_by = owner if owner in (author.get("name"), author.get("nickname")) else name
        draft.pieces = words_of(spoken_by, text, owner) if kind in _SPOKEN else notice(text)
        for file in objects(row.get("attachments")):
            draft.attachments.append(
                Attachment(
                    name=well_formed(string(file.get("fileName")) or "unnamed")[0],
                    size=whole(file.get("fileSizeBytes")),
                )
            )
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="discord",
        native_id=identifier(channel.get("id")),
        where=where,
        title=string(channel.get("name")),
        created=drafts[0].when if drafts else reading.moment(None),
        updated=drafts[-1].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
        owner=owner,
        project=string(guild.get("name")),
    )
    return assemble(head, drafts, reading.tally)


FORMAT = Format(
    id="discord",
    version=1,
    title="Discord (DiscordChatExporter)",
    reads="DiscordChatExporter JSON",
    absent="embeds, reactions",
    evidence="field list only",
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
