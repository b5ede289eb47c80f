"""A provider's JSON as results: fields that are missing or of another kind make no result, and no error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from web.plain_text import one_line, without_controls
from web.search.provider import MOST_ADDRESS, MOST_SNIPPET, MOST_TITLE, SearchResult, moment_of


class Fields(NamedTuple):
    """What a provider calls the parts of a result."""

    url: str
    title: str
    snippet: str
    published: str


def results_of(rows: object, fields: Fields, limit: int) -> list[SearchResult]:
    """The results of a list of objects, in order; each address once."""
    found: dict[str, SearchResult] = {}
    for row in rows if isinstance(rows, Sequence) and not isinstance(rows, str) else ():
        result = _result(row, fields)
        if result is not None:
            found.setdefault(result.url, result)
    return list(found.values())[:limit]


def _result(row: object, fields: Fields) -> SearchResult | None:
    if not isinstance(row, Mapping):
        return None
    url = row.get(fields.url)
    if not isinstance(url, str) or not _is_address(url):
        return None
    return SearchResult(
        url=url,
        title=_text(row.get(fields.title), MOST_TITLE),
        snippet=_text(row.get(fields.snippet), MOST_SNIPPET),
        published=moment_of(row.get(fields.published)),
    )


def _is_address(url: str) -> bool:
    if url != "".join(without_controls(url).split()) or "\\" in url:
        return False  # a browser takes a backslash for a slash, others for a part of the name
    try:
        parts = urlsplit(url)
        known = parts.hostname
    except ValueError:
        return False
    named = bool(known) and "@" not in parts.netloc
    return parts.scheme in {"http", "https"} and named and len(url) <= MOST_ADDRESS


def _text(said: object, most: int) -> str:
    return one_line(said[: 4 * most])[:most] if isinstance(said, str) else ""
