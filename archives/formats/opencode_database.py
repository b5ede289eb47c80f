"""OpenCode's database, since 1.4: tables `session`, `message` and `part`; the last two keep JSON in `data`.

What the storage folder's records name themselves (id, session, times) stands in columns here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from archives.contract import Part, Reading
from archives.glimpse import Glimpse
from archives.record_bounds import bounded_json
from archives.shapes import identifier, mapping, whole
from archives.sqlite_copy import Database, opened

_TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?[\"`\[]?(session|message|part)\b")
_TABLES = frozenset({"session", "message", "part"})


def claims_database(seen: Glimpse) -> bool:
    """Whether the schema at the database's beginning has the three tables, parts belonging to messages."""
    return set(_TABLE.findall(seen.text)) >= _TABLES and "message_id" in seen.text


def sessions_of(
    part: Part, reading: Reading
) -> Iterator[tuple[dict[str, object], Iterator[tuple[dict[str, object], list[dict[str, object]], str]]]]:
    """Each session, in the shape of its record in the storage folder, with its messages and their parts."""
    with opened(part, reading) as database:
        if database is None:
            return
        if database.tables(_TABLES) >= _TABLES:
            yield from _sessions(database, part.name, reading)
        else:
            reading.tally.lose("a table of sessions, messages or parts is missing", part.name)


def _sessions(
    database: Database, name: str, reading: Reading
) -> Iterator[tuple[dict[str, object], Iterator[tuple[dict[str, object], list[dict[str, object]], str]]]]:
    told = []
    for row in database.rows("SELECT * FROM session ORDER BY rowid"):
        session = _record(row)
        reading.takes(session, f"{name}, session")
        native = identifier(session.get("id")) or ""
        told.append(native)
        yield session, _messages(database, native, name, reading)
    for row in list(database.rows("SELECT DISTINCT session_id FROM message ORDER BY 1")):
        native = identifier(row["session_id"]) or ""
        if native not in told:
            reading.tally.hole("a session that its messages name is missing", f"{name}, session {native}")
            yield {"id": native}, _messages(database, native, name, reading)
    query = "SELECT count(*) AS lost FROM part WHERE message_id NOT IN (SELECT id FROM message)"
    for row in database.rows(query):
        lost = whole(row["lost"])
        if lost:
            reading.tally.records += lost
            reading.tally.skip("a part whose message is missing", name, records=lost)


def _messages(
    database: Database, session: str, name: str, reading: Reading
) -> Iterator[tuple[dict[str, object], list[dict[str, object]], str]]:
    for row in database.rows("SELECT * FROM message WHERE session_id = ? ORDER BY rowid", (session,)):
        message = _record(row)
        native = identifier(row.get("id")) or ""
        where = f"{name}, message {native}"
        if not message:
            reading.reject(str(row.get("data"))[:2_000], "a message that is no JSON object", where)
            continue
        found = database.rows("SELECT * FROM part WHERE message_id = ? ORDER BY id", (native,))
        parts = [part for part in map(_record, found) if part]
        for record in (message, *parts):
            reading.takes(record, where)
        yield message, parts, where


def _record(columns: Mapping[str, object]) -> dict[str, object]:
    """The record as the storage folder would hold it; {} where `data` is no JSON object."""
    held: dict[str, object] = {}
    if "data" in columns:
        value = columns["data"]
        text = value.decode(errors="surrogateescape") if isinstance(value, bytes) else value
        try:
            held = mapping(bounded_json(text)) if isinstance(text, str) else {}
        except (ValueError, RecursionError):
            held = {}
        if not held:
            return {}
    time = mapping(held.get("time"))
    return {
        **held,
        "id": columns.get("id"),
        "title": columns.get("title", held.get("title")),
        "directory": columns.get("directory", held.get("directory")),
        "time": {
            "created": time.get("created") or columns.get("time_created"),
            "updated": time.get("updated") or columns.get("time_updated"),
        },
    }
