"""The journal: the owner's acts, durable the moment they happen, folded into the next generation.

SQLite in WAL mode with full synchronisation: many processes may append and read at once, and an act that was
acknowledged survives a power cut. Acts are only ever added: one that is taken back stays, and an `undo`
follows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from uuid import uuid4

from schemas.act import Act, ActKind, Deed
from schemas.base import sha256_text
from schemas.errors import IntegrityError
from schemas.write_ahead import log_ahead
from vault.full_disk import with_room
from vault.generations import finished_numbers, read_manifest
from vault.layout import VaultLayout
from vault.readonly import readable, require_writable

BUSY_SECONDS = 30.0
USER = "user"
ASSISTANT = "assistant:"
"""How the names of assistants begin, which act on the owner's behalf: the owner takes their acts back."""

MOVE_AWAY = "Move journal.sqlite away and restore it from a backup; folded acts are in the ledger"
DROP_ACTS = "Run `mnemic vault prune`, which drops damaged acts and names them, and do it again"

_READ = "SELECT acts.*, sum FROM acts LEFT JOIN act_sums USING (seq)"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS acts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    unit_id TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL
)
"""
_SUMS = """
CREATE TABLE IF NOT EXISTS act_sums (seq INTEGER PRIMARY KEY, sum TEXT NOT NULL)
"""
"""Beside the acts, so that their table can grow columns; the first journals have none."""
_ADDED = ("lot", "detail")
"""Columns that the first journals lack."""
_OF_LOT = "WHERE (lot = ?1 OR id = ?1)"
_STANDS = """done.kind <> 'undo' AND NOT EXISTS (
    SELECT 1 FROM acts taken
    WHERE taken.kind = 'undo' AND taken.detail = done.id AND taken.unit_id = done.unit_id
)"""
_DETAIL_TELLS = "kind LIKE 'policy%' OR kind LIKE 'account%' OR kind IN ('path_rename', 'path_merge')"
"""Kinds of act whose account only the detail tells."""
_AT_ONCE = 900
"""SQLite's oldest limit on the variables of a statement is 999."""

Whose = Callable[[Sequence[Deed]], Collection[str]]
"""Of what was done, the subjects that are of one account."""


@contextmanager
def _as_a_database(path: Path) -> Iterator[None]:
    """Raises IntegrityError where SQLite says that the file is none, or is malformed."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if type(error) is not sqlite3.DatabaseError:  # such as a lock that was not had
            raise
        raise IntegrityError(
            "the journal is damaged", where=str(path), why=str(error), remedy=MOVE_AWAY
        ) from error


@dataclass(frozen=True, slots=True)
class Brief:
    """A lot in a few words: its name, the kinds of act in it, how many subjects, and one of them."""

    lot: str
    kinds: tuple[ActKind, ...]
    subjects: int
    subject: str


class Journal:
    """An open journal. Close it, or use it as a context manager."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened = ExitStack()
        self._connection = sqlite3.connect(
            self._opened.enter_context(readable(path)), timeout=BUSY_SECONDS, isolation_level=None
        )
        with with_room(path), _as_a_database(path):
            self._prepare()

    def _prepare(self) -> None:
        log_ahead(self._connection, BUSY_SECONDS)
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(_SCHEMA)
        self._connection.execute(_SUMS)
        if self._lacking():
            self._widen()

    def _lacking(self) -> list[str]:
        have = {name for _, name, *_ in self._connection.execute("PRAGMA table_info(acts)")}
        return [name for name in _ADDED if name not in have]

    def _widen(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        for name in self._lacking():  # looked at again: another process may have been faster
            self._connection.execute(f"ALTER TABLE acts ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")
        self._connection.execute("CREATE INDEX IF NOT EXISTS acts_by_subject ON acts (unit_id)")
        self._connection.execute("COMMIT")

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
        self._opened.close()

    def append(self, kind: ActKind, subjects: Iterable[str], *, actor: str = USER, reason: str = "") -> int:
        """Record one act of this kind for each subject, all or none; returns the last `seq`."""
        return self.record((Deed(kind, subject) for subject in subjects), actor=actor, reason=reason)

    def record(self, deeds: Iterable[Deed], *, actor: str = USER, reason: str = "") -> int:
        """Record deeds as one lot, all or none; returns the last `seq`. Durable on return.

        Raises VaultReadOnly where the vault may only be read, DiskFull where it has no room.
        """
        require_writable(self._path.parent)
        at, lot = datetime.now(UTC).isoformat(), str(uuid4())
        rows = [
            (str(uuid4()), lot, deed.kind.value, deed.subject, actor, reason, at, deed.detail)
            for deed in deeds
        ]
        folded = _folded_beside(self._path)
        with with_room(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            self._begin_after(folded)
            self._connection.executemany(
                """INSERT INTO acts (id, lot, kind, unit_id, actor, reason, at, detail)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
                rows,
            )
            self._sum_new_acts()
            self._connection.execute("COMMIT")
        return self.last_seq()

    def undo(self, acts: Iterable[Act], *, actor: str = USER, reason: str = "") -> int:
        """Take acts back, all or none; returns the last `seq`. An undo itself cannot be taken back."""
        deeds = [Deed(ActKind.UNDO, act.subject, act.id) for act in acts]
        return self.record(deeds, actor=actor, reason=reason)

    def reserve(self, count: int) -> int:
        """Set numbers aside for acts that a generation publishes first; returns the last number before them.

        What is recorded meanwhile follows them. Numbers that are never used do no harm.
        """
        require_writable(self._path.parent)
        folded = _folded_beside(self._path)
        with with_room(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            self._begin_after(folded)
            last = self._last_number()
            self._begin_after(last + count)
            self._connection.execute("COMMIT")
        return last

    def restore(self, acts: Iterable[Act]) -> None:
        """Put acts of a generation back under their own numbers; what is here stays as it is."""
        with with_room(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            for act in acts:
                self._connection.execute(
                    """INSERT OR IGNORE INTO acts (seq, id, lot, kind, unit_id, actor, reason, at, detail)
                       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                    [act.seq, act.id, act.lot, act.kind.value, act.subject, act.actor, act.reason,
                     act.at.astimezone(UTC).isoformat(), act.detail],
                )  # fmt: skip
                row = self._connection.execute("SELECT * FROM acts WHERE id = ?", [act.id]).fetchone()
                if row is not None:
                    self._connection.execute(
                        "INSERT OR IGNORE INTO act_sums (seq, sum) VALUES (?, ?)", [row[0], act_sum(row)]
                    )
            self._connection.execute("COMMIT")

    def about(self, subjects: Iterable[str]) -> list[Act]:
        """Every act on the subjects, oldest first."""
        return self._read_many("unit_id", subjects)

    def _begin_after(self, folded: int) -> None:
        """Number no act as one that a generation has folded: the file may be new, or from a backup."""
        if self._last_number() < folded:
            self._connection.execute("DELETE FROM sqlite_sequence WHERE name = 'acts'")
            self._connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('acts', ?)", [folded])

    def _last_number(self) -> int:
        numbers = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'acts'"
        return int(self._connection.execute(numbers).fetchone()[0])

    def _sum_new_acts(self) -> None:
        new = self._connection.execute(
            "SELECT * FROM acts WHERE seq > (SELECT coalesce(max(seq), 0) FROM act_sums)"
        ).fetchall()
        self._connection.executemany(
            "INSERT INTO act_sums (seq, sum) VALUES (?, ?)", [(row[0], act_sum(row)) for row in new]
        )

    def last_seq(self) -> int:
        """The newest act's number; 0 when there is none."""
        with _as_a_database(self._path):
            (seq,) = self._connection.execute("SELECT coalesce(max(seq), 0) FROM acts").fetchone()
        return int(seq)

    def after(self, seq: int) -> list[Act]:
        """The acts that follow `seq`, oldest first."""
        return self._read("WHERE seq > ? ORDER BY seq", [seq])

    def pending(self, folded: int) -> list[Act]:
        """The acts after `folded`, and before them those up to it that they take back."""
        acts = self.after(folded)
        undone = self.named(act.detail for act in acts if act.kind is ActKind.UNDO)
        return [*(act for act in undone if act.seq <= folded), *acts]

    def of_kind(self, kind: ActKind) -> list[Act]:
        """Every act of this kind that was not taken back, oldest first."""
        return self._read(
            """WHERE kind = ? AND id NOT IN (SELECT detail FROM acts WHERE kind = 'undo') ORDER BY seq""",
            [kind.value],
        )

    def named(self, ids: Iterable[str]) -> list[Act]:
        """The acts with these ids, oldest first; an unknown id is left out."""
        return self._read_many("id", ids)

    def standing(self, kind: ActKind, subjects: Iterable[str]) -> list[Act]:
        """Each subject's newest act of this kind that was not taken back, oldest first."""
        newest: dict[str, Act] = {}
        for act in live(self._read_many("unit_id", subjects)):
            if act.kind is kind:
                newest[act.subject] = act
        return sorted(newest.values(), key=lambda act: act.seq)

    def on_policies(self) -> list[Act]:
        """Every act that turned a policy on or off, and the undos of such acts, oldest first."""
        switches = "SELECT id FROM acts WHERE kind IN ('policy_on', 'policy_off')"
        return self._read(f"WHERE id IN ({switches}) OR detail IN ({switches}) ORDER BY seq", [])

    def subjects_of(self, actor: str, since: int) -> frozenset[str]:
        """What an actor acted on after `since`, whether or not it was taken back."""
        found = self._connection.execute(
            "SELECT DISTINCT unit_id FROM acts WHERE actor = ? AND seq > ?", [actor, since]
        )
        return frozenset(subject for (subject,) in found)

    def taken_back_in(self, lot: str) -> frozenset[str]:
        """The subjects of the acts that a lot takes back."""
        return frozenset(act.subject for act in self._read("WHERE lot = ? AND kind = 'undo'", [lot]))

    def standing_of(self, actor: str) -> list[Act]:
        """An actor's acts that were not taken back, oldest first."""
        subjects = self.subjects_of(actor, 0)
        return [act for act in live(self._read_many("unit_id", subjects)) if act.actor == actor]

    def last_lot(self, actor: str = USER, whose: Whose | None = None) -> list[Act]:
        """What an actor did last and has not taken back: the standing acts of one lot; none is no error.
        The owner's acts include those that an assistant did for them.

        With `whose`, the part of the newest lot that has one in that account.
        """
        found = self._newest(actor, whose)
        if found is None:
            return []
        name, deeds = found
        subjects = {deed.subject for deed in deeds}
        lot = self._read(
            f"WHERE id IN (SELECT id FROM acts done {_OF_LOT} AND {_STANDS}) ORDER BY seq", [name]
        )
        return [act for act in lot if act.subject in subjects]

    def last_in_brief(self, actor: str = USER, whose: Whose | None = None) -> Brief | None:
        """What `last_lot` would give, without reading the acts."""
        found = self._newest(actor, whose)
        if found is None:
            return None
        name, deeds = found
        subjects = {deed.subject for deed in deeds}
        return Brief(name, tuple(sorted({deed.kind for deed in deeds})), len(subjects), min(subjects))

    def _newest(self, actor: str, whose: Whose | None) -> tuple[str, list[Deed]] | None:
        """The newest lot of an actor's that stands and is of the account, and what was done there in it."""
        for name in self._standing_lots(actor):
            found = self._connection.execute(
                f"SELECT DISTINCT kind, unit_id, CASE WHEN {_DETAIL_TELLS} THEN detail ELSE '' END"
                f" FROM acts done {_OF_LOT} AND {_STANDS}",
                [name],
            )
            deeds = [Deed(ActKind(kind), subject, rule) for kind, subject, rule in found]
            if whose is not None:
                own = whose(deeds)
                deeds = [deed for deed in deeds if deed.subject in own]
            if deeds:
                return name, deeds
        return None

    def _standing_lots(self, actor: str) -> Iterator[str]:
        """Names of an actor's lots that were not wholly taken back, the newest first."""
        before = None
        while found := self._connection.execute(
            f"""
            SELECT CASE lot WHEN '' THEN id ELSE lot END AS name, seq FROM acts done
            WHERE (actor = ?1 OR (?1 = '{USER}' AND actor GLOB '{ASSISTANT}*'))
              AND (?2 IS NULL OR seq < ?2) AND {_STANDS} ORDER BY seq DESC LIMIT 1
            """,
            [actor, before],
        ).fetchone():
            name = str(found[0])
            yield name
            # a lot is written at once, so its acts follow one another
            (before,) = self._connection.execute(f"SELECT min(seq) FROM acts {_OF_LOT}", [name]).fetchone()

    def _read(self, rest: str, values: Sequence[object]) -> list[Act]:
        with _as_a_database(self._path):
            found = self._connection.execute(f"{_READ} {rest}", values)
            rows = found.fetchall()
        names = ["subject" if one[0] == "unit_id" else one[0] for one in found.description[:-1]]
        return [self._act(names, row[:-1], row[-1]) for row in rows]

    def _act(self, names: Sequence[str], row: Sequence[object], wanted: str | None) -> Act:
        if wanted is not None and wanted != act_sum(row):
            raise IntegrityError(
                f"act {row[0]} is not what was recorded", where=str(self._path), remedy=DROP_ACTS
            )
        return Act.model_validate(dict(zip(names, row, strict=True)), strict=False)

    def _read_many(self, column: str, wanted: Iterable[str]) -> list[Act]:
        found: list[Act] = []
        rest = iter(dict.fromkeys(wanted))
        while part := list(islice(rest, _AT_ONCE)):
            marks = ", ".join("?" * len(part))
            found.extend(self._read(f"WHERE {column} IN ({marks})", part))
        return sorted(found, key=lambda act: act.seq)


def live(acts: Iterable[Act]) -> list[Act]:
    """The acts that no undo among them takes back, without the undos."""
    seen = list(acts)
    undone = {act.detail for act in seen if act.kind is ActKind.UNDO}
    return [act for act in seen if act.kind is not ActKind.UNDO and act.id not in undone]


def act_sum(row: Iterable[object]) -> str:
    """SHA-256 over the values that are set: a column that is added later and empty changes nothing."""
    said = (f"{place}={value}" for place, value in enumerate(row) if value not in (None, ""))
    return sha256_text("\x1e".join(said))


def _folded_beside(journal: Path) -> int:
    """The newest act that any generation of the vault says it has folded; a damaged one says nothing."""
    layout = VaultLayout(journal.parent)
    folded = [0]
    for number in finished_numbers(layout):
        with suppress(IntegrityError):
            folded.append(read_manifest(layout.generation(number)).journal_seq)
    return max(folded)


def reading(path: Path) -> sqlite3.Connection:
    """A connection that reads the journal and changes nothing."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
