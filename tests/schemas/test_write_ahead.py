from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from schemas.write_ahead import log_ahead

AT_ONCE = 8


def test_many_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    for attempt in range(30):  # without another try about one in ten of them is refused
        together = threading.Barrier(AT_ONCE)

        def opened(file: Path, together: threading.Barrier) -> str:
            with closing(sqlite3.connect(file, timeout=30, isolation_level=None)) as connection:
                together.wait()
                log_ahead(connection, 30)
                connection.execute("CREATE TABLE IF NOT EXISTS notes (id TEXT)")
                return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

        with ThreadPoolExecutor(AT_ONCE) as threads:
            asked = [threads.submit(opened, tmp_path / f"{attempt}.db", together) for _ in range(AT_ONCE)]
            assert [one.result() for one in asked] == ["wal"] * AT_ONCE


def test_a_file_that_stays_locked_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "held.db"
    with (
        closing(sqlite3.connect(file, isolation_level=None)) as holder,
        closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as late,
    ):
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            log_ahead(late, 0.05)
