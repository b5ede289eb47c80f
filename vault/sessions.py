"""Sessions of recall: what was asked in each and what it was given, so that nothing is given twice.

An SQLite file beside the journal, in WAL mode with full synchronisation: a session outlives the process that
began it, and several processes may go on with one. It is safe to lose: the sessions that are under way then
begin anew. A session that nobody went on with for LASTS is deleted, and so are all when something is
forgotten, for what was asked is the owner's own words. Backups leave the file out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from schemas.base import Instant, Noun
from schemas.errors import IntegrityError, UsageError
from schemas.write_ahead import log_ahead
from vault.full_disk import with_room
from vault.journal import BUSY_SECONDS
from vault.layout import VaultLayout
from vault.points import PointKind
from vault.readonly import readable, require_writable

LASTS = timedelta(hours=24)
"""After its last call, so long a session can be gone on with."""

LONGEST_ID = 100

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    account TEXT NOT NULL, id TEXT NOT NULL, budget INTEGER NOT NULL, most_calls INTEGER NOT NULL,
    began TEXT NOT NULL, used TEXT NOT NULL, refused INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (account, id)
);
CREATE TABLE IF NOT EXISTS calls (
    account TEXT NOT NULL, session TEXT NOT NULL, number INTEGER NOT NULL, need TEXT NOT NULL,
    why TEXT NOT NULL, at TEXT NOT NULL, tokens INTEGER NOT NULL, confidence REAL NOT NULL,
    PRIMARY KEY (account, session, number)
);
CREATE TABLE IF NOT EXISTS given (
    account TEXT NOT NULL, session TEXT NOT NULL, number INTEGER NOT NULL, place INTEGER NOT NULL,
    kind TEXT NOT NULL, ref TEXT NOT NULL, shown INTEGER, PRIMARY KEY (account, session, number, place)
);
"""


class GivenNote(Noun):
    """A note that a session was handed."""

    kind: PointKind
    ref: str
    shown: int | None = None
    """Characters of its text that were handed over; None: all of it."""


class SessionCall(Noun):
    """A recall in a session: what was asked, and what was given."""

    number: int
    """From 1 on."""
    need: str
    why: str = ""
    """Why whoever asked needed it, if it said so."""
    at: Instant
    tokens: int
    """What the package took of the session's budget, estimated."""
    confidence: float
    given: tuple[GivenNote, ...] = ()


class SessionRecord(Noun):
    """A session as it stands."""

    account: str
    id: str
    budget: int
    """Tokens that its packages may take together."""
    most_calls: int
    began: Instant
    used: Instant
    """When it was last gone on with."""
    refused: int = 0
    """Calls that came after its last one, or after its budget was spent: nothing was looked for."""
    calls: tuple[SessionCall, ...] = ()

    @property
    def tokens_left(self) -> int:
        """What is left of its budget."""
        return max(self.budget - sum(one.tokens for one in self.calls), 0)

    @property
    def calls_left(self) -> int:
        """How many more calls it may make."""
        return max(self.most_calls - len(self.calls), 0)

    @property
    def given(self) -> tuple[GivenNote, ...]:
        """Everything that it was handed, in order."""
        return tuple(note for call in self.calls for note in call.given)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of a vault; any number of threads and processes may ask at once."""

    layout: VaultLayout
    clock: Callable[[], datetime] = _now

    def begun(self, account: str, named: str, budget: int, most_calls: int) -> SessionRecord:
        """The session of that name; begun with these bounds where there is none, or it expired.

        Raises UsageError for a name that is none, VaultReadOnly where the vault may only be read.
        """
        require_name(named)
        with self._writing() as connection:
            at = self.clock().isoformat()
            connection.execute(
                "INSERT INTO sessions (account, id, budget, most_calls, began, used)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [account, named, budget, most_calls, at, at],
            )
            (found,) = _read(connection, "WHERE account = ? AND id = ?", [account, named])
        return found

    def named(self, account: str, named: str) -> SessionRecord | None:
        """The session of that name; None where there is none that can be gone on with."""
        return next((one for one in self.of(account) if one.id == named), None)

    def of(self, account: str) -> list[SessionRecord]:
        """The sessions of an account that can be gone on with, those used last first."""
        if not self.layout.sessions.exists():
            return []
        with self._opened() as connection:
            oldest = (self.clock() - LASTS).isoformat()
            return _read(
                connection, "WHERE account = ? AND used >= ? ORDER BY used DESC, id", [account, oldest]
            )

    def record(self, session: SessionRecord, call: SessionCall) -> bool:
        """Add a call to the session, durably. False, and nothing recorded, where another process made a call
        since `session` was read: what it was given is then not known here."""
        of_call = [session.account, session.id, call.number]
        with self._writing() as connection:
            (there,) = connection.execute(
                "SELECT count(*) FROM calls WHERE account = ? AND session = ?", of_call[:2]
            ).fetchone()
            known = connection.execute(
                "UPDATE sessions SET used = ? WHERE account = ? AND id = ?",
                [call.at.isoformat(), *of_call[:2]],
            ).rowcount
            if there != len(session.calls) or not known:
                connection.execute("ROLLBACK")
                return False
            connection.execute(
                "INSERT INTO calls (account, session, number, need, why, at, tokens, confidence)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [*of_call, call.need, call.why, call.at.isoformat(), call.tokens, call.confidence],
            )
            connection.executemany(
                "INSERT INTO given (account, session, number, place, kind, ref, shown)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(*of_call, at, one.kind.value, one.ref, one.shown) for at, one in enumerate(call.given)],
            )
        return True

    def refuse(self, session: SessionRecord) -> None:
        """Count a call that was not answered."""
        with self._writing() as connection:
            connection.execute(
                "UPDATE sessions SET refused = refused + 1 WHERE account = ? AND id = ?",
                [session.account, session.id],
            )

    def end(self, account: str, named: str) -> bool:
        """Delete a session with its log; False where there is none."""
        if not self.layout.sessions.exists():
            return False
        with self._writing() as connection:
            gone = connection.execute(
                "DELETE FROM sessions WHERE account = ? AND id = ?", [account, named]
            ).rowcount
            _drop_orphans(connection)
        return bool(gone)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, after what expired was deleted; undone where it raises."""
        require_writable(self.layout.root)
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            gone = connection.execute(
                "DELETE FROM sessions WHERE used < ?", [(self.clock() - LASTS).isoformat()]
            )
            if gone.rowcount:
                _drop_orphans(connection)
            yield connection
            if connection.in_transaction:
                connection.execute("COMMIT")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        path = self.layout.sessions
        with (
            with_room(path),
            _as_sessions(path),
            readable(path) as file,
            closing(sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)) as connection,
        ):
            log_ahead(connection, BUSY_SECONDS)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            connection.executescript(_SCHEMA)
            yield connection


def require_name(named: str) -> None:
    """Raises UsageError for what cannot be a session's name."""
    if not named.strip() or len(named) > LONGEST_ID or not named.isprintable():
        raise UsageError(
            "that is no name for a session",
            why=f"a name has 1 to {LONGEST_ID} printable characters",
            remedy="Name it as you like, such as `chat-42`",
        )


def drop_sessions(layout: VaultLayout) -> None:
    """Delete every session of the vault: what was asked may tell what is to be forgotten."""
    if not layout.sessions.exists():
        return
    try:
        with Sessions(layout)._opened() as connection:
            connection.executescript("DELETE FROM given; DELETE FROM calls; DELETE FROM sessions;")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except IntegrityError:
        layout.sessions.unlink()  # nobody can read it, and its bytes may still tell


@contextmanager
def _as_sessions(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if type(error) is not sqlite3.DatabaseError:
            raise
        raise IntegrityError(
            "the file of sessions is damaged",
            where=str(path),
            why=str(error),
            remedy="Delete it: sessions that are under way begin anew, and nothing else is lost",
        ) from error


def _drop_orphans(connection: sqlite3.Connection) -> None:
    for table in ("calls", "given"):
        connection.execute(
            f"DELETE FROM {table} WHERE NOT EXISTS"
            f" (SELECT 1 FROM sessions s WHERE s.account = {table}.account AND s.id = {table}.session)"
        )


def _read(connection: sqlite3.Connection, which: str, values: Sequence[object]) -> list[SessionRecord]:
    found = connection.execute(
        f"SELECT account, id, budget, most_calls, began, used, refused FROM sessions {which}", values
    ).fetchall()
    return [
        SessionRecord(
            account=account,
            id=named,
            budget=budget,
            most_calls=most,
            began=datetime.fromisoformat(began),
            used=datetime.fromisoformat(used),
            refused=refused,
            calls=tuple(_calls(connection, account, named)),
        )
        for account, named, budget, most, began, used, refused in found
    ]


def _calls(connection: sqlite3.Connection, account: str, named: str) -> Iterator[SessionCall]:
    given: dict[int, list[GivenNote]] = {}
    for number, kind, ref, shown in connection.execute(
        "SELECT number, kind, ref, shown FROM given WHERE account = ? AND session = ? ORDER BY number, place",
        [account, named],
    ):
        given.setdefault(number, []).append(GivenNote(kind=PointKind(kind), ref=ref, shown=shown))
    for number, need, why, at, tokens, confidence in connection.execute(
        "SELECT number, need, why, at, tokens, confidence FROM calls WHERE account = ? AND session = ?"
        " ORDER BY number",
        [account, named],
    ):
        yield SessionCall(
            number=number,
            need=need,
            why=why,
            at=datetime.fromisoformat(at),
            tokens=tokens,
            confidence=confidence,
            given=tuple(given.get(number, ())),
        )
