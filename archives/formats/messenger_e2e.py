"""Messenger's end-to-end encrypted chats, a download of their own: one `<Name>_<n>.json` a chat, media
beside.

Unlike the account's download it writes proper UTF-8 and camelCase, and names no owner: `--owner NAME` does.
Its order is the file's, oldest first; a file whose times run backwards is turned round.

Facts: the reader of github.com/timelinize/timelinize (a fork's `datasources/facebook/e2ee.go`), the types of
a public Rust program (`E2eExportRoot`), and samples among public tests; no file was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, assemble
from archives.formats.people import notice, owner_of, words_of
from archives.formats.rows import claims_records, last_key, message_rows, read_records
from archives.keys import Keys
from archives.shapes import mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation
from schemas.report import NoteKind

_NUMBER = re.compile(r"_\d{1,9}$")


def _is_message(value: object) -> bool:
    row = mapping(value)
    return "senderName" in row and "timestamp" in row


def _is_record(value: object) -> bool:
    record = mapping(value)
    rows = record.get("messages")
    if not isinstance(rows, list) or "threadName" not in record:
        return False
    return not rows or any(map(_is_message, rows[:5]))


def _conversation(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    owner = owner_of(reading)
    drafts: list[MessageDraft] = []
    reactions = 0
    for number, row in _oldest_first(list(message_rows(record.get("messages"), where, reading))):
        author = string(row.get("senderName"))
        draft = MessageDraft(
            f"#{number}", last_key(drafts), "user", None,
            author=author, when=reading.moment(row.get("timestamp")), kind=string(row.get("type")) or "",
        )  # fmt: skip
        words = string(row.get("text")) or ""
        said = row.get("type") != "placeholder" and row.get("isUnsent") is not True
        draft.pieces = words_of(author, words, owner) if said else notice(words)
        for file in objects(row.get("media")):
            uri = string(file.get("uri")) or "media"
            draft.attachments.append(Attachment(name=well_formed(uri)[0]))
        reactions += len(sequence(row.get("reactions")))
        drafts.append(draft)
    if reactions:
        reading.tally.note(NoteKind.SKIPPED, "a reaction", where, count=reactions)
    name = string(record.get("threadName"))
    head = Head(
        account=reading.account,
        provider="messenger",
        native_id=name,
        where=where,
        title=_NUMBER.sub("", name) if name else None,
        created=drafts[0].when if drafts else reading.moment(None),
        updated=drafts[-1].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
        owner=owner,
    )
    return assemble(head, drafts, reading.tally)


def _oldest_first(rows: list[tuple[int, dict[str, object]]]) -> list[tuple[int, dict[str, object]]]:
    times = [row.get("timestamp") for _, row in rows]
    first, last = (times[0], times[-1]) if times else (None, None)
    backwards = isinstance(first, int | float) and isinstance(last, int | float) and first > last
    return rows[::-1] if backwards else rows


_KEYS = Keys(
    words="threadName messages",
    used="messages.type",
    omitted={
        "who is in the chat, where each message names its author": "participants",
        "reactions, which are counted": "messages.reactions",
    },
)

FORMAT = Format(
    id="messenger_e2e",
    version=1,
    title="Messenger end-to-end encrypted chats",
    reads="a file a chat, media by name, what was unsent as a notice",
    absent="reactions (counted); the owner, which --owner names",
    evidence="the types of two public programs and samples in public tests; no file",
    keys=_KEYS,
    claims=claims_records(_is_record),
    read=read_records(_is_record, _conversation),
)
