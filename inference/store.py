"""The durable memory of what was asked: responses by content hash, a record of every call, open batches.

SQLite with full synchronisation: an answer that was paid for and noted survives a crash. One connection is
used from the thread that opened it; several processes may open the same file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from inference.calls import StoredResponse
from schemas.base import Noun, sha256_text
from schemas.model_call import ModelCall
from schemas.write_ahead import log_ahead

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
CREATE TABLE IF NOT EXISTS sums (name TEXT PRIMARY KEY, sum TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS packs (
    key TEXT PRIMARY KEY, most_usd REAL NOT NULL, members TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS batch_calls (
    number INTEGER NOT NULL, key TEXT NOT NULL, prompt TEXT NOT NULL, PRIMARY KEY (number, key)
);
"""
_RECORD_FIELDS = tuple(name for name in ModelCall.model_fields if name != "seq")
_INSERT_CALL = (
    f"INSERT INTO calls ({', '.join(_RECORD_FIELDS)}) VALUES ({', '.join('?' * len(_RECORD_FIELDS))})"
)
_ANSWER, _CALL = "'answer ' || a.key", "'call ' || a.seq"
"""Under which names the sums of rows `a` are noted; rows of version 0.1 have none."""
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


class PackedMember(Noun):
    """A question that travels with others in one request."""

    key: str
    prompt: str
    mark: str
    """What its text and its answer are marked with in the request."""
    text_tokens: int
    answer_tokens: int
    """Estimated: its share of what the request takes in and out."""


class Pack(Noun):
    """A request with several questions, until all of its answers are in the store."""

    key: str
    """Of the request; its whole answer is in the store by that name until it is cut."""
    most_usd: float
    members: tuple[PackedMember, ...]


_MEMBERS = TypeAdapter(tuple[PackedMember, ...])


class Store:
    """An open store. Close it, or use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(folder / FILE, timeout=_BUSY_SECONDS, isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        log_ahead(self._connection, _BUSY_SECONDS)
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
        with ExitStack() as failure:
            failure.callback(self._connection.execute, "ROLLBACK")
            yield
            failure.pop_all()
        self._connection.execute("COMMIT")

    # answers and calls

    def answers(self, keys: Sequence[str]) -> dict[str, StoredResponse]:
        """The stored answers by key, of those that there are; one that is not what was stored is none."""
        found: dict[str, StoredResponse] = {}
        for start in range(0, len(keys), _AT_ONCE):
            part = list(keys[start : start + _AT_ONCE])
            marks = ", ".join("?" * len(part))
            for row in self._connection.execute(
                f"""SELECT a.*, s.sum FROM answers a LEFT JOIN sums s ON s.name = {_ANSWER}
                    WHERE key IN ({marks})""",
                part,
            ):
                *values, noted = row
                if noted in (None, _sum(values)):
                    found[row["key"]] = StoredResponse.model_validate_json(row["answer"])
        return found

    def keep(self, record: ModelCall, answer: StoredResponse | None) -> None:
        """Note a call, with its answer if it has one; durable on return. `record.seq` is given anew."""
        with self._transaction():
            if answer is not None:
                self._write_answer(record.key, answer)
            self._write_call(record)

    def keep_answer(self, key: str, answer: StoredResponse) -> None:
        """Note an answer whose call is on record; durable on return."""
        with self._transaction():
            self._write_answer(key, answer)

    def _write_answer(self, key: str, answer: StoredResponse) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)",
            [key, answer.model_dump_json(), datetime.now(UTC).isoformat()],
        )
        self._note_sum("SELECT * FROM answers WHERE key = ?", f"answer {key}", key)

    def _write_call(self, record: ModelCall) -> None:
        values = record.model_dump(mode="json")
        seq = self._connection.execute(_INSERT_CALL, [values[name] for name in _RECORD_FIELDS]).lastrowid
        self._note_sum("SELECT * FROM calls WHERE seq = ?", f"call {seq}", seq)

    def _note_sum(self, query: str, name: str, key: object) -> None:
        (row,) = self._connection.execute(query, [key])
        self._connection.execute("INSERT OR REPLACE INTO sums VALUES (?, ?)", [name, _sum(row)])

    def forget(self, keys: Iterable[str]) -> None:
        """Drop answers, so that their questions are asked again; the record of the calls stays."""
        named = set(keys)
        packs = self.packs()
        whole = self.answers([one.key for one in packs])
        held = {one.key for one in packs if one.key in whole and named & {each.key for each in one.members}}
        gone = [(key,) for key in named | held]
        with self._transaction():
            self._connection.executemany("DELETE FROM answers WHERE key = ?", gone)
            self._connection.executemany("DELETE FROM sums WHERE name = 'answer ' || ?", gone)
            self._connection.executemany("DELETE FROM packs WHERE key = ?", gone)

    def erase_answers(self) -> int:
        """Remove every answer, and its bytes from the file: answers quote. Returns how many.

        The record of the calls stays: it says what was paid, and quotes nothing.
        """
        self._connection.execute("PRAGMA secure_delete = ON")
        self._connection.execute("DELETE FROM packs WHERE key IN (SELECT key FROM answers)")
        count = self._connection.execute("DELETE FROM answers").rowcount
        self._connection.execute("DELETE FROM sums WHERE name LIKE 'answer %'")
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return count

    def drop_damaged(self, names: Iterable[str]) -> None:
        """Drop what `damaged_rows` named: an answer is asked for again, a call's cost is in the ledger."""
        gone = [(name,) for name in names]
        with self._transaction():
            for table, own in (("answers", _ANSWER), ("calls", _CALL)):
                self._connection.executemany(f"DELETE FROM {table} AS a WHERE {own} = ?", gone)
            self._connection.executemany("DELETE FROM sums WHERE name = ?", gone)

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

    # requests with several questions

    def packs(self) -> list[Pack]:
        """Those that were noted and are not done with."""
        rows = self._connection.execute("SELECT * FROM packs ORDER BY rowid").fetchall()
        return [
            Pack(key=row["key"], most_usd=row["most_usd"], members=_MEMBERS.validate_json(row["members"]))
            for row in rows
        ]

    def note_packs(self, packs: Sequence[Pack]) -> None:
        """Note which questions go out together, before they do: their answer can be cut after a crash."""
        with self._transaction():
            self._write_packs(packs)

    def _write_packs(self, packs: Sequence[Pack]) -> None:
        self._connection.executemany(
            "INSERT OR REPLACE INTO packs VALUES (?, ?, ?)",
            [(one.key, one.most_usd, _MEMBERS.dump_json(one.members).decode()) for one in packs],
        )

    def keep_pack(self, pack: Pack, answer: StoredResponse, records: Sequence[ModelCall]) -> None:
        """Note a request's answer whole, with a record for each of its questions; durable on return."""
        with self._transaction():
            self._write_packs([pack])
            self._write_answer(pack.key, answer)
            for record in records:
                self._write_call(record)

    def drop_packs(self, keys: Iterable[str]) -> None:
        """Forget requests whose answers are cut, or that were never answered."""
        gone = [(key,) for key in keys]
        with self._transaction():
            self._connection.executemany("DELETE FROM packs WHERE key = ?", gone)
            self._connection.executemany("DELETE FROM answers WHERE key = ?", gone)
            self._connection.executemany("DELETE FROM sums WHERE name = 'answer ' || ?", gone)

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


def _sum(row: Iterable[object]) -> str:
    """SHA-256 over a row's values, in hex."""
    return sha256_text("\x1e".join(map(str, row)))


def damaged_rows(folder: Path) -> list[str]:
    """Which answers and calls of the store in `folder` are not what was noted. The file is not changed.

    Raises sqlite3.DatabaseError where the file itself is damaged.
    """
    # where SQLite could not keep its log beside the file, the file is read as it is
    how = "mode=ro" if os.access(folder, os.W_OK) else "immutable=1"
    uri = f"{(folder / FILE).absolute().as_uri()}?{how}"
    with closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS)) as connection:
        for (line,) in connection.execute("PRAGMA integrity_check").fetchall():
            if line != "ok":
                raise sqlite3.DatabaseError(str(line))
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sums'").fetchall():
            return []
        noted = dict(connection.execute("SELECT name, sum FROM sums"))
        for table, name in (("answers", _ANSWER), ("calls", _CALL)):
            for own, *row in connection.execute(f"SELECT {name}, a.* FROM {table} a"):
                if noted.get(own) in (None, _sum(row)):
                    noted.pop(own, None)
        return sorted(noted)
