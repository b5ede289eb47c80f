"""Results from a file: for tests, for trying the lane out, for answers that were gathered otherwise.

The file is JSON: `{"results": {"<query>": [{"url", "title", "snippet", "published"}]}}`; the query `*`
answers every query that is not named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import InputError, PathMissing
from web.search.provider import LIMIT, SearchResult
from web.search.result_rows import Fields, results_of

FIELDS = Fields("url", "title", "snippet", "published")
ANY = "*"


@dataclass(frozen=True, slots=True)
class FixedResults:
    """A file that is read at every search."""

    path: Path
    name: str = "file"

    @property
    def place(self) -> str:
        """The file: nothing leaves the machine by it."""
        return str(self.path)

    def search(self, query: str, limit: int = LIMIT) -> list[SearchResult]:
        """See `SearchProvider.search`. Raises PathMissing, and InputError for a file of another form."""
        try:
            said = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise PathMissing("there is no such file of results", where=str(self.path)) from error
        except OSError as error:
            raise InputError(
                "the file of results cannot be read", where=str(self.path), why=error.strerror or str(error)
            ) from error
        except (ValueError, RecursionError) as error:
            raise InputError(
                "the file of results is no JSON", where=str(self.path), why=str(error)
            ) from error
        by_query = said.get("results") if isinstance(said, Mapping) else None
        if not isinstance(by_query, Mapping):
            why = "it has to be an object whose `results` has a list of results by query"
            raise InputError("the file of results has another form", where=str(self.path), why=why)
        return results_of(by_query.get(query, by_query.get(ANY, [])), FIELDS, limit)
