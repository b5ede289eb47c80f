"""The journal: the owner's acts, durable the moment they happen, folded into the next generation.

SQLite in WAL mode with full synchronisation: many processes may append and read at once, and an act that was
acknowledged survives a power cut.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from uuid import uuid4

from schemas.base import Instant, Noun
from schemas.unit import State

BUSY_SECONDS = 30.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS acts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    unit_id TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL
)
"""


class ActKind(StrEnum):
    """What the owner did with a unit."""

    KEEP = "keep"
    DISCARD = "discard"


STATE_AFTER = {ActKind.KEEP: State.KEPT, ActKind.DISCARD: State.DISCARDED}


class Act(Noun):
    """One act of the owner. `seq` orders the acts of a vault and is never reused."""

    seq: int
    id: str
    kind: ActKind
    unit_id: str
    actor: str
    reason: str
    at: Instant


class Journal:
    """An open journal. Close it, or use it as a context manager."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(_SCHEMA)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def append(self, kind: ActKind, units: Iterable[str], *, actor: str = "user", reason: str = "") -> int:
        """Record one act for each unit, all or none; returns the last `seq`. Durable on return."""
        at = datetime.now(UTC).isoformat()
        rows = [(str(uuid4()), kind.value, unit, actor, reason, at) for unit in units]
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany(
            "INSERT INTO acts (id, kind, unit_id, actor, reason, at) VALUES (?, ?, ?, ?, ?, ?)", rows
        )
        self._connection.execute("COMMIT")
        return self.last_seq()

    def last_seq(self) -> int:
        """The newest act's number; 0 when there is none."""
        (seq,) = self._connection.execute("SELECT coalesce(max(seq), 0) FROM acts").fetchone()
        return int(seq)

    def after(self, seq: int) -> list[Act]:
        """The acts that follow `seq`, oldest first."""
        found = self._connection.execute(
            "SELECT seq, id, kind, unit_id, actor, reason, at FROM acts WHERE seq > ? ORDER BY seq", [seq]
        )
        names = ("seq", "id", "kind", "unit_id", "actor", "reason", "at")
        return [Act.model_validate(dict(zip(names, row, strict=True))) for row in found]


def states_after(acts: Iterable[Act]) -> dict[str, State]:
    """The state that each unit has once the acts are applied in order."""
    return {act.unit_id: STATE_AFTER[act.kind] for act in acts}
