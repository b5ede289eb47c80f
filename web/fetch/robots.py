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
MOST_WEIGHT = 100_000
"""Protego keeps each rule once for each agent of its group, in 2 to 5 microseconds and 80 bytes each, and
looks for each agent among those of its group. A group of 300 agents may have 330 rules."""
LOOKED_AT = 256
"""Agents that are looked at in the time in which one rule is kept."""


class RobotsRules:
    """The rules of sites, each read once."""

    def __init__(self) -> None:
        self._known: dict[str, Protego | str] = {}
        """By origin; why there are none, where they cannot be read."""

    def check(self, origin: str, url: str, read: Callable[[str], tuple[int, bytes]]) -> None:
        """Raises Refusal where the site's rules, or their absence, say that the page is not for us.

        `read` gives status and body of an address. A status of 4xx means that there are no rules; any other
        failure, that nothing may be fetched (RFC 9309, 2.3.1).
        """
        if origin not in self._known:
            self._known[origin] = _rules(f"{origin}/robots.txt", read)
        rules = self._known[origin]
        if isinstance(rules, str):
            raise FetchRefusal(
                PageOutcome.ROBOTS, f"the rules at {origin}/robots.txt cannot be read: {rules}"[:200]
            )
        if not rules.can_fetch(url, AGENT):
            raise FetchRefusal(PageOutcome.ROBOTS, f"by {origin}/robots.txt")


def _rules(address: str, read: Callable[[str], tuple[int, bytes]]) -> Protego | str:
    try:
        parse = protego.Protego.parse
    except ImportError as error:
        raise web_extra_missing("protego") from error
    try:
        status, body = read(address)
    except FetchRefusal as refusal:
        if refusal.outcome in {PageOutcome.PRIVATE, PageOutcome.NOT_FOUND, PageOutcome.TOO_SLOW}:
            raise
        return refusal.reason
    if 200 <= status < 300:
        text = body.decode("utf-8", "replace")
        return parse(text) if _weight(text) <= MOST_WEIGHT else "there are too many rules for too many agents"
    return parse("") if 400 <= status < 500 else f"status {status}"


def _weight(text: str) -> int:
    """How much Protego would keep of the rules. What may name an agent is counted; that a group has ended is
    believed only where Protego is sure of it too."""
    weight = agents = 0
    ruled = False
    for line in text.splitlines():
        field = line.partition("#")[0].partition(":")[0].strip().lower()
        if field.startswith("user"):
            agents = 1 if ruled and field == "user-agent" else agents + 1
            weight += agents // LOOKED_AT
            ruled = False
        elif field:
            weight += agents
            ruled = ruled or field in {"allow", "disallow"}
    return weight
