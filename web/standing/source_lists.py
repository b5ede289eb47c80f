"""The lists of sites, from the file that is shipped and from the owner's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path

import yaml

from schemas.errors import PathMissing, UsageError
from schemas.provenance import Standing
from web.standing.domains import ascii_host, registrable_domain, within

_LISTS = {"whitelisted": Standing.WHITELISTED, "excluded": Standing.EXCLUDED}
_MOST_BYTES = 4_000_000


@dataclass(frozen=True)
class SourceLists:
    """Which sites are trusted or not wanted, and who owns them."""

    sites: Mapping[str, Standing] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)
    """Owner by registrable domain."""

    def listed(self, host: str) -> Standing | None:
        """What the lists say of a host: excluded before whitelisted of one length, the longest name first."""
        plain = ascii_host(host)
        found = [site for site in self.sites if within(plain, site)]
        return self.sites[max(found, key=len)] if found else None

    def owner(self, host: str) -> str:
        """Who answers for a host: the owner on the list, else its registrable domain."""
        domain = registrable_domain(host)
        return self.owners.get(domain, domain)

    @cached_property
    def excluded(self) -> frozenset[str]:
        """The sites that are not wanted."""
        return frozenset(site for site, said in self.sites.items() if said is Standing.EXCLUDED)


def source_lists(own: Path | None = None) -> SourceLists:
    """The shipped lists, and those of the owner's file laid over them.

    Raises PathMissing and UsageError for the owner's file.
    """
    shipped = _read(resources.files("web").joinpath("standing/data/sources.yaml").read_text("utf-8"), "")
    if own is None:
        return shipped
    if not own.is_file():
        raise PathMissing(
            "there is no such file of sources", where=str(own), remedy="MNEMIC_WEB_SOURCES names it"
        )
    if own.stat().st_size > _MOST_BYTES:
        raise UsageError(f"the file of sources is longer than {_MOST_BYTES} bytes", where=str(own))
    mine = _read(own.read_text(encoding="utf-8", errors="replace"), str(own))
    return SourceLists({**shipped.sites, **mine.sites}, {**shipped.owners, **mine.owners})


def _read(text: str, where: str) -> SourceLists:
    try:
        said = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise _unreadable(where, str(error).replace("\n", " ")) from error
    said = {} if said is None else said
    if not isinstance(said, Mapping):
        raise _unreadable(where, "it is no mapping")
    if unknown := set(said) - {*_LISTS, "owners"}:
        raise _unreadable(where, f"it has the unknown entry {min(map(str, unknown))}")
    sites = {
        site: standing
        for name, standing in _LISTS.items()  # excluded comes last, so that it goes before
        for site in _sites(said.get(name), name, where)
    }
    owned = said.get("owners") or {}
    if not isinstance(owned, Mapping):
        raise _unreadable(where, "owners is no mapping of lists")
    owners = {
        registrable_domain(site): str(owner)
        for owner, listed in owned.items()
        for site in _sites(listed, f"owners.{owner}", where)
    }
    return SourceLists(sites, owners)


def _sites(said: object, name: str, where: str) -> list[str]:
    if said is None:
        return []
    if not isinstance(said, Sequence) or isinstance(said, str):
        raise _unreadable(where, f"{name} is no list")
    sites = []
    for site in said:
        plain = ascii_host(site) if isinstance(site, str) else ""
        if not plain or any(one in plain for one in "/:@? "):
            raise _unreadable(where, f"{name} has {site!r}, which is no name of a site such as example.org")
        sites.append(plain)
    return sites


def _unreadable(where: str, why: str) -> UsageError:
    return UsageError(
        "the file of sources cannot be read", where=where, why=why, remedy="docs/web.md shows its form"
    )
