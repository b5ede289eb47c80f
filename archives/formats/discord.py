"""Discord channels as DiscordChatExporter writes them: `{guild, channel, messages[]}`."""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.people import notice, owner_of, poll_text, words_of
from archives.formats.rows import claims_records, last_key, message_rows, read_records
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

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
        poll = poll_text(row.get("poll"))
        if poll:
            draft.pieces.extend(words_of(spoken_by, poll, owner))
        _take_beside(row, draft)
        forwarded = mapping(row.get("forwardedMessage"))
        if forwarded:
            # who wrote it is not said; who forwards it did not
            draft.pieces.append(Piece(string(forwarded.get("content")) or "", Origin.ATTACHED, "forwarded"))
            _take_beside(forwarded, draft)
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


def _take_beside(row: Mapping[str, object], draft: MessageDraft) -> None:
    """Files, stickers and previews of links."""
    for file in objects(row.get("attachments")):
        draft.attachments.append(
            Attachment(
                name=well_formed(string(file.get("fileName")) or "unnamed")[0],
                size=whole(file.get("fileSizeBytes")),
            )
        )
    for sticker in objects(row.get("stickers")):
        name = well_formed(string(sticker.get("name")) or "sticker")[0]
        draft.attachments.append(Attachment(name=name, media_type="sticker"))
    for embed in objects(row.get("embeds")):
        author, footer = mapping(embed.get("author")), mapping(embed.get("footer"))
        told = [author.get("name"), embed.get("title"), embed.get("url"), embed.get("description")]
        told += [
            ": ".join(filter(None, (string(one.get("name")), string(one.get("value")))))
            for one in objects(embed.get("fields"))
        ]
        words = "\n".join(filter(None, map(string, (*told, footer.get("text")))))
        draft.pieces.append(Piece(words, Origin.ATTACHED, string(embed.get("title")) or "embed"))


_KEYS = Keys(
    words="""channel.name guild.name messages.content messages.author.nickname
        messages.attachments messages.embeds messages.stickers messages.forwardedMessage messages.poll""",
    omitted={
        "how people look, and what they are": """messages.author.color messages.author.avatarUrl
            messages.author.roles messages.author.discriminator guild.iconUrl channel.category
            messages.mentions **.color **.iconUrl **.avatarUrl **.discriminator""",
        "addresses of files, pictures of links": """messages.attachments.url **.sourceUrl
            messages.embeds.thumbnail messages.embeds.image messages.embeds.images messages.embeds.video
            messages.forwardedMessage.attachments.url""",
        "reactions": "messages.reactions messages.inlineEmojis",
        "the channel's topic and the exporter's settings": "channel.topic dateRange",
        "an account's name where there is a nickname": "messages.author.name",
    },
)

FORMAT = Format(
    id="discord",
    version=2,
    title="Discord (DiscordChatExporter)",
    reads="DiscordChatExporter JSON, with stickers, polls, embeds and forwarded messages",
    absent="reactions; who wrote a forwarded message",
    evidence="field list only",
    keys=_KEYS,
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
