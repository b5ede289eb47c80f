from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from vault.ledger import Ledger
from vault.migrations import MIGRATIONS


@pytest.mark.parametrize("version", [migration.version for migration in MIGRATIONS])
def test_a_ledger_of_any_released_version_is_read(tmp_path: Path, version: int) -> None:
    path = tmp_path / "ledger.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE migrations (version BIGINT, name VARCHAR, applied_at TIMESTAMPTZ)")
        for migration in MIGRATIONS[:version]:
            connection.execute(migration.sql).fetchall()
            row = [migration.version, migration.name]
            connection.execute("INSERT INTO migrations VALUES (?, ?, now())", row)
    with Ledger.open(path, read_only=True) as ledger:
        assert ledger.query("SELECT count(*) FROM units_current") == [(0,)]
