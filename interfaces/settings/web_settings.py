"""How the owner has the live web set, from the environment (where `config.toml` is put too)."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from schemas.errors import UsageError
from vault.options import said_yes


@dataclass(frozen=True, slots=True)
class WebSettings:
    """What is set."""

    enabled: bool
    """Off unless the owner says otherwise: nothing leaves the machine."""
    provider: str
    searxng: str | None
    brave_key: str | None = field(repr=False)
    results: Path | None
    sources: Path | None
    browser: bool


def web_settings() -> WebSettings:
    """The settings in use. Raises UsageError where one that is yes or no is neither."""
    return WebSettings(
        enabled=said_yes("MNEMIC_WEB_ENABLED", otherwise=False),
        provider=os.environ.get("MNEMIC_WEB_PROVIDER", ""),
        searxng=_address("MNEMIC_WEB_SEARXNG"),
        brave_key=os.environ.get("BRAVE_API_KEY") or None,
        results=_path("MNEMIC_WEB_RESULTS"),
        sources=_path("MNEMIC_WEB_SOURCES"),
        browser=said_yes("MNEMIC_WEB_BROWSER", otherwise=True),
    )


def _path(name: str) -> Path | None:
    said = os.environ.get(name)
    return Path(said).expanduser() if said else None


def _address(name: str) -> str | None:
    said = os.environ.get(name)
    if said and not said.startswith(("http://", "https://")):
        raise UsageError(
            f"{name} is no address", why=f"it is {said[:80]!r}", remedy="Say http:// or https://"
        )
    return said or None
