"""OpenCode's database, since 1.4: tables `session`, `message` and `part`; the last two keep JSON in `data`.

What the storage folder's records name themselves (id, session, times) stands in columns here.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing

from archives.contract import Part, Reading
from archives.glimpse import Glimpse
from archives.shapes import identifier, mapping
from archives.sqlite_copy import opened, tables

_TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?[\"`\[]?(session|message|part)\b")
_TABLES = frozenset({"session", "message", "part"})


def claims_database(seen: Glimpse) -> bool:
    """Whether the schema at the database's beginning has the three tables, parts belonging to messages."""
    return set(_TABLE.findall(seen.text)) >= _TABLES and "message_id" in seen.text


def sessions_of(
    part: Part, reading: Reading
) -> Iterator[tuple[dict[str, object], Iterator[tuple[dict[str, object], list[dict[str, object]], str]]]]:
    """Each session, in the shape of its record in the storage folder, with its messages and their parts."""
    with opened(part, reading) as connection:
        if connection is None:
            return
        connection.row_factory = sqlite3.Row
        try:
            if not tables(connection) >= _TABLES:
                reading.tally.lose("a table of sessions, messages or parts is missing", part.name)
                return
            yield from _sessions(connection, part.name, reading)
        except (sqlite3.DatabaseError, IndexError) as error:
            reading.tally.lose(f"the database is broken: {error}", part.name)


def _sessions(
    connection: sqlite3.Connection, name: str, reading: Reading
) -> Iterator[tuple[dict[str, object], Iterator[tuple[dict[str, object], list[dict[str, object]], str]]]]:
    told = []
    with closing(connection.execute("SELECT * FROM session ORDER BY rowid")) as rows:
        for row in rows:
            session = _record(row)
            native = identifier(session.get("id")) or ""
            told.append(native)
            yield session, _messages(connection, native, name, reading)
    left = connection.execute("SELECT DISTINCT session_id FROM message ORDER BY 1").fetchall()
    for (value,) in left:
        native = identifier(value) or ""
        if native not in told:
            reading.tally.hole("a session that its messages name is missing", f"{name}, session {native}")
            yield {"id": native}, _messages(connection, native, name, reading)
    query = "SELECT count(*) FROM part WHERE message_id NOT IN (SELECT id FROM message)"
    lost = int(connection.execute(query).fetchone()[0])
    if lost:
        reading.tally.records += lost
        reading.tally.skip("a part whose message is missing", name, records=lost)


def _messages(
    connection: sqlite3.Connection, session: str, name: str, reading: Reading
) -> Iterator[tuple[dict[str, object], list[dict[str, object]], str]]:
    query = "SELECT * FROM message WHERE session_id = ? ORDER BY rowid"
    with closing(connection.execute(query, (session,))) as rows:
        for row in rows:
            message = _record(row)
            native = identifier(row["id"]) or ""
            where = f"{name}, message {native}"
            if not message:
                reading.reject(str(row["data"])[:2_000], "a message that is no JSON object", where)
                continue
            found = connection.execute(
                "SELECT * FROM part WHERE message_id = ? ORDER BY id", (native,)
            ).fetchall()
            yield message, [part for part in map(_record, found) if part], where


def _record(row: sqlite3.Row) -> dict[str, object]:
    """The record as the storage folder would hold it; {} where `data` is no JSON object."""
    columns: Mapping[str, object] = {key: row[key] for key in row.keys()}  # noqa: SIM118 - a Row is no mapping
    held: dict[str, object] = {}
    if "data" in columns:
        value = columns["data"]
        text = value.decode(errors="surrogateescape") if isinstance(value, bytes) else value
        try:
            held = mapping(json.loads(text)) if isinstance(text, str) else {}
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
