"""Brave Search's web endpoint.

Facts: api-dashboard.search.brave.com, "Web search": key in `X-Subscription-Token`, `count` up to 20; results
under `web.results` with `description` (found words in `<strong>`) and `page_age`, an ISO time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from web.search.json_request import json_of
from web.search.provider import LIMIT, SearchResult
from web.search.result_rows import Fields, results_of

ADDRESS = "https://api.search.brave.com/res/v1/web/search"
MOST = 20
"""Results that the service gives at once."""
FIELDS = Fields("url", "title", "description", "page_age")
REMEDY = "BRAVE_API_KEY is the key of your subscription"


@dataclass(frozen=True, slots=True)
class Brave:
    """The service, asked with the owner's key."""

    key: str = field(repr=False)
    address: str = ADDRESS
    name: str = "brave"

    @property
    def place(self) -> str:
        """The service's host."""
        return urlsplit(self.address).netloc

    def search(self, query: str, limit: int = LIMIT) -> list[SearchResult]:
        """See `SearchProvider.search`."""
        asked = {"q": query, "count": str(min(limit, MOST)), "text_decorations": "false"}
        headers = {"X-Subscription-Token": self.key, "Accept": "application/json"}
        said = json_of(self.address, asked, headers, self.name, REMEDY)
        web = said.get("web") if isinstance(said, Mapping) else None
        return results_of(web.get("results") if isinstance(web, Mapping) else None, FIELDS, limit)
