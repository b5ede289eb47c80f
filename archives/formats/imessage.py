"""iMessage: macOS's and iOS's `chat.db` (`~/Library/Messages/chat.db`), a conversation a chat.

A message's text is in `text` or, since macOS 13, only in `attributedBody`, a NeXTSTEP typedstream whose first
string is the text. U+FFFC marks in it where an attachment stands and is left out. `is_from_me` says whose
words they are: no `--owner` is needed. Times count nanoseconds (seconds before macOS 10.13) from 2001.

Facts: `docs/tables/` and `imessage-database/src/tables/messages.rs` of github.com/ReagentX/imessage-exporter,
and its seven real typedstreams (`test_data/streamtyped/`); no user's database was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.people import notice
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from archives.shapes import identifier, string, whole
from archives.sqlite_copy import Database, opened
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin
from schemas.report import NoteKind

_TABLES = frozenset({"message", "chat", "handle", "chat_message_join"})
_FILES = frozenset({"attachment", "message_attachment_join"})
_WANTED = (
    "ROWID", "guid", "text", "attributedBody", "subject", "date", "is_from_me", "handle_id", "item_type",
    "group_title", "associated_message_type", "balloon_bundle_id", "date_edited",
)  # fmt: skip
_TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?[\"`\[]?(chat_message_join|handle)\b")
_EPOCH = 978_307_200
"""2001-01-01 in Unix seconds."""
_NANOSECONDS_FROM = 10**11
_REACTIONS = range(2000, 4000)
_PLACE = "\ufffc"
_CLASS, _STRING = b"NSString", b"\x84\x01+"
"""The class of the text, and what stands before its length: one value of type `+`."""
_SHORTEST_MARKED = 0x81
_LENGTHS = {0x81: 2, 0x82: 4}
"""Bytes of a typedstream's integer after its mark; a smaller one is its own byte."""


def text_of_typedstream(blob: bytes) -> str:
    """The first string of an archived NSAttributedString, "" where there is none. Reads nothing else."""
    at = blob.find(_STRING, blob.find(_CLASS) + 1)
    if _CLASS not in blob or at < 0:
        return ""
    at += len(_STRING)
    if at >= len(blob):
        return ""
    length = blob[at]
    at += 1
    if length >= _SHORTEST_MARKED:
        wide = _LENGTHS.get(length, 0)
        length = int.from_bytes(blob[at : at + wide], "little")
        at += wide
    return blob[at : at + length].decode(errors="replace")


def _claims(seen: Glimpse) -> bool:
    return seen.kind is Kind.SQLITE and set(_TABLE.findall(seen.text)) == {"chat_message_join", "handle"}


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        with opened(part, reading) as database:
            if database is None:
                continue
            held = database.tables(_TABLES | _FILES | {"chat_recoverable_message_join"})
            if held >= _TABLES:
                yield from _chats(database, held, part, reading)
            else:
                reading.tally.lose("a table of messages, chats or handles is missing", part.name)


def _chats(database: Database, held: frozenset[str], part: Part, reading: Reading) -> Iterator[Conversation]:
    told = {str(row["name"]) for row in database.rows("SELECT name FROM pragma_table_info('message')")}
    columns = ", ".join(f"m.{name}" for name in _WANTED if name == "ROWID" or name in told)
    people = {row["ROWID"]: string(row["id"]) for row in database.rows("SELECT ROWID, id FROM handle")}
    joined = "JOIN chat_message_join AS j ON j.message_id = m.ROWID WHERE j.chat_id = ?"
    query = f"SELECT {columns} FROM message AS m {joined} ORDER BY m.date, m.ROWID"
    for chat in list(database.rows("SELECT ROWID, * FROM chat ORDER BY ROWID")):
        where = f"{part.name}, chat {chat['ROWID']}"
        rows = database.rows(query, (chat["ROWID"],))
        yield _conversation(_Chat(database, held, people), chat, rows, where, reading)
    deleted = "0"
    if "chat_recoverable_message_join" in held:
        deleted = "m.ROWID IN (SELECT message_id FROM chat_recoverable_message_join)"
    outside = "m.ROWID NOT IN (SELECT message_id FROM chat_message_join)"
    for row in database.rows(f"SELECT count(*) AS lost FROM message AS m WHERE {outside} AND {deleted}"):
        lost = whole(row["lost"])
        if lost:
            reading.tally.records += lost
            reading.tally.skip("a message that its owner deleted", part.name, records=lost)
    rows = database.rows(
        f"SELECT {columns} FROM message AS m WHERE {outside} AND NOT ({deleted}) ORDER BY m.date, m.ROWID"
    )
    first = next(rows, None)
    if first is not None:
        reading.tally.hole("a message that no chat holds", part.name)
        chat = {"guid": "no-chat"}
        found = _one_more(first, rows)
        yield _conversation(
            _Chat(database, held, people), chat, found, f"{part.name}, messages of no chat", reading
        )


def _one_more(first: dict[str, object], rows: Iterator[dict[str, object]]) -> Iterator[dict[str, object]]:
    yield first
    yield from rows


class _Chat:
    """What a chat's messages refer to."""

    def __init__(self, database: Database, held: frozenset[str], people: Mapping[object, str | None]) -> None:
        self._database, self._has_files = database, held >= _FILES
        self.people = people

    def files(self, message: object) -> Iterator[Attachment]:
        """The attachments of a message, by name."""
        if not self._has_files:
            return
        query = (
            "SELECT a.* FROM message_attachment_join AS j JOIN attachment AS a ON a.ROWID = j.attachment_id "
            "WHERE j.message_id = ? ORDER BY a.ROWID"
        )
        for row in self._database.rows(query, (message,)):
            media_type = string(row.get("mime_type"))
            yield Attachment(
                name=well_formed(
                    string(row.get("transfer_name")) or string(row.get("filename")) or "unnamed"
                )[0],
                media_type=well_formed(media_type)[0] if media_type else None,
                size=whole(row.get("total_bytes")),
            )


def _conversation(
    chat: _Chat, about: Mapping[str, object], rows: Iterator[dict[str, object]], where: str, reading: Reading
) -> Conversation:
    owner = reading.owner or "me"
    drafts: list[MessageDraft] = []
    for row in rows:
        if (whole(row.get("associated_message_type")) or 0) in _REACTIONS:
            reading.tally.records += 1
            reading.tally.skip("a reaction", where)
            continue
        drafts.append(_draft(row, chat, owner, last_key(drafts), where, reading))
    head = Head(
        account=reading.account,
        provider="imessage",
        native_id=identifier(about.get("guid")),
        where=where,
        title=string(about.get("display_name")) or string(about.get("chat_identifier")),
        created=drafts[0].when if drafts else reading.moment(None),
        updated=drafts[-1].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
        owner=owner,
    )
    return assemble(head, drafts, reading.tally)


def _draft(
    row: Mapping[str, object], chat: _Chat, owner: str, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    number = row.get("ROWID")
    own = row.get("is_from_me") == 1
    author = owner if own else chat.people.get(row.get("handle_id"))
    draft = MessageDraft(
        f"#{number}", before, "user", identifier(row.get("guid")) or f"{number}",
        author=author, when=_when(row.get("date"), reading),
    )  # fmt: skip
    body = row.get("attributedBody")
    words = string(row.get("text")) or (text_of_typedstream(body) if isinstance(body, bytes) else "")
    place = f"{where}, message {number}"
    if isinstance(body, bytes) and body and not words:
        reading.tally.unknown("a message whose attributed text could not be read", place)
    words = words.replace(_PLACE, "").strip()
    if row.get("item_type") not in (None, 0):
        draft.pieces = notice(string(row.get("group_title")) or words)
        draft.empty_because = "a notice of who joined, left or renamed the chat"
    else:
        spoken = Origin.TYPED if own else Origin.OTHER
        draft.pieces = [Piece(string(row.get("subject")) or "", spoken), Piece(words, spoken)]
    draft.attachments.extend(chat.files(number))
    if row.get("balloon_bundle_id"):
        reading.tally.note(NoteKind.SKIPPED, "what an app put into its balloon", place)
    if row.get("date_edited"):
        reading.tally.note(NoteKind.SKIPPED, "an earlier wording of an edited message", place)
    return draft


def _when(date: object, reading: Reading) -> Moment:
    if isinstance(date, bool) or not isinstance(date, int | float) or not date:
        return reading.moment(None)
    seconds = date / 1e9 if abs(date) >= _NANOSECONDS_FROM else float(date)
    return reading.moment(round(seconds, 3) + _EPOCH)


_KEYS = Keys(
    words="message handle chat attachment",
)

FORMAT = Format(
    id="imessage",
    version=1,
    title="iMessage database",
    reads=(
        "chat.db: a conversation a chat, text of either kind, subjects, attachments by name, whose words "
        "they are"
    ),
    absent="reactions, deleted messages, earlier wordings and apps' balloons (all counted); replies' threads",
    evidence="7 real typedstreams; the tables from their description",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
