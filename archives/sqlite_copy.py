"""A SQLite file of an archive, opened on a private copy: the original may be locked, live or hostile."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from archives.contract import Part, Reading
from schemas.errors import InputError

_BUSY_STEPS = 200_000_000
"""Virtual machine steps of one query: a crafted schema must not spin for ever."""


@contextmanager
def opened(part: Part, reading: Reading) -> Iterator[sqlite3.Connection | None]:
    """A connection to a copy of the part and of its write-ahead log, or None once the damage is reported."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "copy.db"
        try:
            _copy(part, path)
            for other in reading.others:
                # the log of a live database, or the journal of a transaction that was never ended
                if other.name in (f"{part.name}-wal", f"{part.name}-journal"):
                    _copy(other, path.with_name("copy.db" + other.name.removeprefix(part.name)))
        except InputError as error:
            reading.tally.lose(error.why or error.what, part.name)
            yield None
            return
        with closing(sqlite3.connect(path)) as connection:
            connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
            connection.set_progress_handler(_Steps().over, 1_000_000)
            try:
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            except sqlite3.DatabaseError as error:
                reading.tally.lose(f"the database is broken: {error}", part.name)
                yield None
                return
            yield connection


class _Steps:
    """Counts calls of the progress handler."""

    def __init__(self) -> None:
        self._calls = 0

    def over(self) -> int:
        self._calls += 1
        return int(self._calls * 1_000_000 > _BUSY_STEPS)


def _copy(part: Part, path: Path) -> None:
    with part.member.open() as stream, path.open("wb") as file:
        while block := stream.read(1 << 20):
            file.write(block)


def tables(connection: sqlite3.Connection) -> frozenset[str]:
    """Names of the real tables: a view may be a trap."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return frozenset(str(name) for (name,) in rows)
