"""How the owner has the live web set, from the environment (where `config.toml` is put too)."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

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
    """The settings in use. Raises UsageError where one that is yes or no is neither, where an address is
    none, or where a key has characters that no key has."""
    return WebSettings(
        enabled=said_yes("MNEMIC_WEB_ENABLED", otherwise=False),
        provider=os.environ.get("MNEMIC_WEB_PROVIDER", ""),
        searxng=_address("MNEMIC_WEB_SEARXNG"),
        brave_key=_key("BRAVE_API_KEY"),
        results=_path("MNEMIC_WEB_RESULTS"),
        sources=_path("MNEMIC_WEB_SOURCES"),
        browser=said_yes("MNEMIC_WEB_BROWSER", otherwise=True),
    )


def _path(name: str) -> Path | None:
    said = os.environ.get(name)
    return Path(said).expanduser() if said else None


def _key(name: str) -> str | None:
    said = os.environ.get(name, "").strip()
    if not (said.isascii() and said.isprintable()):
        why = "it has a quotation mark, a line end or another character that no key has"
        raise UsageError(f"{name} is no key", why=why, remedy="Copy it again, without what stands around it")
    return said or None


def _address(name: str) -> str | None:
    said = os.environ.get(name, "").strip()
    if said and not _is_address(said):
        why = f"it is {said.rpartition('@')[2][:80]!r}"  # before the @ may stand a password
        raise UsageError(f"{name} is no address", why=why, remedy="Say http:// or https://, and a host")
    return said or None


def _is_address(said: str) -> bool:
    try:
        parts = urlsplit(said)
        known = parts.hostname and parts.port != 0
        (parts.hostname or "").encode("idna")
    except ValueError:  # brackets that do not close, a port that is none, a label that is empty
        return False
    return parts.scheme in {"http", "https"} and bool(known) and said.isprintable() and " " not in said
