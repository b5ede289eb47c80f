"""Tables of the ledger that follow from others, and are brought up to date with every publication."""

from __future__ import annotations

from vault.ledger import Ledger

REWRITE_SHARE = 0.1
"""Where more of a table changes, it is written anew, in order; a smaller change is made in place."""
COMPARED_ROWS = 100_000
"""Rows that are compared at once: the database holds both sides of a comparison in memory, and a million
would not fit into what a writer may take."""


def replace_rows(ledger: Ledger, table: str, settled: str, order: str, index: str | None = None) -> bool:
    """Make a table's rows those that were settled, changing no more of the file than need be; returns whether
    anything had to change. `order`: the columns by which a row is known.

    An index of the table is dropped where all its rows change: it is made at once afterwards.
    """
    ((before, after),) = ledger.query(
        f"SELECT (SELECT count(*) FROM {table}), (SELECT count(*) FROM {settled})"
    )
    _differences(ledger, "gone", table, settled, order, int(str(before)))
    _differences(ledger, "new", settled, table, order, int(str(after)))
    ((gone, new),) = ledger.query("SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM new)")
    changed = int(str(gone)) + int(str(new))
    if changed > REWRITE_SHARE * int(str(after)):
        if index is not None:
            ledger.query(f"DROP INDEX IF EXISTS {index}")
        ledger.query(f"DELETE FROM {table}")
        ledger.query(f"INSERT INTO {table} FROM {settled} ORDER BY {order}")
    elif changed:
        key = order.split(", ")
        same = " AND ".join(f"t.{name} = g.{name}" for name in key)
        ledger.query(f"DELETE FROM {table} t USING gone g WHERE {same}")
        ledger.query(f"INSERT INTO {table} FROM new ORDER BY {order}")
    ledger.query("DROP TABLE temp.gone")
    ledger.query("DROP TABLE temp.new")
    return changed > 0


def _differences(ledger: Ledger, name: str, rows: str, others: str, order: str, count: int) -> None:
    """Make the temporary table of the rows, so many, that the others lack, a part of them after another."""
    parts = 1 + count // COMPARED_ROWS
    for part in range(parts):
        among = f"WHERE hash({order}) % {parts} = {part}" if parts > 1 else ""
        # with few rows each statement costs more to plan than to run: 2 to 4 ms
        into = f"INSERT INTO {name}" if part else f"CREATE OR REPLACE TEMP TABLE {name} AS"
        ledger.query(f"{into} (SELECT * FROM {rows} {among}) EXCEPT ALL (SELECT * FROM {others} {among})")
