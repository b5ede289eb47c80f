"""The standing of each result: the lists before anything else, then whether another owner says the same."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from inference.embedder import Embedder
from schemas.provenance import Standing
from web.search.provider import SearchResult
from web.standing.corroboration import corroborating
from web.standing.domains import ascii_host
from web.standing.source_lists import SourceLists


def host_of(url: str) -> str:
    """The host of an address; empty where there is none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def same_host(one: str, other: str) -> bool:
    """Whether two addresses are of one host; `www.` before it makes no other."""
    first, second = (ascii_host(host_of(url)).removeprefix("www.") for url in (one, other))
    return first == second


def landed_standing(standing: Standing, found: str, read: str, lists: SourceLists) -> Standing:
    """The standing of a page after redirects: another host, be it of the same domain, is trusted by its own
    name alone. Whoever rents below a domain may not speak for the tenant beside."""
    return standing if same_host(found, read) else lists.listed(host_of(read)) or Standing.SINGLE


def standings(
    results: Sequence[SearchResult], lists: SourceLists, embedder: Embedder | None
) -> list[Standing]:
    """The standing of each result, in order. What is excluded confirms nothing; what is whitelisted may.

    Without an embedder nothing is corroborated.
    """
    listed = [lists.listed(host_of(one.url)) for one in results]
    judged = [place for place, said in enumerate(listed) if said is not Standing.EXCLUDED]
    confirmed = set[int]()
    if embedder is not None and len(judged) > 1:
        texts = [results[place].snippet for place in judged]
        owners = [lists.owner(host_of(results[place].url)) for place in judged]
        said = corroborating(texts, owners, embedder.embed(texts))
        confirmed = {place for place, twice in zip(judged, said, strict=True) if twice}
    return [
        said or (Standing.CORROBORATED if place in confirmed else Standing.SINGLE)
        for place, said in enumerate(listed)
    ]
