"""The durable memory of what was asked: responses by content hash, a record of every call, open batches.

SQLite with full synchronisation: an answer that was paid for and noted survives a crash. One connection is
used from the thread that opened it; several processes may open the same file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from inference.calls import Answer
from schemas.model_call import ModelCall

FILE = "models.sqlite"
_BUSY_SECONDS = 30.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS calls (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, at TEXT NOT NULL, service TEXT NOT NULL,
    model TEXT NOT NULL, prompt TEXT NOT NULL, mode TEXT NOT NULL, batch_id TEXT NOT NULL,
    outcome TEXT NOT NULL, temperature TEXT NOT NULL, input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL, cache_read_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL,
    usd REAL NOT NULL, seconds REAL NOT NULL, attempts INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key);
CREATE TABLE IF NOT EXISTS batches (
    number INTEGER PRIMARY KEY AUTOINCREMENT, service TEXT NOT NULL, batch_id TEXT, state TEXT NOT NULL,
    submitted_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS batch_calls (
    number INTEGER NOT NULL, key TEXT NOT NULL, prompt TEXT NOT NULL, PRIMARY KEY (number, key)
);
"""
_RECORD_FIELDS = tuple(name for name in ModelCall.model_fields if name != "seq")
_INSERT_CALL = (
    f"INSERT INTO calls ({', '.join(_RECORD_FIELDS)}) VALUES ({', '.join('?' * len(_RECORD_FIELDS))})"
)
_AT_ONCE = 500
"""Keys in one query: SQLite allows a bounded number of parameters."""


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """A batch whose results are not in the store yet."""

    number: int
    batch_id: str | None
    """None: the process ended between submitting it and noting the id."""
    submitted_at: datetime
    prompts: Mapping[str, str]
    """Prompt's name by key, for every question in it."""


class Store:
    """An open store. Close it, or use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(folder / FILE, timeout=_BUSY_SECONDS, isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.executescript(_SCHEMA)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    # answers and calls

    def answers(self, keys: Sequence[str]) -> dict[str, Answer]:
        """The stored answers by key, of those that there are."""
        found: dict[str, Answer] = {}
        for start in range(0, len(keys), _AT_ONCE):
            part = list(keys[start : start + _AT_ONCE])
            marks = ", ".join("?" * len(part))
            for row in self._connection.execute(
                f"SELECT key, answer FROM answers WHERE key IN ({marks})", part
            ):
                found[row["key"]] = Answer.model_validate_json(row["answer"])
        return found

    def keep(self, record: ModelCall, answer: Answer | None) -> None:
        """Note a call, with its answer if it has one; durable on return. `record.seq` is given anew."""
        values = record.model_dump(mode="json")
        with self._transaction():
            if answer is not None:
                self._connection.execute(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)",
                    [record.key, answer.model_dump_json(), record.at.isoformat()],
                )
            self._connection.execute(_INSERT_CALL, [values[name] for name in _RECORD_FIELDS])

    def forget(self, keys: Iterable[str]) -> None:
        """Drop answers, so that their questions are asked again; the record of the calls stays."""
        with self._transaction():
            self._connection.executemany("DELETE FROM answers WHERE key = ?", [(key,) for key in keys])

    def erase_answers(self) -> int:
        """Remove every answer, and its bytes from the file: answers quote. Returns how many.

        The record of the calls stays: it says what was paid, and quotes nothing.
        """
        self._connection.execute("PRAGMA secure_delete = ON")
        count = self._connection.execute("DELETE FROM answers").rowcount
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return count

    def calls_after(self, seq: int) -> list[ModelCall]:
        """The calls that follow `seq`, oldest first."""
        rows = self._connection.execute("SELECT * FROM calls WHERE seq > ? ORDER BY seq", [seq])
        return [ModelCall.model_validate(dict(row)) for row in rows]

    def last_outcome(self, key: str) -> str:
        """How the newest call for a key ended; "" where there was none."""
        row = self._connection.execute(
            "SELECT outcome FROM calls WHERE key = ? ORDER BY seq DESC LIMIT 1", [key]
        ).fetchone()
        return str(row["outcome"]) if row else ""

    # batches

    def open_batches(self, service: str | None = None) -> list[OpenBatch]:
        """Batches of a service, or of all, whose results are still to come, oldest first."""
        rows = self._connection.execute(
            "SELECT number, batch_id, submitted_at FROM batches WHERE service = coalesce(?, service) "
            "AND state = 'open' ORDER BY number",
            [service],
        ).fetchall()
        return [
            OpenBatch(
                row["number"],
                row["batch_id"],
                datetime.fromisoformat(row["submitted_at"]),
                {
                    one["key"]: one["prompt"]
                    for one in self._connection.execute(
                        "SELECT key, prompt FROM batch_calls WHERE number = ?", [row["number"]]
                    )
                },
            )
            for row in rows
        ]

    def begin_batch(self, service: str, prompts: Mapping[str, str]) -> OpenBatch:
        """Note what is about to be submitted (prompt's name by key); after a crash it is looked for."""
        now = datetime.now(UTC)
        with self._transaction():
            number = self._connection.execute(
                "INSERT INTO batches (service, batch_id, state, submitted_at) VALUES (?, NULL, 'open', ?)",
                [service, now.isoformat()],
            ).lastrowid
            self._connection.executemany(
                "INSERT INTO batch_calls VALUES (?, ?, ?)", [(number, *one) for one in prompts.items()]
            )
        return OpenBatch(int(number or 0), None, now, dict(prompts))

    def name_batch(self, number: int, batch_id: str | None) -> None:
        """Note the id that the service gave a batch; None where the id turned out to be another's."""
        self._connection.execute("UPDATE batches SET batch_id = ? WHERE number = ?", [batch_id, number])

    def close_batch(self, number: int) -> None:
        """Note that nothing more will come of a batch."""
        self._connection.execute("UPDATE batches SET state = 'closed' WHERE number = ?", [number])

    def batch_ids(self, service: str) -> set[str]:
        """Every batch id of a service that was ever noted."""
        rows = self._connection.execute(
            "SELECT batch_id FROM batches WHERE service = ? AND batch_id IS NOT NULL", [service]
        )
        return {str(row["batch_id"]) for row in rows}
