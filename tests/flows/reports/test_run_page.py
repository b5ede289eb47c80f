"""The page on a run: it needs nothing else, and nothing of an archive is more than words in it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from flows.reports.run_page import html_report
from flows.reports.run_summary import ArchiveOutcome, ArchiveResult, ModelUse, RunSummary
from schemas.report import ImportNote, ImportReport, NoteKind


def summary(words: str) -> RunSummary:
    note = ImportNote(
        kind=NoteKind.REJECTED, reason=words, where=words, count=2, remedy=words, sample="unshown"
    )
    report = ImportReport(
        archive=words, archive_hash="0" * 64, account=words, format="x", reader="x/1", conversations=1,
        messages=2, records=4, records_skipped=2, complete=False, notes=(note,),
    )  # fmt: skip
    return RunSummary(
        run="run", vault=words, started_at=datetime(2026, 3, 1, tzinfo=UTC),
        archives=(
            ArchiveResult(archive=words or "x", outcome=ArchiveOutcome.PARTLY, report=report),
            ArchiveResult(archive="bad.zip", outcome=ArchiveOutcome.FAILED, error=words),
        ),
        made={"units": 3, words: 1}, units_by_category={"fact": 3}, units_by_state={"passed": 3},
        dropped={words: 4}, generation=1, published=True, rows={"units": 3}, seconds={"read": 0.25},
        model_use=ModelUse(
            model=words, mode="batch", questions=2, answered_before=1, expected_usd=0.5, spent_usd=0.25,
            stopped=words,
        ),
    )  # fmt: skip


class Tags(HTMLParser):
    """What elements and attributes a page has."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def shape(page: str) -> tuple[set[str], set[str]]:
    read = Tags()
    read.feed(page)
    return read.tags, read.attributes


PLAIN = shape(html_report(summary("plain")))


@given(
    st.text(min_size=1)
    | st.sampled_from(["<script>alert(1)</script>", '"><img src=x onerror=y>', "</svg><a href=x>"])
)
def test_words_of_an_archive_make_no_element(words: str) -> None:
    assert shape(html_report(summary(words))) == PLAIN


def test_the_page_says_counts_reasons_costs_and_times_and_loads_nothing() -> None:
    page = html_report(summary("too old"))
    for told in ("too old", "bad.zip", "0.2500", "Seconds by stage", "0.25"):
        assert told in page
    assert "unshown" not in page
    assert "script" not in PLAIN[0]
    assert not re.search(r"https?:|src=|href=", page)
