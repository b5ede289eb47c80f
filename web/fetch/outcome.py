"""How a fetch ended. Nothing is dropped silently: every page has one of these, and a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PageOutcome(StrEnum):
    """The bucket of a page. The first four say what to do next, the others that nothing is to be done."""

    KEPT = "kept"
    NOT_FOUND = "not found"
    """No such page or host: search again in other words."""
    THIN = "found but thin"
    """There is hardly any text, and nothing that would give more."""
    BEHIND_INTERACTION = "behind interaction"
    """Scripts, a form or a payment stand before the text: the browser may help."""
    EXCLUDED = "excluded site"
    PRIVATE = "private address"
    ROBOTS = "robots.txt refuses"
    REDIRECTS = "redirects without end"
    TOO_LARGE = "too large"
    TOO_SLOW = "too slow"
    NOT_TEXT = "no text"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one fetch may take."""

    seconds: float = 10.0
    """For a page with everything that leads to it: names, robots.txt, redirects."""
    bytes: int = 2_000_000
    """Of a page's body, unpacked."""
    redirects: int = 5
    parse_seconds: float = 5.0
    """For the text of a page that was fetched."""
    browser_seconds: float = 12.0
    browser_requests: int = 60
    """Scripts, styles and answers that a page may load in the browser; no pictures, films and fonts."""
    browser_bytes: int = 12_000_000
    """Of all of them."""


BOUNDS = Bounds()


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of an address."""

    url: str
    """Where it ended, after redirects."""
    outcome: PageOutcome
    """KEPT: there is a body; whether that says anything is for `web.pages.extraction`."""
    reason: str = ""
    body: bytes = b""
    charset: str | None = None
    """As the header has it; None where it says nothing."""
    markup: bool = True
    """Whether the body is HTML."""


class FetchRefusal(Exception):
    """Ends a fetch: the outcome and why. It unwinds to `Fetcher.fetch`, or to
    `web.search.json_request`, and is seen by no other folder."""

    def __init__(self, outcome: PageOutcome, reason: str) -> None:
        self.outcome, self.reason = outcome, reason
        super().__init__(f"{outcome}: {reason}")
