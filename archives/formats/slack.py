"""Slack workspace exports: `<channel>/YYYY-MM-DD.json` with `users.json` and `channels.json`."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.people import notice, owner_of, words_of
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_MENTION = re.compile(r"<@([A-Z0-9]{1,20})(?:\|[^<>]{0,80})?>")
_SPOKEN = frozenset({"", "thread_broadcast", "file_share", "file_comment", "me_message", "reply_broadcast"})
"""Message subtypes that hold a person's words."""


def _is_event(value: object) -> bool:
    row = mapping(value)
    return "ts" in row and row.get("type") == "message"


def _claims(seen: Glimpse) -> bool:
    return seen.kind is Kind.LIST and any(map(_is_event, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    names = _names(reading.others)
    channels = _channels(reading.others)
    folders: dict[str, list[Part]] = {}
    for part in reading.parts:
        folders.setdefault(str(PurePosixPath(part.name).parent), []).append(part)
    for folder, parts in folders.items():
        yield _conversation(PurePosixPath(folder).name, parts, names, channels, reading)


def _names(others: tuple[Part, ...]) -> dict[str, str]:
    """User id to name, from the file whose entries have a profile."""
    names: dict[str, str] = {}
    for part in others:
        if part.glimpse.kind is Kind.LIST and any("profile" in row for row in part.glimpse.objects()):
            for row in _all_rows(part):
                native = identifier(row.get("id"))
                name = string(row.get("real_name")) or string(row.get("name"))
                if native and name:
                    names[native] = name
    return names


def _channels(others: tuple[Part, ...]) -> dict[str, str]:
    """Channel name to id."""
    channels: dict[str, str] = {}
    for part in others:
        if part.glimpse.kind is Kind.LIST and any("members" in row for row in part.glimpse.objects()):
            for row in _all_rows(part):
                name, native = string(row.get("name")), identifier(row.get("id"))
                if name and native:
                    channels[name] = native
    return channels


def _all_rows(part: Part) -> Iterator[dict[str, object]]:
    """Every entry of a side file; what is wrong with it does not touch the conversations' account."""
    return (row for row in part.whole() if isinstance(row, dict))


def _conversation(
    folder: str, parts: list[Part], names: Mapping[str, str], channels: Mapping[str, str], reading: Reading
) -> Conversation:
    owner = owner_of(reading)
    drafts: list[MessageDraft] = []
    for part in sorted(parts, key=lambda part: part.name):
        for where, value in reading.records(part, plausible=_is_event):
            if not isinstance(value, dict) or "ts" not in value:
                reading.reject(value, "an event without a time", where)
                continue
            drafts.append(_message(value, f"#{len(drafts)}", last_key(drafts), names, owner, reading))
    head = Head(
        account=reading.account,
        provider="slack",
        native_id=channels.get(folder, folder),
        where=parts[0].name,
        title=folder,
        created=drafts[0].when if drafts else reading.moment(None),
        updated=drafts[-1].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
        owner=owner,
    )
    return assemble(head, drafts, reading.tally)


def _message(
    row: Mapping[str, object],
    key: str,
    before: str | None,
    names: Mapping[str, str],
    owner: str | None,
    reading: Reading,
) -> MessageDraft:
    kind = string(row.get("subtype")) or ""
    user = identifier(row.get("user")) or identifier(mapping(row.get("comment")).get("user"))
    author = names.get(user, user) if user else string(row.get("username"))
    draft = MessageDraft(
        key,
        before,
        "user" if kind in _SPOKEN else kind,
        identifier(row.get("ts")),
        author=author,
        when=reading.moment(row.get("ts")),
        empty_because=f"an event without words ({kind or 'message'})",
    )
    text = _MENTION.sub(lambda found: "@" + names.get(found[1], found[1]), string(row.get("text")) or "")
    text = html.unescape(text) or _block_text(row.get("blocks"))
    draft.pieces = words_of(author, text, owner) if kind in _SPOKEN else notice(text)
    for beside in objects(row.get("attachments")):
        label = string(beside.get("service_name")) or string(beside.get("author_name")) or "attachment"
        draft.pieces.append(Piece(_attached_text(beside), Origin.ATTACHED, label))
    for file in (*objects(row.get("files")), *objects([row.get("file")])):
        name = string(file.get("name")) or string(file.get("title")) or "unnamed"
        media_type = string(file.get("mimetype"))
        draft.attachments.append(
            Attachment(
                name=well_formed(name)[0],
                media_type=well_formed(media_type)[0] if media_type else None,
                size=whole(file.get("size")),
            )
        )
    return draft


def _attached_text(beside: Mapping[str, object]) -> str:
    """What a bot posts, or a preview of a link shows: it is nobody's typed words."""
    told = [
        string(beside.get(key))
        for key in ("pretext", "author_name", "title", "title_link", "from_url", "text")
    ]
    told += [
        ": ".join(filter(None, (string(one.get("title")), string(one.get("value")))))
        for one in objects(beside.get("fields"))
    ]
    told += [_block_text(beside.get("blocks")), string(beside.get("footer"))]
    words = "\n".join(dict.fromkeys(filter(None, told)))
    return html.unescape(words or string(beside.get("fallback")) or "")


def _block_text(blocks: object) -> str:
    """The words of Slack's blocks: sections and contexts a line each, a rich text's runs in one."""
    lines = []
    for block in objects(blocks):
        parts: list[str] = []
        waiting = [block]
        while waiting:
            one = waiting.pop()
            text = one.get("text")
            words = string(text) or string(mapping(text).get("text")) or string(one.get("url"))
            parts.extend(filter(None, (words,)))
            held = (one.get("title"), *sequence(one.get("fields")), *sequence(one.get("elements")))
            waiting.extend(reversed([mapping(inner) for inner in held if isinstance(inner, dict)]))
        lines.append(("" if block.get("type") == "rich_text" else "\n").join(parts))
    return "\n".join(filter(None, lines))


_KEYS = Keys(
    words="text attachments blocks files file",
    used="""username subtype inviter comment.user edited file.mode file.filetype files.mode files.filetype
        attachments.mrkdwn_in **.subtype **.style file.user files.user channel user team bot_id""",
    omitted={
        "reactions": "reactions",
        "addresses of files and pictures": """attachments.thumb_url attachments.image_url
            attachments.author_icon attachments.author_link attachments.service_icon attachments.service_url
            attachments.footer_icon attachments.video_html attachments.original_url
            file.permalink file.permalink_public file.url_private file.url_private_download file.edit_link
            files.permalink files.permalink_public files.url_private files.url_private_download
            files.edit_link
            files.thumb_64 files.thumb_80 files.thumb_160 files.thumb_360 files.thumb_480 icons""",
        "a file's own words beyond its preview": "file.preview_highlight files.preview_highlight",
        "how a file's kind is called": "file.pretty_type files.pretty_type",
        "the same words in short": "attachments.fallback",
        "names of the people beside the message": "user_profile",
        "colours": "attachments.color",
    },
    forms=(lambda text: html.unescape(_MENTION.sub("\n", text)),),
)

FORMAT = Format(
    id="slack",
    version=2,
    title="Slack export",
    reads="workspace zip or folder, a conversation a channel, names resolved, files by name",
    absent="threads (kept in the channel's order); reactions",
    evidence="one real export",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
