from __future__ import annotations

from pathlib import Path

from flows.generation.index_points import SOURCES
from vault.ledger import COUNTED_TABLES, Ledger
from vault.ownership import OWNERSHIP
from vault.points import PointKind


def test_every_table_says_whose_its_rows_are(tmp_path: Path) -> None:
    """A new table must be covered by erasures: give it a line in `vault/ownership.py`."""
    with Ledger.open(tmp_path / "ledger.duckdb", read_only=False) as ledger:
        assert set(ledger.tables()) == set(OWNERSHIP)
        assert set(COUNTED_TABLES) <= set(ledger.tables())


def test_every_kind_of_point_can_be_composed_from_the_ledger() -> None:
    """A new kind must be covered by a rebuild: give it a source in `flows/generation/index_points.py`."""
    assert {kind for source in SOURCES for kind in source.kinds} == set(PointKind)
