from __future__ import annotations

from pathlib import Path

from vault.ledger import Ledger

PAGE = Path(__file__).parents[2] / "docs" / "ledger.md"


def test_every_table_and_view_is_documented(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    with Ledger.open(tmp_path / "ledger.duckdb", read_only=False) as ledger:
        views = ledger.query("SELECT view_name FROM duckdb_views() WHERE NOT internal")
        names = {*ledger.tables(), *(str(view) for (view,) in views)}
        assert sorted(name for name in names if name not in page) == []
        for (view,) in views:
            ledger.query(f"SELECT * FROM {view}")
