"""The provider that is set. A new one is a module here, and a line in `PROVIDERS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from schemas.errors import UsageError
from web.search.brave import Brave
from web.search.fixed_results import FixedResults
from web.search.provider import SearchProvider
from web.search.searxng import SearXNG


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """What is set of the providers."""

    searxng: str | None = None
    brave_key: str | None = field(default=None, repr=False)
    results: Path | None = None


def _searxng(said: ProviderSettings) -> SearchProvider | None:
    return SearXNG(said.searxng) if said.searxng else None


def _brave(said: ProviderSettings) -> SearchProvider | None:
    return Brave(said.brave_key) if said.brave_key else None


def _file(said: ProviderSettings) -> SearchProvider | None:
    return FixedResults(said.results) if said.results else None


PROVIDERS: dict[str, tuple[Callable[[ProviderSettings], SearchProvider | None], str]] = {
    "searxng": (_searxng, "MNEMIC_WEB_SEARXNG"),
    "brave": (_brave, "BRAVE_API_KEY"),
    "file": (_file, "MNEMIC_WEB_RESULTS"),
}
"""How each is opened, and the setting that it needs."""


def chosen_provider(name: str, said: ProviderSettings) -> SearchProvider:
    """The provider by its name. Raises UsageError for an unknown name, or a setting that it lacks."""
    if name not in PROVIDERS:
        known = ", ".join(PROVIDERS)
        raise UsageError(
            f"there is no search provider {name!r}" if name else "no search provider is set",
            remedy=f"MNEMIC_WEB_PROVIDER names one of {known}",
        )
    make, setting = PROVIDERS[name]
    provider = make(said)
    if provider is None:
        raise UsageError(f"the search provider {name} is not set up", remedy=f"Set {setting}")
    return provider
