"""What a search provider is: a query in, results out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

from schemas.base import Instant, Noun

LIMIT = 10
"""Results that one search asks for."""

MOST_TITLE, MOST_SNIPPET, MOST_ADDRESS = 300, 2_000, 2_000
"""Characters that are taken of a result's parts. A longer address is no result."""


class SearchResult(Noun):
    """One result: what the provider says of a page. Text is plain, without controls."""

    url: str
    title: str
    snippet: str
    published: Instant | None = None
    """When the page was written, where the provider says so."""


class SearchProvider(Protocol):
    """Answers a query with results, best first."""

    @property
    def name(self) -> str:
        """What the provider is called in settings, logs and reports."""
        ...

    @property
    def place(self) -> str:
        """Where a query goes: a host, or a file of this machine."""
        ...

    def search(self, query: str, limit: int = LIMIT) -> list[SearchResult]:
        """At most `limit` results. Raises ServiceRefused or ServiceUnavailable where there is no answer."""
        ...


def moment_of(said: object) -> datetime | None:
    """A time as a provider writes it, in UTC; None for what is no ISO time."""
    if not isinstance(said, str):
        return None
    try:
        moment = datetime.fromisoformat(said)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
