"""A vault that this process may not write to, such as one on a read-only medium: it is read from copies."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from schemas.errors import VaultReadOnly


def may_write(folder: Path) -> bool:
    """Whether this process may write to the folder."""
    return os.access(folder, os.W_OK)


def require_writable(folder: Path) -> None:
    """Raises VaultReadOnly where the folder is there and may not be written to."""
    if folder.is_dir() and not may_write(folder):
        raise VaultReadOnly(
            "the vault may only be read",
            where=str(folder),
            why="this process may not write to the folder, or its file system is read-only",
            remedy="Mend its owner or mode, or go on elsewhere with `mnemic vault backup` and `restore`;"
            " what only reads works as it is",
        )


@contextmanager
def readable(database: Path) -> Iterator[Path]:
    """An SQLite file to read: itself, or a copy where SQLite could not keep its log beside it."""
    if may_write(database.parent):
        yield database
        return
    with TemporaryDirectory(prefix="mnemic-read-only-") as private:
        for one in (database, database.with_name(f"{database.name}-wal")):
            if one.exists():
                shutil.copyfile(one, Path(private) / one.name)
        yield Path(private) / database.name


def copy_database(path: Path, copied: Path) -> Path:
    """A copy of a database as it is between two transactions of whoever is writing to it; returns its
    path."""
    with (
        readable(path) as file,
        closing(sqlite3.connect(file)) as here,
        closing(sqlite3.connect(copied)) as there,
    ):
        here.backup(there)
    return copied
