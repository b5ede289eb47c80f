"""Which results are worth a fetch: thin snippets of trusted sites, one a site, three at most.

The rules and numbers are those of the design's predecessor (`web_extraction.py`): trust from .3, a snippet
under 350 characters or that breaks off, one fetch a registrable domain. A selector without a model: the same
results always lead to the same pages.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import NamedTuple

from schemas.provenance import STANDING_WEIGHTS, Standing
from web.search.provider import SearchResult
from web.standing.domains import registrable_domain
from web.standing.source_standing import host_of

LEAST_TRUST = 0.3
THIN = 350
"""Characters of a snippet that is taken for enough, unless it breaks off."""
MOST_PAGES = 3

ELLIPSES = ("…", "...", "[…]")


class Skipped(StrEnum):
    """Why a result is not fetched."""

    NO_ADDRESS = "no address"
    BELOW_TRUST = "below trust"
    SNIPPET_SUFFICIENT = "the snippet suffices"
    SAME_DOMAIN = "its domain is fetched already"
    ENOUGH = "enough pages"


class Choice(NamedTuple):
    """A result, and why it is not fetched; None: it is."""

    place: int
    skipped: Skipped | None


def selected(
    results: Sequence[SearchResult],
    standings: Sequence[Standing],
    most: int = MOST_PAGES,
    fetched: Collection[str] = (),
) -> list[Choice]:
    """Of each result whether to fetch its page; the most trusted first, then in the provider's order.

    `fetched` are the registrable domains that an earlier search of the prompt had a page of.
    """
    order = sorted(range(len(results)), key=lambda place: (-STANDING_WEIGHTS[standings[place]], place))
    taken = set[str]()
    choices = []
    for place in order:
        result = results[place]
        domain = registrable_domain(host_of(result.url)) if host_of(result.url) else ""
        skipped = _why_not(result, standings[place], domain, taken | set(fetched))
        if skipped is None and len(taken) >= most:
            skipped = Skipped.ENOUGH
        if skipped is None:
            taken.add(domain)
        choices.append(Choice(place, skipped))
    return choices


def is_thin(snippet: str) -> bool:
    """Whether there is hardly anything in a snippet, or it breaks off."""
    return len(snippet) < THIN or snippet.rstrip().endswith(ELLIPSES)


def _why_not(result: SearchResult, standing: Standing, domain: str, taken: set[str]) -> Skipped | None:
    if not domain:
        return Skipped.NO_ADDRESS
    if STANDING_WEIGHTS[standing] < LEAST_TRUST:
        return Skipped.BELOW_TRUST
    if not is_thin(result.snippet):
        return Skipped.SNIPPET_SUFFICIENT
    return Skipped.SAME_DOMAIN if domain in taken else None
