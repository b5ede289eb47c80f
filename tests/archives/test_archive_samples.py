"""Real exports and other projects' fixtures, where they are at hand, against the counts a person found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from archive_reading import read
from sample_report import FORCED, NOT_READ, SAMPLES, SHARED, outcome, report, rows

from archives.registry import FORMATS


def test_the_samples_are_at_hand() -> None:
    if not rows():
        pytest.skip(f"no samples: {SAMPLES} is absent")
    assert len(rows()) > 50


def test_every_vendor_of_the_samples_has_a_reader() -> None:
    known = {row["vendor"] for row in rows()} - {"not_a_conversation", "malformed"}
    assert known <= {row.id for row in FORMATS}


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["file"])
def test_a_sample_is_read_as_expected(row: dict[str, Any], tmp_path: Path) -> None:
    assert outcome(row, tmp_path).differences == []


def test_what_is_read_otherwise_is_on_the_list() -> None:
    if not rows():
        pytest.skip(f"no samples: {SAMPLES} is absent")
    assert {row["file"] for row in rows()} >= FORCED.keys() | NOT_READ.keys()


def test_the_report_on_the_samples_is_up_to_date() -> None:
    if not rows():
        pytest.skip(f"no samples: {SAMPLES} is absent")
    path = Path(__file__).resolve().parents[2] / "docs" / "samples.md"
    assert path.read_text() == report(), "run: python tests/archives/sample_report.py > docs/samples.md"


def test_realmem_is_accounted_for_to_the_last_record() -> None:
    zips = sorted((SHARED / "evals" / "realmem").glob("*.zip"))
    if not zips:
        pytest.skip(f"no realmem: {SHARED / 'evals'} is absent")
    reports = [read(path)[1] for path in zips]
    roots = sum(report.conversations for report in reports)
    assert roots == 926
    assert [report.account for report in reports] == [path.stem for path in zips]
    assert all(report.complete for report in reports)
    # five of the messages are assistant turns without a word; each conversation has a null root besides
    assert sum(report.records for report in reports) == 6_733 + roots
    assert sum(report.messages for report in reports) == 6_733


def test_locomo_knows_its_owner() -> None:
    path = SHARED / "evals" / "locomo" / "conv-26.transcript.jsonl"
    if not path.exists():
        pytest.skip(f"no locomo: {path} is absent")
    conversations, report, _ = read(path)
    assert (report.conversations, report.messages, report.records_skipped) == (19, 419, 0)
    origins = {(message.author, segment.origin) for c in conversations for message in c.messages
               for segment in message.segments}  # fmt: skip
    assert origins == {("Caroline", "typed"), ("Melanie", "other")}
