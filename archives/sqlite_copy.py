"""A SQLite file of an archive, opened on a private copy: the original may be locked, live or hostile."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from archives.contract import Part, Reading
from archives.sqlite_check import REMEDY, first_damage, missing_end
from archives.tally import Tally
from schemas.errors import InputError

_BUSY_STEPS = 200_000_000
"""Virtual machine steps of one reading: a crafted schema must not spin for ever. Half a million parts of
OpenCode's cost about a tenth."""

_BROKEN = (sqlite3.Error, UnicodeError)
"""Names of columns, messages of errors and ids that are looked up again need not be Unicode."""


class Database:
    """An open copy of a SQLite file, each of whose rows may be damaged."""

    def __init__(self, connection: sqlite3.Connection, name: str, tally: Tally) -> None:
        self._connection, self._name, self._tally = connection, name, tally

    def rows(self, sql: str, parameters: tuple[object, ...] = ()) -> Iterator[dict[str, object]]:
        """The rows of a query by column name. Damage ends them, and stands in the report; nothing raises."""
        try:
            with closing(self._connection.execute(sql, parameters)) as cursor:
                names = [column[0] for column in cursor.description]
                for row in cursor:
                    yield dict(zip(names, row, strict=True))
        except _BROKEN as error:
            self._tally.lose(f"the database is damaged: {error}", self._name, remedy=REMEDY)

    def tables(self) -> frozenset[str]:
        """Names of the real tables: a view may be a trap."""
        rows = self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        return frozenset(str(row["name"]) for row in rows)


@contextmanager
def opened(part: Part, reading: Reading) -> Iterator[Database | None]:
    """A copy of the part and of its write-ahead log, or None once the damage is reported.

    It is checked before anything is read. What is not whole is reported, and read as far as it goes.
    """
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
            yield Database(connection, part.name, reading.tally)


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
