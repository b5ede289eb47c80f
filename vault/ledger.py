"""The ledger: DuckDB, the system of record. One writer builds it aside; readers open what is published."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.conversation import Conversation
from schemas.deferred import deferred
from schemas.errors import DefectError
from schemas.report import ImportReport
from schemas.unit import State, UnitEvent
from vault.migrations import MIGRATIONS, Migration
from vault.nouns_from_rows import conversation_from_rows
from vault.states import states_among

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

else:
    duckdb = deferred("duckdb")
    pa = deferred("pyarrow")


Parameters = Sequence[object] | Mapping[str, object]
"""Of a statement: for `?` in order, or for `$name` by name."""

MEMORY_LIMIT = "256MB"
"""DuckDB spills beyond this; its own default is 80% of the machine."""

_ALTER = re.compile(r"^ALTER TABLE [^;]*;|^--.*$", re.MULTILINE)
"""What a reader of an older ledger does without, and comments: a text of nothing else is no statement."""
_CREATE = re.compile(r"\bCREATE (?:OR REPLACE )?(TABLE|VIEW)\b")

COUNTED_TABLES = (
    "imports", "conversations", "messages", "segments", "units", "unit_events", "acts", "relations",
    "judgements", "chunks", "resources", "session_summaries", "restated_summaries", "threads", "thread_maps",
    "points",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a change is marked with: the run, its time, and who speaks for extraction and gate."""

    run: str
    at: datetime
    extractor: str
    """Actor of extraction, such as `extract:offline/1`."""
    gate: str
    """Actor of the gate, such as `gate:1`."""

    def event(self, unit: str, state: State, actor: str, reason: str) -> UnitEvent:
        """An event of this run."""
        return UnitEvent(unit_id=unit, state=state, actor=actor, reason=reason, at=self.at, run=self.run)


class Ledger:
    """An open ledger. Close it, or use it as a context manager."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, path: Path, *, read_only: bool) -> Ledger:
        """Open the file; a writer creates it where it is missing and applies the migrations it lacks."""

        connection = duckdb.connect(
            str(path),
            read_only=read_only,
            config={"memory_limit": MEMORY_LIMIT, "autoinstall_known_extensions": "false"},
        )
        connection.execute("SET enable_progress_bar = false").fetchall()
        connection.execute("SET TimeZone = 'UTC'").fetchall()
        ledger = cls(connection)
        if read_only:
            ledger._lay_over()
        else:
            ledger._migrate()
        return ledger

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def interrupt(self) -> None:
        """Stop the statement that runs now, from another thread: it raises duckdb.InterruptException."""
        self._connection.interrupt()

    def query(self, sql: str, parameters: Parameters = ()) -> list[tuple[object, ...]]:
        """Run one statement and return all its rows."""
        return self._connection.execute(sql, parameters).fetchall()

    def rows(self, sql: str, parameters: Parameters = ()) -> list[dict[str, object]]:
        """Run one query and return its rows by column name."""
        cursor = self._connection.execute(sql, parameters)
        names = [column[0] for column in cursor.description or []]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def _lay_over(self) -> None:
        # a reader may meet a ledger that an older mnemic published: what its schema lacks is laid over it,
        # in memory, until the next run migrates it
        for migration in self._outstanding():
            created = _CREATE.sub(r"CREATE OR REPLACE TEMP \1", _ALTER.sub("", migration.sql))
            if created.strip():
                self._connection.execute(created).fetchall()

    def _outstanding(self) -> list[Migration]:
        applied = {version for (version,) in self.query("SELECT version FROM migrations")}
        newest = MIGRATIONS[-1].version
        if any(isinstance(version, int) and version > newest for version in applied):
            raise DefectError(
                "the ledger was written by a newer mnemic",
                why=f"it has migrations up to {max(applied, key=str)}, this version knows {newest}",
                remedy="Upgrade mnemic",
            )
        return [migration for migration in MIGRATIONS if migration.version not in applied]

    def _migrate(self) -> None:
        self.query(
            "CREATE TABLE IF NOT EXISTS migrations (version BIGINT, name VARCHAR, applied_at TIMESTAMPTZ)"
        )
        # in one transaction: of a new ledger each would wait for the disk by itself
        self.query("BEGIN")
        lacking = self._outstanding()
        for migration in lacking:
            self._connection.execute(migration.sql).fetchall()
        if lacking:  # one statement: planning sixteen takes as long as the schema's largest migration
            rows = [[one.version, one.name] for one in lacking]
            values = ", ".join(["(?, ?, now())"] * len(rows))
            self.query(f"INSERT INTO migrations VALUES {values}", [value for row in rows for value in row])
        self.query("COMMIT")

    # What is settled about the vault as a whole

    def setting(self, name: str) -> str | None:
        """A settled value, or None."""
        found = self.query("SELECT value FROM settled WHERE name = ?", [name])
        return str(found[0][0]) if found else None

    def settle(self, name: str, value: str) -> None:
        """Set a value; one that is as it was is not written."""
        if self.setting(name) == value:
            return
        self.query("DELETE FROM settled WHERE name = ?", [name])
        self.query("INSERT INTO settled VALUES (?, ?)", [name, value])

    # Writing

    def add_run(self, run: str, started_at: datetime, command: str, versions: Mapping[str, str]) -> None:
        """Record a run that is about to change the ledger."""
        self.query(
            "INSERT INTO runs VALUES (?, ?, NULL, ?, ?)",
            [run, started_at, command, json.dumps(dict(versions), sort_keys=True)],
        )

    def finish_run(self, run: str, at: datetime) -> None:
        """Record that the run's changes are complete."""
        self.query("UPDATE runs SET finished_at = ? WHERE run = ?", [at, run])

    def add_import(self, report: ImportReport, work: str, at: datetime, run: str) -> None:
        """Record an archive's report; a newer reading of the same archive replaces the older."""
        key = [report.archive_hash, report.account]
        self.query("DELETE FROM imports WHERE archive_hash = ? AND account = ?", key)
        notes = [note.model_dump(mode="json") for note in report.notes]
        self.query(
            "INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                report.archive_hash, report.archive, report.account, report.format, report.reader, work,
                report.conversations, report.messages, report.records, report.records_skipped,
                report.resources, report.complete, notes, at, run,
            ],
        )  # fmt: skip

    def add_events(self, events: Iterable[UnitEvent]) -> None:
        """Append events; their order is the order in which states follow one another."""
        rows = [event.model_dump() for event in events]
        self.insert(
            """
            INSERT INTO unit_events
            SELECT (SELECT coalesce(max(event_no), 0) FROM unit_events) + row_number() OVER (),
                   unit_id, state, actor, reason, "at", run FROM new_rows
            """,
            rows,
        )

    def insert(self, sql: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Run one statement that reads the rows as the table `new_rows`; none where there are no rows."""
        if not rows:
            return

        self._connection.register("new_rows", pa.Table.from_pylist([dict(row) for row in rows]))
        self.query(sql)
        self._connection.unregister("new_rows")

    def append(self, table: str, rows: object) -> None:
        """Append the rows of an Arrow table whose columns bear the ledger table's names."""
        self._connection.register("appended", rows)
        self.query(f"INSERT INTO {table} BY NAME SELECT * FROM appended")
        self._connection.unregister("appended")

    def replace_points(self, rows: Sequence[Mapping[str, str]], gone: Sequence[str]) -> None:
        """Record what the index must hold: rows are upserted by `point_id`, `gone` are removed."""

        ids = pa.table({"point_id": pa.array([row["point_id"] for row in rows] + list(gone), pa.string())})
        self._connection.register("replaced", ids)
        self.query("DELETE FROM points WHERE point_id IN (SELECT point_id FROM replaced)")
        self._connection.unregister("replaced")
        self.insert("INSERT INTO points BY NAME SELECT * FROM new_rows", rows)

    def forget_points(self) -> None:
        """Expect nothing of the index: it is about to be written anew."""
        self.query("DELETE FROM points")

    def add_generation(
        self, number: int, at: datetime, run: str, journal_seq: int, source: int | None
    ) -> None:
        """Record the publication that is about to happen, and up to which event it has the units' states."""
        self.query(
            """INSERT INTO generations
               SELECT ?, ?, ?, ?, ?, coalesce(max(event_no), 0) FROM unit_events""",
            [number, at, run, journal_seq, source],
        )

    # Reading what the next step of the writer needs

    def points_of_run(self, run: str) -> dict[str, str]:
        """Payload hash by point id of what a run wrote."""
        found = self.query("SELECT point_id, payload_hash FROM points WHERE run = ?", [run])
        return {str(point): str(payload) for point, payload in found}

    def has(self, table: str) -> bool:
        """Whether there is such a table: what an earlier version wrote, opened for reading, may lack it."""
        return bool(self.query("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [table]))

    def columns(self, table: str) -> set[str]:
        """Names of a table's columns."""
        return {str(name) for (name,) in self.query(f"SELECT column_name FROM (DESCRIBE {table})")}

    def states(self, units: Sequence[str]) -> dict[str, State]:
        """The current state of each named unit that has one."""
        found = self.query(states_among("SELECT unnest(?)"), [list(units)])
        return {str(unit): State(str(state)) for unit, state, _ in found}

    def content_hashes(self, points: Sequence[str]) -> dict[str, str]:
        """Content hash by id of the named points."""
        found = self.query(
            "SELECT point_id, content_hash FROM points WHERE point_id IN (SELECT unnest(?))", [list(points)]
        )
        return {str(point): str(content) for point, content in found}

    def points_of(self, conversations: Sequence[str]) -> dict[str, tuple[str, str]]:
        """(content hash, payload hash) by point id, for all points of the conversations."""
        found = self.query(
            """SELECT point_id, content_hash, payload_hash FROM points
               WHERE conversation_id IN (SELECT unnest(?))""",
            [list(conversations)],
        )
        return {str(point): (str(content), str(payload)) for point, content, payload in found}

    def work_keys(self) -> dict[str, tuple[str, datetime | None]]:
        """(work key, last update) by id of conversation or resource: what is done, and how new it is."""
        found = self._connection.execute(
            """SELECT conversation_id, work_key, updated_at FROM conversations
               UNION ALL SELECT id, work_key, created_at FROM resources"""
        ).fetchall()
        return {one: (key, updated) for one, key, updated in found}

    def conversation(self, conversation: str) -> Conversation | None:
        """The conversation as it was handed over by its reader, or by the union of several readings."""

        found = self.rows("SELECT * FROM conversations WHERE conversation_id = ?", [conversation])
        if not found:
            return None
        messages = self.rows(
            "SELECT * FROM messages WHERE conversation_id = ? ORDER BY position", [conversation]
        )
        return conversation_from_rows(found[0], messages)

    def has_import(self, report: ImportReport, work: str) -> bool:
        """Whether the same archive was read by the same work before, and as far."""
        found = self.query(
            "SELECT 1 FROM imports WHERE archive_hash = ? AND account = ? AND work = ? AND complete = ?",
            [report.archive_hash, report.account, work, report.complete],
        )
        return bool(found)

    def complete_imports(self) -> set[tuple[str, str, str]]:
        """(archive hash, account, work) of every archive that was read to its end."""
        found = self.query("SELECT archive_hash, account, work FROM imports WHERE complete")
        return {(str(archive), str(account), str(work)) for archive, account, work in found}

    def accounts(self) -> tuple[str, ...]:
        """Accounts that have conversations or resources, sorted."""
        found = self.query(
            "SELECT account FROM conversations UNION SELECT account FROM resources ORDER BY account"
        )
        return tuple(str(account) for (account,) in found)

    def tables(self) -> list[str]:
        """Names of all tables, in order."""
        found = self.query("SELECT table_name FROM duckdb_tables() WHERE NOT temporary ORDER BY table_name")
        return [str(table) for (table,) in found]

    def row_counts(self, tables: Iterable[str] = COUNTED_TABLES) -> dict[str, int]:
        """Rows by table."""
        # in one statement: planning sixteen takes longer than counting
        counts = dict.fromkeys(tables, 0)
        counted = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in counts)
        for table, count in self.query(counted) if counts else ():
            counts[str(table)] = int(str(count))
        return counts
