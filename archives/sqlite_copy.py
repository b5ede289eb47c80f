"""A SQLite file of an archive, opened on a private copy: the original may be locked, live or hostile."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Set
from contextlib import closing, contextmanager
from pathlib import Path

from archives.contract import Part, Reading
from archives.record_bounds import RECORD_BYTES
from archives.sqlite_check import REMEDY, first_damage, missing_end
from archives.tally import Tally
from schemas.errors import InputError

_BUSY_STEPS = 200_000_000
"""Virtual machine steps of one reading: a crafted schema must not spin for ever. Half a million parts of
OpenCode's cost about a tenth."""

_LEAST_LENGTH = 1 << 20
_GIVEN_FACTOR, _GIVEN_FREE = 16, 1 << 26
"""Bytes that all rows may come to, for each byte of the database and besides. SQLite packs nothing, and a
reader asks for a row three times at the most; what gives more has many rows share the same bytes."""

_BROKEN = (sqlite3.Error, UnicodeError)
"""Names of columns, messages of errors and ids that are looked up again need not be Unicode."""


class _Row(dict[str, object]):
    """Values by column name. The schema may spell one in another case than the query does."""

    def __missing__(self, name: str) -> object:
        for own, value in self.items():
            if own.lower() == name.lower():
                return value
        raise KeyError(name)


class Database:
    """An open copy of a SQLite file, each of whose rows may be damaged."""

    def __init__(self, connection: sqlite3.Connection, name: str, tally: Tally, size: int) -> None:
        self._connection, self._name, self._tally = connection, name, tally
        self._room = _GIVEN_FACTOR * size + _GIVEN_FREE

    def rows(self, sql: str, parameters: tuple[object, ...] = ()) -> Iterator[dict[str, object]]:
        """The rows of a query by column name. Damage ends them, and stands in the report; nothing raises."""
        try:
            with closing(self._connection.execute(sql, parameters)) as cursor:
                names = [column[0] for column in cursor.description]
                for row in cursor:
                    self._room -= sum(len(value) for value in row if isinstance(value, str | bytes))
                    if self._room < 0:
                        self._tally.lose("the database gives far more than it holds", self._name)
                        return
                    yield _Row(zip(names, row, strict=True))
        except sqlite3.DataError:
            reason = "a row of the database is longer than the database, or than a record may be"
            self._tally.lose(reason, self._name)
        except _BROKEN as error:
            self._tally.lose(f"the database is damaged: {error}", self._name, remedy=REMEDY)

    def tables(self, wanted: Set[str]) -> frozenset[str]:
        """Which of the wanted tables are real ones. A view may be a trap, as may a virtual table (it has no
        page of its own) or a column that is computed when it is read: of a few bytes it makes gigabytes."""
        found = self.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
        held = {str(row["name"]) for row in found} & wanted
        computed = "SELECT count(*) AS columns FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3)"
        traps = {name for name in sorted(held) for row in self.rows(computed, (name,)) if row["columns"]}
        for name in sorted(traps):
            self._tally.lose("a table with columns that are computed is not read", f"{self._name}, {name}")
        return frozenset(held - traps)


@contextmanager
def opened(part: Part, reading: Reading) -> Iterator[Database | None]:
    """A copy of the part and of its write-ahead log, or None once the damage is reported.

    It is checked before anything is read. What is not whole is reported, and read as far as it goes.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "copy.db"
        try:
            size = _copy(part, path)
            for other in reading.others:
                # the log of a live database, or the journal of a transaction that was never ended
                if other.name in (f"{part.name}-wal", f"{part.name}-journal"):
                    size += _copy(other, path.with_name("copy.db" + other.name.removeprefix(part.name)))
        except InputError as error:
            reading.tally.lose(error.why or error.what, part.name)
            yield None
            return
        with closing(sqlite3.connect(path)) as connection:
            connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
            # SQLite packs nothing: no value is longer than the file that holds it
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(RECORD_BYTES, max(size, _LEAST_LENGTH)))
            connection.set_progress_handler(_Steps().over, 1_000_000)
            try:
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            except _BROKEN as error:
                damage = missing_end(path) or f"the database is damaged: {error}"
                reading.tally.lose(damage, part.name, remedy=REMEDY)
                yield None
                return
            # once opened: a journal beside it has been played back by now
            damage = missing_end(path) or first_damage(connection)
            if damage:
                reading.tally.lose(damage, part.name, remedy=REMEDY, cuts=True)
            connection.set_progress_handler(_Steps().over, 1_000_000)
            yield Database(connection, part.name, reading.tally, size)


class _Steps:
    """Counts calls of the progress handler."""

    def __init__(self) -> None:
        self._calls = 0

    def over(self) -> int:
        self._calls += 1
        return int(self._calls * 1_000_000 > _BUSY_STEPS)


def _copy(part: Part, path: Path) -> int:
    """Copy the part's bytes; returns how many."""
    with part.member.open() as stream, path.open("wb") as file:
        while block := stream.read(1 << 20):
            file.write(block)
        return file.tell()
