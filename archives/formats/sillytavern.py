"""SillyTavern chats: JSON Lines, a head (`user_name`, `character_name`) and then a line a message.

CAI Tools writes chats of Character.AI so too. `swipes` are versions of one answer: each is a message, and the
chosen one goes on. `is_system` hides a message from the model, whoever wrote it; `extra.type` says what the
program wrote. `send_date` is ISO 8601, a Unix time, or local: `June 19, 2023 2:20pm`,
`2023-6-19@14h20m30s123ms`.

Facts: `src/endpoints/chats.js` of github.com/SillyTavern/SillyTavern and the types of public extensions for
it; no user's file was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.rows import part_title
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from archives.shapes import mapping, objects, sequence, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_STAMP = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s?@\s?(\d{1,2})h\s?(\d{1,2})m\s?(\d{1,2})s(?:\s?(\d{1,3})ms)?"
)
_SPOKEN_DATE = "%B %d, %Y %I:%M%p"


def _is_head(value: object) -> bool:
    record = mapping(value)
    return "user_name" in record and "character_name" in record


def _is_message(value: object) -> bool:
    record = mapping(value)
    return "mes" in record and "is_user" in record


def _claims(seen: Glimpse) -> bool:
    if seen.kind not in (Kind.LINES, Kind.OBJECT):
        return False
    return any(
        _is_head(record) or (_is_message(record) and "name" in mapping(record)) for record in seen.records
    )


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, reading)


def _conversation(part: Part, reading: Reading) -> Conversation:
    head: Mapping[str, object] = {}
    drafts: list[MessageDraft] = []
    chosen: str | None = None
    for where, value in reading.lines(part):
        if isinstance(value, dict) and _is_message(value):
            versions = _versions(value, len(drafts), chosen, reading)
            drafts.extend(versions)
            chosen = versions[0].key
        elif isinstance(value, dict) and _is_head(value) and not head:
            head = value
        else:
            reading.reject(value, "a line that is no message", where)
    created = _when(head.get("create_date"), reading)
    about = Head(
        account=reading.account,
        provider="sillytavern",
        native_id=part_title(part) if created.given else None,
        where=part.name,
        title=string(head.get("character_name")),
        created=created if created.given or not drafts else drafts[0].when,
        updated=drafts[-1].when if drafts else reading.moment(None),
        leaf=chosen,
        owner=string(head.get("user_name")),
    )
    return assemble(about, drafts, reading.tally)


def _versions(
    row: Mapping[str, object], number: int, before: str | None, reading: Reading
) -> list[MessageDraft]:
    """The message as the chat shows it, then its other versions, all answering the same message."""
    own = row.get("is_user") is True
    extra = mapping(row.get("extra"))
    kind = string(extra.get("type"))
    role, spoken = ("user", Origin.TYPED) if own else ("assistant", Origin.ASSISTANT)
    if not own and kind:
        role, spoken = "system", Origin.RUNTIME_CONTEXT
    shown = MessageDraft(
        f"#{number}", before, role, None,
        author=string(row.get("name")), when=_when(row.get("send_date"), reading),
        hidden=row.get("is_system") is True, kind=kind or "",
    )  # fmt: skip
    shown.pieces.append(Piece(string(extra.get("reasoning")) or "", Origin.REASONING))
    shown.pieces.append(Piece(_words(row.get("mes")), spoken))
    shown.attachments.extend(Attachment(name=well_formed(name)[0]) for name in _files(extra))
    others = []
    for place, swipe in enumerate(sequence(row.get("swipes"))):
        words = _words(swipe)
        if place != (whole(row.get("swipe_id")) or 0) and words and words != _words(row.get("mes")):
            other = MessageDraft(
                f"#{number}~{place}",
                before,
                role,
                None,
                author=shown.author,
                when=shown.when,
                hidden=shown.hidden,
            )
            other.pieces.append(Piece(words, spoken))
            others.append(other)
    return [shown, *others]


def _words(value: object) -> str:
    """A text; Chub writes an object around it."""
    return string(value) or string(mapping(value).get("message")) or ""


def _files(extra: Mapping[str, object]) -> Iterator[str]:
    for value in (extra.get("image"), extra.get("video"), mapping(extra.get("file")).get("name")):
        if name := string(value):
            yield name
    for media in objects(extra.get("media")):
        yield string(media.get("url")) or string(media.get("title")) or "media"


def _when(value: object, reading: Reading) -> Moment:
    """A time in any of SillyTavern's forms; the last two name no zone."""
    text = string(value)
    if text is None:
        return reading.moment(value)
    local = ""
    if (stamp := _STAMP.fullmatch(text.strip())) is not None:
        parts = [int(part or 0) for part in stamp.groups()]
        local = "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}".format(*parts)
    else:
        try:
            local = datetime.strptime(text.strip().upper(), _SPOKEN_DATE).isoformat()
        except ValueError:
            return reading.moment(value)
    return reading.moment(local)._replace(given=text)


_KEYS = Keys(
    words="user_name character_name name mes swipes extra.reasoning extra.image extra.media extra.file",
    used="create_date send_date extra.type is_user swipe_id",
    omitted={
        "settings of the chat": "chat_metadata",
        "times and counts of versions": "swipe_info",
        "how an answer was made": "gen_started gen_finished extra.token_count extra.api extra.model",
        "addresses of files": "extra.file.url",
        "how a message is shown": "force_avatar original_avatar is_group title variables",
    },
)

FORMAT = Format(
    id="sillytavern",
    version=1,
    title="SillyTavern chat",
    reads="chat JSON Lines of SillyTavern and of CAI Tools; versions of answers, reasoning, files by name",
    absent="characters' descriptions; the zone of old times",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
    local_times=True,
)
