"""The page on the formats of 2026 is true, and what readers find is what stands in the files."""

from __future__ import annotations

from pathlib import Path

import pytest
from newer_formats_report import report, rows


def test_the_page_on_newer_formats_is_true() -> None:
    path = Path(__file__).resolve().parents[2] / "docs" / "newer-formats.md"
    assert path.read_text(encoding="utf-8") == report(), "run: python tests/archives/newer_formats_report.py"


@pytest.mark.parametrize(
    "row", rows(), ids=lambda row: f"{row[0].module}-{getattr(row[0].at, '__name__', row[0].at)}"
)
def test_a_difference_of_counts_has_its_reason(row) -> None:
    one, (conversations, messages, left), counted = row
    assert (conversations, messages) == counted or one.why or left
