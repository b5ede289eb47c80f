"""SearXNG, a search engine of one's own or of somebody trusted: its JSON form.

Facts: `docs/dev/search_api.rst` of github.com/searxng/searxng (`/search?q=…&format=json`); an instance
answers 403 unless `json` stands among `search.formats` of its settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from web.search.json_request import json_of
from web.search.provider import LIMIT, SearchResult
from web.search.result_rows import Fields, results_of

FIELDS = Fields("url", "title", "content", "publishedDate")
REMEDY = "`search.formats` of the instance's settings.yml has to name json; MNEMIC_WEB_SEARXNG is its address"


@dataclass(frozen=True, slots=True)
class SearXNG:
    """An instance at an address such as `http://127.0.0.1:8888`."""

    address: str
    name: str = "searxng"

    @property
    def place(self) -> str:
        """The instance's host."""
        return urlsplit(self.address).netloc.rpartition("@")[2]

    def search(self, query: str, limit: int = LIMIT) -> list[SearchResult]:
        """See `SearchProvider.search`."""
        url = f"{self.address.rstrip('/')}/search"
        said = json_of(url, {"q": query, "format": "json"}, {}, self.name, REMEDY)
        return results_of(said.get("results") if isinstance(said, Mapping) else None, FIELDS, limit)
