"""What the owner had erased: ids alone, so that no re-import brings it back. Kept beside the journal's acts.

An erasure is recorded here before anything is removed, with the files that go with it, and marked done after
the last copy is gone: one that was interrupted is found and finished.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from schemas.base import Instant, Noun
from schemas.write_ahead import log_ahead
from vault.files import stamp_of
from vault.full_disk import with_room
from vault.journal import BUSY_SECONDS, Journal
from vault.layout import VaultLayout
from vault.readonly import may_write, readable
from vault.sums import file_sum

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tombstones (
    owner TEXT PRIMARY KEY, account TEXT NOT NULL, at TEXT NOT NULL, done INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS copies (
    path TEXT PRIMARY KEY, kind TEXT NOT NULL, sum TEXT NOT NULL, at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS condemned (path TEXT PRIMARY KEY, stamp TEXT NOT NULL);
"""

PART = "part"
"""Kind of a folder in which a copy is being written; `copies` leaves it out."""


class Copy(Noun):
    """A file outside the vault that holds what the vault held: an export, a backup or a trace."""

    path: str
    kind: str
    """`export`, `backup`, `trace` or `markdown`: a folder of pages, whose own record says what is in each."""
    sum: str
    """Its `vault.sums.file_sum` when it was written; of a folder none."""
    at: Instant


@contextmanager
def _opened(journal: Path) -> Iterator[sqlite3.Connection]:
    with (
        with_room(journal),
        readable(journal) as file,
        closing(sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)) as connection,
    ):
        log_ahead(connection, BUSY_SECONDS)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.executescript(_SCHEMA)
        yield connection


def bury(layout: VaultLayout, owners: Iterable[tuple[str, str]], files: Iterable[Path] = ()) -> None:
    """Record the erasure of (conversation or resource id, account), and which files go with it. Durable on
    return.

    A file below the vault is recorded by its path from there; any other with how it looks from outside, too.
    """
    at = datetime.now(UTC).isoformat()
    gone_with_them = [_as_recorded(layout, path) for path in files]
    with _opened(layout.journal) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT OR REPLACE INTO condemned (path, stamp) VALUES (?, ?)", gone_with_them)
        connection.executemany(
            "INSERT OR IGNORE INTO tombstones (owner, account, at, done) VALUES (?, ?, ?, 0)",
            [(owner, account, at) for owner, account in owners],
        )
        connection.execute("COMMIT")


def buried(journal: Path, *, unfinished_only: bool = False) -> dict[str, str]:
    """Account by erased id; with `unfinished_only`, of erasures that were interrupted."""
    if not journal.exists():
        return {}
    condition = "WHERE NOT done" if unfinished_only else ""
    with _opened(journal) as connection:
        return dict(connection.execute(f"SELECT owner, account FROM tombstones {condition}").fetchall())


class Burial(NamedTuple):
    """That something was erased: whose it was, and when, before the generation without it was published."""

    account: str
    at: datetime

    @property
    def day(self) -> str:
        """As 2026-03-01, UTC."""
        return f"{self.at.astimezone(UTC):%Y-%m-%d}"


def burials(journal: Path) -> dict[str, Burial]:
    """Every erasure on record, by the erased id."""
    if not journal.exists():
        return {}
    with _opened(journal) as connection:
        found = connection.execute("SELECT owner, account, at FROM tombstones").fetchall()
    return {owner: Burial(account, datetime.fromisoformat(at)) for owner, account, at in found}


def last_burial(journal: Path, is_own: Callable[[str], bool]) -> datetime | None:
    """When something was forgotten last of the accounts that are meant; None where nothing was."""
    if not journal.exists():
        return None
    with _opened(journal) as connection:
        found = connection.execute("SELECT account, at FROM tombstones").fetchall()
    return max((datetime.fromisoformat(at) for account, at in found if is_own(account)), default=None)


def _as_recorded(layout: VaultLayout, path: Path) -> tuple[str, str]:
    root, target = layout.root.absolute(), path.absolute()
    if target.is_relative_to(root):
        return target.relative_to(root).as_posix(), ""
    return str(target), stamp_of(target)


def condemned(layout: VaultLayout) -> list[Path]:
    """The files that go with erasures which were not finished, those that are gone already included.

    The journal may come from elsewhere, and must not be able to name any file of this machine: of the vault's
    files only those of two folders are taken, of others those that look as they did when they were recorded.
    """
    with _opened(layout.journal) as connection:
        found = connection.execute("SELECT path, stamp FROM condemned ORDER BY path").fetchall()
    of_vault = (layout.processed, layout.quarantine)
    files = [(layout.root / path, stamp) for path, stamp in found]
    return [
        path
        for path, stamp in files
        if (path.name != ".." and path.parent in of_vault) or (stamp and stamp_of(path) == stamp)
    ]


def finish(journal: Path) -> None:
    """Mark every recorded erasure as done, and name its files no longer."""
    with _opened(journal) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM condemned")
        connection.execute("UPDATE tombstones SET done = 1")
        connection.execute("COMMIT")


def erase_acts(journal: Path, units: Iterable[str]) -> int:
    """Remove the acts on the units, and their bytes from the file; returns how many."""
    with Journal(journal):
        pass  # a file that only tombstones were written to has no acts yet: this makes their tables
    with _opened(journal) as connection:
        connection.execute("CREATE TEMP TABLE erased (unit_id TEXT PRIMARY KEY)")
        connection.executemany("INSERT OR IGNORE INTO erased VALUES (?)", [(unit,) for unit in units])
        connection.execute("BEGIN IMMEDIATE")
        condition = "WHERE unit_id IN (SELECT unit_id FROM erased)"
        connection.execute(f"DELETE FROM act_sums WHERE seq IN (SELECT seq FROM acts {condition})")
        gone = connection.execute(f"DELETE FROM acts {condition}").rowcount
        connection.execute("COMMIT")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return gone


def remember_copy(layout: VaultLayout, path: Path, kind: str) -> None:
    """Remember a file that was just written from the vault: an erasure must name or remove it.

    In a vault that may not be written to, nothing is remembered.
    """
    _remember(layout, path, kind, file_sum(path))


def remember_folder(layout: VaultLayout, folder: Path) -> None:
    """Remember a folder of Markdown pages, as `remember_copy` does a file."""
    _remember(layout, folder, "markdown", "")


def remember_part(layout: VaultLayout, folder: Path) -> None:
    """Remember a folder with a copy that is being written, for as long as it is there."""
    _remember(layout, folder, PART, "")


def forget_part(layout: VaultLayout, folder: Path) -> None:
    """Forget a folder that is gone."""
    if may_write(layout.root):
        with _opened(layout.journal) as connection:
            connection.execute("DELETE FROM copies WHERE path = ? AND kind = ?", [str(folder), PART])


def parts(journal: Path) -> list[Path]:
    """Every folder that is remembered as one with a copy that is being written."""
    if not journal.exists():
        return []
    with _opened(journal) as connection:
        found = connection.execute("SELECT path FROM copies WHERE kind = ? ORDER BY at", [PART]).fetchall()
    return [Path(path) for (path,) in found]


def _remember(layout: VaultLayout, path: Path, kind: str, content: str) -> None:
    if not may_write(layout.root):
        return
    values = [str(path.absolute()), kind, content, datetime.now(UTC).isoformat()]
    with _opened(layout.journal) as connection:
        connection.execute("INSERT OR REPLACE INTO copies (path, kind, sum, at) VALUES (?, ?, ?, ?)", values)


def carry_copies(journal: Path, layout: VaultLayout) -> None:
    """Remember in the vault what another journal remembers: copies that were written from a branch."""
    if not journal.exists():
        return
    with _opened(journal) as connection:
        known = connection.execute("SELECT path, kind, sum, at FROM copies").fetchall()
    if known:
        with _opened(layout.journal) as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO copies (path, kind, sum, at) VALUES (?, ?, ?, ?)", known
            )


def copies(journal: Path) -> list[Copy]:
    """Every copy that was written and is still there."""
    if not journal.exists():
        return []
    with _opened(journal) as connection:
        found = connection.execute(
            "SELECT path, kind, sum, at FROM copies WHERE kind <> ? ORDER BY at", [PART]
        ).fetchall()
    names = ("path", "kind", "sum", "at")
    known = [Copy.model_validate(dict(zip(names, row, strict=True))) for row in found]
    return [one for one in known if Path(one.path).exists()]
