"""Write-ahead logging for an SQLite file that several processes may open at once."""

from __future__ import annotations

import sqlite3
import time

_PAUSE_SECONDS = 0.01


def log_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Put the file of a connection into WAL mode, waiting up to `patience` seconds for others to let go.

    SQLite's own busy timeout does not hold for this switch: two processes that both open a new file get
    `database is locked` at once, so it is tried again here. Raises sqlite3.OperationalError after that.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return
