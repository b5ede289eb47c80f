"""A page read by escalation: over HTTP, and in a browser where its text is behind interaction."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from web.fetch.fetcher import Fetcher
from web.fetch.outcome import Fetched, Outcome
from web.pages.extraction import PageText, extracted

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WRITABLE = Outcome.BEHIND_INTERACTION


class PageReader:
    """Reads pages with a fetcher, and with a browser where one is given."""

    def __init__(self, fetcher: Fetcher, browser: Browser | None = None) -> None:
        self._fetcher, self._browser = fetcher, browser

    def read(self, url: str) -> PageText:
        """The text of a page, or the outcome and reason of there being none."""
        fetched = self._fetcher.fetch(url)
        if fetched.outcome is not Outcome.KEPT:
            return _ended(fetched)
        page = extracted(fetched)
        if page.outcome is not WRITABLE or self._browser is None or not page.scripted:
            return page
        from web.fetch.browser import rendered  # playwright

        written = rendered(self._browser, self._fetcher, fetched)
        if written.outcome is not Outcome.KEPT:
            return replace(page, reason=f"{page.reason}; {written.reason}")
        return extracted(written, rendered=True)


def _ended(fetched: Fetched) -> PageText:
    return PageText("", "", None, fetched.outcome, fetched.reason, url=fetched.url)
