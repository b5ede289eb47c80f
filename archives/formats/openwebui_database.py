"""Open WebUI's own database, `webui.db`: table `chat` keeps each chat's JSON, as an export would give it.

A server has users. Where several have chats, `--owner NAME` (a name or an e-mail of table `user`) says whose
words are the owner's; everybody else's are another person's, and without it nobody's are taken for the
owner's.

Facts: class `Chat` in `backend/open_webui/models/chats.py` of github.com/open-webui/open-webui; no file was
at hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from archives.contract import Part, Reading
from archives.formats.stored import stored_json
from archives.glimpse import Glimpse
from archives.shapes import identifier, string, whole
from archives.sqlite_copy import Database, opened
from schemas.conversation import Origin
from schemas.report import NoteKind

_TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?[\"`\[]?chat[\"`\]]?\s*\(")
_BESIDE = ("file", "memory", "note", "prompt")


class PromptAuthor(NamedTuple):
    """Who typed a chat's prompts."""

    name: str | None
    origin: Origin


def claims_database(seen: Glimpse) -> bool:
    """Whether the schema at the database's beginning has a table of chats that belong to users."""
    return _TABLE.search(seen.text) is not None and "user_id" in seen.text and "share_id" in seen.text


def chats_of(part: Part, reading: Reading) -> Iterator[tuple[dict[str, object], PromptAuthor | None, str]]:
    """Each chat as an export's record, who wrote it where that is in doubt, and where it stands."""
    with opened(part, reading) as database:
        if database is None:
            return
        held = database.tables({"chat", "user", *_BESIDE})
        if "chat" not in held:
            reading.tally.lose("the table of chats is missing", part.name)
            return
        writers = _writers(database, held, part, reading)
        for row in database.rows("SELECT * FROM chat ORDER BY rowid"):
            where = f"{part.name}, chat {row.get('id')}"
            chat = stored_json(row.get("chat"))
            if not isinstance(chat, dict) or not _has_messages(chat):
                raw = str(row.get("chat"))[:2_000]
                reading.reject(raw, "a chat without its tree of messages", where, alone=True)
                continue
            kept = ("id", "title", "created_at", "updated_at", "folder_id")
            record = {**{key: row.get(key) for key in kept}, "chat": chat}
            yield record, writers.get(identifier(row.get("user_id")) or ""), where
        _count_the_rest(database, held, part, reading)


def _has_messages(chat: dict[str, object]) -> bool:
    history = chat.get("history")
    return isinstance(history, dict) and isinstance(history.get("messages"), dict)


def _writers(
    database: Database, held: frozenset[str], part: Part, reading: Reading
) -> dict[str, PromptAuthor]:
    """By user, where more than one has chats; else none: an account of one's own is its owner's."""
    users = [identifier(row["user_id"]) or "" for row in database.rows("SELECT DISTINCT user_id FROM chat")]
    if len(users) < 2:
        return {}
    names: dict[str, tuple[str | None, str | None]] = {}
    if "user" in held:
        for row in database.rows("SELECT * FROM user"):
            names[identifier(row.get("id")) or ""] = (string(row.get("name")), string(row.get("email")))
    owner = reading.owner.casefold() if reading.owner else None
    if owner is None:
        reading.tally.note(
            NoteKind.UNKNOWN,
            "chats of several users: nobody's words are taken for the owner's",
            part.name,
            count=len(users),
            remedy="--owner NAME says which of them you are",
        )
    found = {}
    for user in users:
        told = names.get(user, (None, None))
        own = owner is not None and owner in [name.casefold() for name in told if name]
        found[user] = PromptAuthor(told[0] or told[1], Origin.TYPED if own else Origin.OTHER)
    return found


def _count_the_rest(database: Database, held: frozenset[str], part: Part, reading: Reading) -> None:
    for table in _BESIDE:
        if table in held:
            for row in database.rows(f"SELECT count(*) AS beside FROM {table}"):
                count = whole(row["beside"])
                if count:
                    reading.tally.note(
                        NoteKind.SKIPPED, f"a {table} beside the chats", part.name, count=count
                    )
