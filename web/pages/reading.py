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
from web.pages.extraction import PageText, extracted

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from web.fetch import browser
else:
    browser = deferred("web.fetch.browser")


class PageReader:
    """Reads pages with a fetcher, and with a browser that is opened for the first page that needs it.

    A context: the browser is closed at its end.
    """

    def __init__(
        self, fetcher: Fetcher, open_browser: Callable[[], AbstractContextManager[Browser]] | None = None
    ) -> None:
        self._fetcher, self._open = fetcher, open_browser
        self._browser: Browser | None = None
        self._why_none = "" if open_browser else "no browser is to be used"
        self._held = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def read(self, url: str) -> PageText:
        """The text of a page, or the outcome and reason of there being none."""
        fetched = self._fetcher.fetch(url)
        if fetched.outcome is not PageOutcome.KEPT:
            return PageText("", "", None, fetched.outcome, fetched.reason, url=fetched.url)
        page = _extracted(fetched)
        if page.outcome is not PageOutcome.BEHIND_INTERACTION or not page.scripted:
            return page
        written = self._rendered(fetched)
        if written.outcome is not PageOutcome.KEPT:
            return replace(page, reason=f"{page.reason}; {written.reason}")
        return _extracted(written, rendered=True)

    def _rendered(self, fetched: Fetched) -> Fetched:
        if self._browser is None and not self._why_none and self._open is not None:
            try:
                self._browser = self._held.enter_context(self._open())
            except MachineError as error:
                self._why_none = str(error)
        if self._browser is None:
            return Fetched(fetched.url, PageOutcome.BEHIND_INTERACTION, self._why_none)
        return browser.rendered(self._browser, self._fetcher, fetched)


DEFECTS = (ValueError, TypeError, AttributeError, LookupError, RecursionError, SyntaxError, AssertionError)
"""What a parser that meets markup it was not made for may raise; lxml's own errors are SyntaxErrors."""


def _extracted(fetched: Fetched, *, rendered: bool = False) -> PageText:
    """The text of a page; markup on which the parser fails costs that page alone."""
    try:
        return extracted(fetched, rendered=rendered)
    except DEFECTS as error:
        reason = f"its markup cannot be read: {type(error).__name__}"
        return PageText("", "", None, PageOutcome.FAILED, reason, url=fetched.url)
