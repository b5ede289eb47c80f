"""Messenger and Instagram downloads: `message_1.json`, newest message first, UTF-8 bytes written as Latin-1.

The two services write the same file. One that names its participants is taken for Messenger's, a bare list
of messages for Instagram's; `--format` decides otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.people import owner_of, words_of
from archives.formats.rows import Convert, claims_records, last_key, message_rows, read_records
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_FILES = ("photos", "videos", "audio_files", "files", "gifs")


def _is_record(value: object) -> bool:
    rows = sequence(mapping(value).get("messages"))
    return any("sender_name" in mapping(row) and "timestamp_ms" in mapping(row) for row in rows[:5])


def _is_messenger(value: object) -> bool:
    return _is_record(value) and "participants" in mapping(value)


def _is_instagram(value: object) -> bool:
    return _is_record(value) and "participants" not in mapping(value)


def mended(value: object) -> str | None:
    """`Ã¤` for `ä`: the bytes of UTF-8, each escaped as if it were a character."""
    text = string(value)
    if text is None or text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _converter(provider: str) -> Convert:
    def convert(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
        owner = owner_of(reading)
        drafts: list[MessageDraft] = []
        rows = list(message_rows(record.get("messages"), where, reading))
        for number, row in reversed(rows):
            author = mended(row.get("sender_name"))
            draft = MessageDraft(
                f"#{number}",
                last_key(drafts),
                "user",
                None,
                author=author,
                when=reading.moment(row.get("timestamp_ms")),
            )
            draft.pieces = words_of(author, mended(row.get("content")) or "", owner)
            for kind in _FILES:
                for file in objects(row.get(kind)):
                    name = string(file.get("uri")) or kind
                    draft.attachments.append(Attachment(name=well_formed(name)[0], media_type=kind))
            sticker = string(mapping(row.get("sticker")).get("uri"))
            if sticker:
                draft.attachments.append(Attachment(name=well_formed(sticker)[0], media_type="sticker"))
            share = mapping(row.get("share"))
            told = (string(share.get("link")), mended(share.get("share_text")))
            draft.pieces.append(Piece("\n".join(filter(None, told)), Origin.ATTACHED, "share"))
            drafts.append(draft)
        head = Head(
            account=reading.account,
            provider=provider,
            native_id=identifier(record.get("thread_path")),
            where=where,
            title=mended(record.get("title")),
            created=drafts[0].when if drafts else reading.moment(None),
            updated=drafts[-1].when if drafts else reading.moment(None),
            leaf=last_key(drafts),
            owner=owner,
        )
        return assemble(head, drafts, reading.tally)

    return convert


_KEYS = Keys(
    words="""participants title messages.sender_name messages.content messages.photos messages.videos
        messages.audio_files messages.files messages.gifs messages.sticker messages.share""",
    used="thread_path magic_words joinable_mode",
    omitted={
        "reactions": "messages.reactions",
        "pictures of the chat": "image",
        "the picture before a video": "messages.videos.thumbnail",
    },
    forms=(lambda text: mended(text) or "",),
)

MESSENGER = Format(
    id="messenger",
    version=2,
    title="Facebook Messenger download",
    reads="message_N.json, mended characters, files by name",
    absent="reactions; each file is a conversation of its own",
    evidence="field list only",
    keys=_KEYS,
    claims=claims_records(_is_messenger),
    read=read_records(_is_record, _converter("messenger")),
)
INSTAGRAM = Format(
    id="instagram",
    version=2,
    title="Instagram download",
    reads="as Messenger, without participants",
    absent="as Messenger",
    evidence="one file",
    keys=_KEYS,
    claims=claims_records(_is_instagram),
    read=read_records(_is_record, _converter("instagram")),
)
