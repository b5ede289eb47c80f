"""The log of deep searches: how often recall looked further, what that brought, and what it teaches.

An SQLite file beside the journal, in WAL mode. It has no word of what was asked or found: the kind of the
question, numbers, and, of a hit, the ids of two points with how far their parts of relevance lie apart. It is
safe to lose: thresholds and scorer begin anew. All of it is deleted when something is forgotten. Backups
leave it out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from schemas.base import Instant, Noun
from schemas.errors import IntegrityError
from schemas.write_ahead import log_ahead
from vault.full_disk import with_room
from vault.journal import BUSY_SECONDS
from vault.layout import VaultLayout
from vault.readonly import readable, require_writable

SESSION_LASTS = timedelta(hours=24)
"""After so long a session's deep searches count no more."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS searches (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, account TEXT NOT NULL, session TEXT NOT NULL,
    kind TEXT NOT NULL, confidence REAL NOT NULL, pool INTEGER NOT NULL, judge TEXT NOT NULL,
    milliseconds REAL NOT NULL, outcome TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS lessons (
    search INTEGER NOT NULL, negative TEXT NOT NULL, positive TEXT NOT NULL, meaning REAL NOT NULL,
    words REAL NOT NULL, home_meaning REAL NOT NULL, home_words REAL NOT NULL
);
"""


class DeepOutcome(StrEnum):
    """What came of a deep search."""

    HIT = "hit"
    """Whoever compared put a note that recall did not have above all that it had."""
    MISS = "miss"
    TIMED_OUT = "timed out"
    UNJUDGED = "unjudged"
    """Nobody compared: the order is that of relevance."""


class LoggedSearch(Noun):
    """A deep search as it was logged."""

    at: Instant
    account: str
    session: str = ""
    """Empty where it was of no named session."""
    kind: str
    """What kind of question asked (`retrieval.deep.learning`)."""
    confidence: float
    pool: int
    judge: str
    milliseconds: float
    outcome: DeepOutcome


@dataclass(frozen=True, slots=True)
class RelevanceLesson:
    """A hit as the scorer learns from it: ids of two points, and by how much the second has more of each of
    the four parts of relevance."""

    negative: str
    positive: str
    more: tuple[float, float, float, float]
    """Of meaning, words, home_meaning, home_words; -1 to 1 each."""


@dataclass(frozen=True, slots=True)
class DeepLog:
    """The log of a vault; any number of threads and processes may ask at once."""

    layout: VaultLayout

    def add(self, search: LoggedSearch, lessons: Sequence[RelevanceLesson]) -> None:
        """Log a search with what it teaches. Raises VaultReadOnly, IntegrityError, DiskFull."""
        require_writable(self.layout.root)
        row = search.model_dump(mode="json")
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            values = ", ".join(f":{name}" for name in row)
            number = connection.execute(
                f"INSERT INTO searches ({', '.join(row)}) VALUES ({values})", row
            ).lastrowid
            connection.executemany(
                "INSERT INTO lessons VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(number, one.negative, one.positive, *one.more) for one in lessons],
            )
            connection.execute("COMMIT")

    def searches(self, account: str | None = None) -> list[LoggedSearch]:
        """The searches of an account, or of all, in the order in which they were made."""
        found = self._rows(
            """SELECT at, account, session, kind, confidence, pool, judge, milliseconds, outcome
               FROM searches WHERE ? IS NULL OR account = ? ORDER BY number""",
            [account, account],
        )
        return [
            LoggedSearch(
                at=datetime.fromisoformat(at),
                account=whose,
                session=session,
                kind=kind,
                confidence=confidence,
                pool=pool,
                judge=judge,
                milliseconds=milliseconds,
                outcome=DeepOutcome(outcome),
            )
            for at, whose, session, kind, confidence, pool, judge, milliseconds, outcome in found
        ]

    def made_in(self, account: str, session: str, now: datetime) -> int:
        """How many the session has made within SESSION_LASTS."""
        since = now - SESSION_LASTS
        return sum(one.session == session and one.at >= since for one in self.searches(account))

    def lessons(self) -> list[list[RelevanceLesson]]:
        """What the hits teach, one list a search, in the order in which they were made."""
        found = self._rows(
            """SELECT search, negative, positive, meaning, words, home_meaning, home_words FROM lessons
               ORDER BY search, rowid""",
            [],
        )
        by_search: dict[int, list[RelevanceLesson]] = {}
        for search, negative, positive, *more in found:
            lesson = RelevanceLesson(negative, positive, (more[0], more[1], more[2], more[3]))
            by_search.setdefault(search, []).append(lesson)
        return list(by_search.values())

    def _rows(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        if not self.layout.deep_log.exists():
            return []
        with self._opened() as connection:
            return connection.execute(sql, values).fetchall()

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        path = self.layout.deep_log
        with with_room(path), readable(path) as file:
            try:
                with closing(sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
                    log_ahead(connection, BUSY_SECONDS)
                    connection.execute("PRAGMA secure_delete = ON")
                    connection.executescript(_SCHEMA)
                    yield connection
            except sqlite3.DatabaseError as error:
                if type(error) is not sqlite3.DatabaseError:
                    raise
                raise IntegrityError(
                    "the log of deep searches is damaged",
                    where=str(path),
                    why=str(error),
                    remedy="Delete it: thresholds and scorer begin anew, and nothing else is lost",
                ) from error


def drop_deep_log(layout: VaultLayout) -> None:
    """Delete the log: its ids may be of what is to be forgotten."""
    for path in layout.root.glob(f"{layout.deep_log.name}*"):
        path.unlink()
