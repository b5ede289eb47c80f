"""Whose a host is: its registrable domain, by the Public Suffix List as publicsuffixlist ships it."""

from __future__ import annotations

import ipaddress
from functools import cache
from typing import TYPE_CHECKING

from schemas.deferred import deferred
from schemas.errors import MachineError

if TYPE_CHECKING:
    import publicsuffixlist
    from publicsuffixlist import PublicSuffixList
else:
    publicsuffixlist = deferred("publicsuffixlist")


def registrable_domain(host: str) -> str:
    """`docs.example.co.uk` is of `example.co.uk`; an address of numbers, or a bare suffix, is its own.

    Only suffixes of ICANN count: whoever rents below `github.io` is a tenant of the same landlord, and two
    tenants may be one person. So they do not corroborate one another.
    """
    plain = ascii_host(host)
    if is_address(plain):
        return plain
    return _suffixes().privatesuffix(plain) or plain


def ascii_host(host: str) -> str:
    """Lower case, without the closing dot and the brackets of IPv6, international names as ASCII."""
    plain = host.strip().strip("[]").rstrip(".").lower()
    try:
        return plain.encode("idna").decode("ascii") if not plain.isascii() else plain
    except UnicodeError:
        return plain


def is_address(host: str) -> bool:
    """Whether the host is an IP address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def within(host: str, listed: str) -> bool:
    """Whether a host is the listed one or below it: `docs.python.org` is within `python.org`."""
    return host == listed or host.endswith(f".{listed}")


@cache
def _suffixes() -> PublicSuffixList:
    try:
        return publicsuffixlist.PublicSuffixList(only_icann=True)
    except ImportError as error:
        raise web_extra_missing("publicsuffixlist") from error


def web_extra_missing(package: str) -> MachineError:
    """The error for a library of the extra that is not installed."""
    return MachineError(
        "the live web needs libraries that are not installed",
        why=f"no {package}",
        remedy="`pip install 'mnemic[web]'`",
    )
