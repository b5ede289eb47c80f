"""A page read by escalation: over HTTP, and in a browser where its text is behind interaction."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from schemas.deferred import deferred
from schemas.errors import MachineError
from web.fetch.fetcher import Fetcher
from web.fetch.outcome import Fetched, PageOutcome
from web.pages.extraction import PageText
from web.pages.parser_process import PageParser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from web.fetch import browser
else:
    browser = deferred("web.fetch.browser")


class PageReader:
    """Reads pages with a fetcher, a parser, and a browser that is opened for the first page that needs it.

    A context: parser and browser are closed at its end.
    """

    def __init__(
        self, fetcher: Fetcher, open_browser: Callable[[], AbstractContextManager[Browser]] | None = None
    ) -> None:
        self._fetcher, self._open = fetcher, open_browser
        self._parser = PageParser(fetcher.bounds)
        self._browser: Browser | None = None
        self._why_none = "" if open_browser else "no browser is to be used"
        self._browsers = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._parser.close()
        self._browsers.close()

    def read(self, url: str) -> PageText:
        """The text of a page, or the outcome and reason of there being none."""
        fetched = self._fetcher.fetch(url)
        if fetched.outcome is not PageOutcome.KEPT:
            return PageText("", "", None, fetched.outcome, fetched.reason, url=fetched.url)
        page = self._parser.parsed(fetched)
        if page.outcome is not PageOutcome.BEHIND_INTERACTION or not page.scripted:
            return page
        written = self._rendered(fetched)
        if written.outcome is not PageOutcome.KEPT:
            return replace(page, reason=f"{page.reason}; {written.reason}")
        return self._parser.parsed(written, rendered=True)

    def _rendered(self, fetched: Fetched) -> Fetched:
        for _ in range(2):  # a browser that ended since the last page is opened anew, once
            current = self._opened()
            if current is None:
                return Fetched(fetched.url, PageOutcome.BEHIND_INTERACTION, self._why_none)
            written = browser.rendered(current, self._fetcher, fetched)
            if written is None or not current.is_connected():  # or it had to be ended with the page
                self._browsers.close()
                self._browser = None
            if written is not None:
                return written
        return Fetched(fetched.url, PageOutcome.FAILED, "in the browser: it ended before the page was opened")

    def _opened(self) -> Browser | None:
        if self._browser is None and not self._why_none and self._open is not None:
            try:
                self._browser = self._browsers.enter_context(self._open())
            except MachineError as error:
                self._why_none = str(error)
        return self._browser
