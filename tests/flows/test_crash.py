from __future__ import annotations

from pathlib import Path

from benchmarks.crash import LEAST_COSINE, drill

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample" / "conversations.json"


def test_killed_ingests_lose_nothing_and_the_rerun_ends_the_same(tmp_path: Path) -> None:
    """A short drill; `benchmarks/crash.py` runs the long one."""
    result = drill([SAMPLE], kills=5, seed=7, folder=tmp_path)
    assert result.kills >= 2
    assert result.tables_equal
    assert result.least_cosine >= LEAST_COSINE
