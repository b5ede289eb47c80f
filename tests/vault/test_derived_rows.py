"""Tables that follow from others are brought up to date in little memory."""

from __future__ import annotations

from pathlib import Path

from vault.derived_rows import COMPARED_ROWS, replace_rows
from vault.ledger import Ledger

MANY = 2 * COMPARED_ROWS + 1
TIGHT = "64MB"
"""A comparison of all of MANY rows at once does not fit into it."""


def test_many_rows_are_compared_in_little_memory(tmp_path: Path) -> None:
    rows = f"""SELECT 'me' AS account, 'paths' AS tree, 3 AS depth, 'first.second.third' || range AS prefix,
               1::BIGINT AS keys, 1::BIGINT AS notes, 'Note ' || range || ' says this and that.' AS sample
               FROM range({MANY})"""
    with Ledger.open(tmp_path / "ledger.duckdb", read_only=False) as ledger:
        ledger.query(f"INSERT INTO path_counts BY NAME {rows}")
        ledger.query(f"CREATE TEMP TABLE settled AS SELECT * FROM ({rows}) WHERE prefix NOT LIKE '%7777'")
        ledger.query("INSERT INTO settled SELECT * REPLACE (9 AS notes) FROM settled LIMIT 1")
        ledger.query(f"SET memory_limit = '{TIGHT}'")
        assert replace_rows(ledger, "path_counts", "settled", "account, tree, depth, prefix, notes")
        ((held, asked),) = ledger.query(
            "SELECT (SELECT count(*) FROM path_counts), (SELECT count(*) FROM settled)"
        )
        assert held == asked
        assert ledger.query("SELECT count(*) FROM path_counts WHERE notes = 9") == [(1,)]
        assert not replace_rows(ledger, "path_counts", "settled", "account, tree, depth, prefix, notes")
