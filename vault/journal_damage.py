"""Acts of the journal that are not what was recorded: found without changing the file, and dropped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from vault.journal import BUSY_SECONDS, act_sum, reading
from vault.readonly import readable


def damaged_acts(path: Path) -> list[int]:
    """Numbers of the acts that are not what was recorded, or are gone. Opens the file without changing it.

    Raises sqlite3.DatabaseError where the file itself is damaged.
    """
    with readable(path) as file, closing(reading(file)) as connection:
        for (line,) in connection.execute("PRAGMA integrity_check").fetchall():
            if line != "ok":
                raise sqlite3.DatabaseError(str(line))
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'act_sums'").fetchall():
            return []
        sums = dict(connection.execute("SELECT seq, sum FROM act_sums").fetchall())
        acts = {row[0]: act_sum(row) for row in connection.execute("SELECT * FROM acts").fetchall()}
        return sorted(seq for seq, wanted in sums.items() if acts.get(seq) != wanted)


def drop_damaged_acts(path: Path) -> list[int]:
    """Remove the acts that are not what was recorded; returns their numbers.

    Raises sqlite3.DatabaseError where the file itself is damaged.
    """
    damaged = damaged_acts(path) if path.exists() else []
    if damaged:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection, connection:
            for table in ("acts", "act_sums"):
                connection.executemany(f"DELETE FROM {table} WHERE seq = ?", [(seq,) for seq in damaged])
    return damaged
