"""Saved pages of the web follow the owner's acts on accounts, as conversations do."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from schemas.act import Act, ActKind
from schemas.base import sha256_text
from schemas.provenance import Standing
from vault.accounts import Names, names_of
from vault.layout import VaultLayout
from vault.web_pages import SavedPage, WebPages

EPOXY, TIDES = "https://epoxy.example/", "https://tides.example/"
EMBEDDER = "an embedder"


def save(layout: VaultLayout, account: str, url: str, day: int, names: Names | None = None) -> None:
    text = f"what {account} read on day {day}"
    page = SavedPage(
        url=url,
        title="A page",
        fetched_at=datetime(2026, 3, day, tzinfo=UTC),
        published=None,
        sha256=sha256_text(text),
        standing=Standing.SINGLE,
        text=text,
    )
    pages = WebPages(layout, account, names)
    pages.save(page, [(text, ())], EMBEDDER, np.ones((1, 2), dtype=np.float32))


def acts(*said: tuple[ActKind, str, str]) -> Names:
    made = [
        Act(seq=at, id=f"a{at}", lot=f"l{at}", at=datetime(2026, 4, 1, tzinfo=UTC), kind=kind, actor="user",
            subject=subject, reason="", detail=detail)
        for at, (kind, subject, detail) in enumerate(said, 1)
    ]  # fmt: skip
    return names_of(made)


@pytest.fixture
def layout(tmp_path: Path) -> VaultLayout:
    made = VaultLayout(tmp_path)
    save(made, "boat", EPOXY, 2)
    save(made, "boat", TIDES, 3)
    save(made, "me", EPOXY, 1)
    save(made, "work", TIDES, 4)
    return made


def shown(layout: VaultLayout, account: str, names: Names | None = None) -> list[tuple[str, str]]:
    pages = WebPages(layout, account, names)
    told, stale = pages.passages(EMBEDDER)
    assert stale == []
    assert sorted(one.text for one in told) == sorted(one.text for one in pages.pages())
    return [(one.url, one.text) for one in pages.pages()]


MERGED = acts((ActKind.ACCOUNT_MERGE, "boat", "me"))


def test_a_merge_brings_the_pages_and_the_newer_fetch_counts(layout: VaultLayout) -> None:
    assert shown(layout, "me", MERGED) == [
        (EPOXY, "what boat read on day 2"),
        (TIDES, "what boat read on day 3"),
    ]
    assert shown(layout, "boat", MERGED) == [], "nothing is shown twice"
    assert shown(layout, "work", MERGED) == [(TIDES, "what work read on day 4")]


def test_a_rename_keeps_the_pages(layout: VaultLayout) -> None:
    names = acts((ActKind.ACCOUNT_RENAME, "work", "office"), (ActKind.ACCOUNT_RENAME, "office", "acme"))
    assert shown(layout, "acme", names) == [(TIDES, "what work read on day 4")]


def test_an_undone_merge_gives_the_pages_back(layout: VaultLayout) -> None:
    undone = acts((ActKind.ACCOUNT_MERGE, "boat", "me"), (ActKind.UNDO, "l1", "a1"))
    assert shown(layout, "me", undone) == [(EPOXY, "what me read on day 1")]
    assert len(shown(layout, "boat", undone)) == 2


def test_dropping_after_a_merge_leaves_nothing_of_a_page(layout: VaultLayout) -> None:
    assert WebPages(layout, "me", MERGED).drop([EPOXY]) == 1
    assert shown(layout, "me", MERGED) == [(TIDES, "what boat read on day 3")]
    assert b"what me read" not in layout.web.read_bytes()


def test_a_page_saved_after_a_merge_replaces_both(layout: VaultLayout) -> None:
    save(layout, "me", EPOXY, 9, MERGED)
    assert (EPOXY, "what me read on day 9") in shown(layout, "me", MERGED)
    assert len(shown(layout, "me", MERGED)) == 2


def test_the_log_of_what_was_sent_goes_along(layout: VaultLayout) -> None:
    WebPages(layout, "boat").sent("search", "brave.example", "epoxy", "--web always")
    pages = WebPages(layout, "me", MERGED)
    assert [one.what for one in pages.log(5)] == ["epoxy"]
    assert (pages.clear_log(), pages.log(5)) == (1, [])
