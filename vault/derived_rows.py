"""Tables of the ledger that follow from others, and are brought up to date with every publication."""

from __future__ import annotations

from vault.ledger import Ledger

REWRITE_SHARE = 0.1
"""Where more of a table changes, it is written anew, in order; a smaller change is made in place."""


def replace_rows(ledger: Ledger, table: str, settled: str, order: str, index: str | None = None) -> bool:
    """Make a table's rows those that were settled, changing no more of the file than need be; returns whether
    anything had to change. `order`: the columns by which a row is known.

    An index of the table is dropped where all its rows change: it is made at once afterwards.
    """
    ledger.query(f"CREATE OR REPLACE TEMP TABLE gone AS FROM {table} EXCEPT ALL FROM {settled}")
    ledger.query(f"CREATE OR REPLACE TEMP TABLE new AS FROM {settled} EXCEPT ALL FROM {table}")
    ((gone, new, all_of_them),) = ledger.query(
        f"SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM new), (SELECT count(*) FROM {settled})"
    )
    changed = int(str(gone)) + int(str(new))
    if changed > REWRITE_SHARE * int(str(all_of_them)):
        if index is not None:
            ledger.query(f"DROP INDEX IF EXISTS {index}")
        ledger.query(f"DELETE FROM {table}")
        ledger.query(f"INSERT INTO {table} FROM {settled} ORDER BY {order}")
    else:
        key = order.split(", ")
        same = " AND ".join(f"t.{name} = g.{name}" for name in key)
        ledger.query(f"DELETE FROM {table} t USING gone g WHERE {same}")
        ledger.query(f"INSERT INTO {table} FROM new ORDER BY {order}")
    ledger.query("DROP TABLE temp.gone")
    ledger.query("DROP TABLE temp.new")
    return changed > 0
