"""How each library says that a disk has no room left, and the one error that is made of it."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from schemas.errors import DiskFull

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_SAID = "No space left on device"
"""DuckDB and the index's engine have no code for it: they repeat what the system said."""


def says_full(error: BaseException) -> bool:
    """Whether an error of Python, SQLite, DuckDB or the index's engine says that the disk is full."""
    if isinstance(error, sqlite3.OperationalError):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return (isinstance(error, OSError) and error.errno in _NO_ROOM) or _SAID in str(error)


def disk_full(where: str) -> DiskFull:
    """What to raise then."""
    return DiskFull(
        "the disk is full",
        where=where,
        remedy="Free some space (`mnemic vault prune` drops old generations) and run again;"
        " the published generation is untouched, and what failed was not recorded",
    )


@contextmanager
def with_room(path: Path) -> Iterator[None]:
    """Raises DiskFull in place of what says so while the file is read or written."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        if says_full(error):
            raise disk_full(str(path)) from error
        raise
