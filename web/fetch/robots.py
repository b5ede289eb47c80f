"""What a site's robots.txt lets us fetch (RFC 9309), read by Protego."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from schemas.deferred import deferred
from web.fetch.outcome import FetchRefusal, PageOutcome
from web.fetch.transport import AGENT
from web.standing.domains import web_extra_missing

if TYPE_CHECKING:
    import protego
    from protego import Protego
else:
    protego = deferred("protego")

MOST_BYTES = 512 * 1024
"""RFC 9309, 2.5: at least 500 KiB have to be read."""


class RobotsRules:
    """The rules of sites, each read once."""

    def __init__(self) -> None:
        self._known: dict[str, Protego | None] = {}

    def check(self, origin: str, url: str, read: Callable[[str], tuple[int, bytes]]) -> None:
        """Raises Refusal where the site's rules, or their absence, say that the page is not for us.

        `read` gives status and body of an address. A status of 4xx means that there are no rules; any other
        failure, that nothing may be fetched (RFC 9309, 2.3.1).
        """
        if origin not in self._known:
            self._known[origin] = _rules(f"{origin}/robots.txt", read)
        rules = self._known[origin]
        if rules is None:
            raise FetchRefusal(PageOutcome.ROBOTS, f"the rules at {origin}/robots.txt cannot be read")
        if not rules.can_fetch(url, AGENT):
            raise FetchRefusal(PageOutcome.ROBOTS, f"by {origin}/robots.txt")


def _rules(address: str, read: Callable[[str], tuple[int, bytes]]) -> Protego | None:
    try:
        parse = protego.Protego.parse
    except ImportError as error:
        raise web_extra_missing("protego") from error
    try:
        status, body = read(address)
    except FetchRefusal as refusal:
        if refusal.outcome in {PageOutcome.PRIVATE, PageOutcome.NOT_FOUND, PageOutcome.TOO_SLOW}:
            raise
        return None
    if 200 <= status < 300:
        return parse(body.decode("utf-8", "replace"))
    return parse("") if 400 <= status < 500 else None
