"""Saved pages fetched again: what changed is stored anew, what is gone or refuses is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from inference.embedder import Embedder
from schemas.base import Noun, sha256_text
from schemas.provenance import Standing
from vault.web_pages import SavedPage, WebPages
from web.fetch.outcome import PageOutcome
from web.pages.reading import PageReader
from web.saved_lane import store_page
from web.standing.source_lists import SourceLists
from web.standing.source_standing import host_of, same_host


class Refreshed(Noun):
    """What came of looking at a page again."""

    url: str
    outcome: str
    """`same`, `changed`, `elsewhere` where it leads to another host now, or the outcome of the fetch: in
    these the page stays as it was saved."""
    reason: str = ""


def refresh(
    pages: WebPages, among: Sequence[SavedPage], reader: PageReader, lists: SourceLists, embedder: Embedder
) -> Iterator[Refreshed]:
    """Fetch each page again, one after the other. What the lists say of its site now holds from now on."""
    for page in among:
        pages.sent("page", host_of(page.url), page.url, "a saved page is refreshed")
        read = reader.read(page.url)
        if read.outcome is not PageOutcome.KEPT:
            yield Refreshed(url=page.url, outcome=read.outcome.value, reason=read.reason)
            continue
        if read.url and not same_host(read.url, page.url):
            # its words would be stored with the name and the standing of a host that did not write them
            yield Refreshed(url=page.url, outcome="elsewhere", reason=f"it leads to {host_of(read.url)} now")
            continue
        now = datetime.now(UTC)
        known = lists.listed(host_of(page.url))
        standing = known or (Standing.SINGLE if page.standing is Standing.WHITELISTED else page.standing)
        again = page.model_copy(
            update={
                "title": read.title or page.title,
                "fetched_at": now,
                "published": read.published or page.published,
                "sha256": sha256_text(read.text),
                "standing": standing,
                "text": read.text,
            }
        )
        store_page(pages, again, embedder)
        same = again.sha256 == page.sha256
        yield Refreshed(url=page.url, outcome="same" if same else "changed")
