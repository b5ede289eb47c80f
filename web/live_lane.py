"""The lane of the web, as steps: saved pages first, then, where the router says so, the live web.

route       whether the prompt goes outside, and why; else nothing leaves the machine
send        the query without secrets and names, logged before it is sent
search      results of the provider; what is excluded is dropped
standing    how far each result is to be trusted
select      thin, trusted, of a site that was not fetched: three at most
read        over HTTP, and in a browser where a page needs one; every ending is counted
again       where nothing was found, once more in other words
fold        passages, and the snippets of pages that were not read, through the relevance filter

Whatever goes wrong leaves the package that the memory gives by itself, and says so.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from typing import TypeAlias

from inference.embedder import Embedder
from retrieval.package import WebPageRead, WebReport
from retrieval.question import Question
from retrieval.search.hybrid import Candidate
from retrieval.web_lane import WebFound
from schemas.errors import InputError, MachineError, ServiceError
from schemas.provenance import STANDING_WEIGHTS, Standing
from vault.web_pages import WebPages
from web.fetch.outcome import PageOutcome
from web.pages.extraction import PageText
from web.pages.passages import passages_of
from web.pages.reading import PageReader
from web.pages.selection import MOST_PAGES, selected
from web.passage_candidates import WebPassage, folded, may_answer
from web.routing.outgoing import otherwise, outgoing
from web.routing.router import Route, WebMode, routed
from web.search.provider import SearchProvider, SearchResult
from web.standing.domains import registrable_domain
from web.standing.source_lists import SourceLists
from web.standing.source_standing import host_of, landed_standing, standings

SEARCHES = 2
"""Of one prompt: the query, and once more in other words where nothing was found."""

log = logging.getLogger(__name__)

Readers: TypeAlias = Callable[[], AbstractContextManager[PageReader]]
"""Opens what reads pages, for as long as pages are read."""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page whose text was kept."""

    result: SearchResult
    standing: Standing
    page: PageText
    at: datetime


@dataclass(frozen=True, slots=True, eq=False)
class LiveWeb:
    """How the live web is asked. Only code makes one, and only where the owner turned the web on."""

    provider: SearchProvider
    readers: Readers
    lists: SourceLists
    pages: WebPages
    """Its log says what left the machine."""
    names: Collection[str] = ()
    """Of the memory's people: they do not leave."""
    spoken_of: Callable[[str], Collection[str]] = lambda _: ()
    """Names in a query of people whom the memory only talks about: nor do these."""
    mode: WebMode = WebMode.AUTO
    route: Callable[[str, WebMode, Embedder], Route] = routed
    kept: list[ReadPage] = field(default_factory=list)
    """The pages that were read, for whoever stores them."""

    def __call__(
        self, question: Question, memory: Sequence[Candidate], embedder: Embedder | None
    ) -> WebFound:
        """See `retrieval.web_lane.WebLane`."""
        began = perf_counter()
        if embedder is None:
            return WebFound(report=WebReport(live=False, reason="without an embedder nothing can be judged"))
        if not may_answer(question):
            return WebFound(report=WebReport(live=False, reason="the question is bounded to the memory"))
        where = self.route(question.text, self.mode, embedder)
        query = outgoing(question.text, (*self.names, *self.spoken_of(question.text))) if where.live else ""
        if not query:
            why = where.reason if not where.live else "without names and secrets nothing is left to ask"
            return WebFound(report=WebReport(live=False, reason=why))
        asking = _Asking(self, embedder, where.reason)
        try:
            asking.search(query)
        except (ServiceError, MachineError, InputError) as error:
            asking.problem = str(error)
            log.warning("the live web was not asked to the end: %s", error)
        kept, drops = folded(question, asking.passages(), memory, embedder)
        spent = round(1000 * (perf_counter() - began), 1)
        return WebFound(kept, drops, asking.report(self.provider.name, len(kept), spent))


@dataclass(slots=True, eq=False)
class _Asking:
    """One prompt's way through the live web."""

    web: LiveWeb
    embedder: Embedder
    reason: str
    sent: list[str] = field(default_factory=list)
    results: dict[str, tuple[SearchResult, Standing]] = field(default_factory=dict)
    """By address, in the order in which they came."""
    excluded: set[str] = field(default_factory=set)
    """Addresses."""
    read: list[WebPageRead] = field(default_factory=list)
    kept: list[ReadPage] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    problem: str = ""

    def search(self, query: str) -> None:
        """Search, read, and once more in other words where nothing was found."""
        for asked in (query, otherwise(query))[:SEARCHES]:
            if asked.casefold() in {one.casefold() for one in self.sent} or not asked:
                break
            self._ask(asked)
            absent = any(one.outcome == PageOutcome.NOT_FOUND for one in self.read)
            if self.kept or (self.results and not absent):
                break

    def _ask(self, query: str) -> None:
        web = self.web
        web.pages.sent("search", web.provider.place, query, self.reason)
        self.sent.append(query)
        found = [one for one in web.provider.search(query) if one.url not in self.results]
        judged = standings(found, web.lists, self.embedder)
        trusted = [
            (one, said) for one, said in zip(found, judged, strict=True) if said is not Standing.EXCLUDED
        ]
        self.excluded |= {
            one.url for one, said in zip(found, judged, strict=True) if said is Standing.EXCLUDED
        }
        self.results |= {one.url: (one, said) for one, said in trusted}
        results, said = [one for one, _ in trusted], [one for _, one in trusted]
        choices = selected(results, said, self._room(), self._fetched())
        self.skipped.update(one.skipped.value for one in choices if one.skipped)
        places = [one.place for one in choices if one.skipped is None]
        if places:
            with web.readers() as reader:
                for place in places:
                    self._read(reader, *trusted[place])

    def _fetched(self) -> set[str]:
        """The domains of pages that were there; where one was not, its site may have another."""
        there = [one.url for one in self.read if one.outcome != PageOutcome.NOT_FOUND]
        return {registrable_domain(host_of(url)) for url in there}

    def _room(self) -> int:
        return MOST_PAGES - len(self.kept)

    def _read(self, reader: PageReader, result: SearchResult, standing: Standing) -> None:
        self.web.pages.sent("page", host_of(result.url), result.url, f"{standing.value}, thin snippet")
        page = reader.read(result.url)
        self.read.append(
            WebPageRead(
                url=result.url, standing=standing.value, outcome=page.outcome.value, reason=page.reason
            )
        )
        if page.outcome is PageOutcome.KEPT:
            landed = landed_standing(standing, result.url, page.url or result.url, self.web.lists)
            self.kept.append(ReadPage(result, landed, page, datetime.now(UTC)))
            self.web.kept.append(self.kept[-1])

    def passages(self) -> list[WebPassage]:
        """The passages of what was read, and beside them the snippets that say anything else."""
        found = []
        for one in self.kept:
            url, title = one.page.url or one.result.url, one.page.title or one.result.title
            weight, published = STANDING_WEIGHTS[one.standing], one.page.published or one.result.published
            for passage in passages_of(one.page.text, one.page.title):
                found.append(WebPassage(url, title, passage.text, weight, passage.heading_path, published))
        whole = {one.result.url: " ".join(one.page.text.split()) for one in self.kept}
        for url, (told, standing) in self.results.items():
            if told.snippet and told.snippet.rstrip(" .…[]") not in whole.get(url, ""):
                weight = STANDING_WEIGHTS[standing]
                found.append(WebPassage(url, told.title, told.snippet, weight, published=told.published))
        return found

    def report(self, provider: str, folded_in: int, milliseconds: float) -> WebReport:
        """What the prompt's way came to."""
        said = Counter(standing.value for _, standing in self.results.values())
        said[Standing.EXCLUDED.value] += len(self.excluded)
        ended = Counter(one.outcome for one in self.read if one.outcome != PageOutcome.KEPT)
        return WebReport(
            live=True,
            reason=self.reason,
            provider=provider,
            sent=tuple(self.sent),
            results=len(self.results) + len(self.excluded),
            standings={name: many for name, many in said.items() if many},
            skipped=dict(self.skipped),
            pages=tuple(self.read),
            failures=dict(ended),
            folded=folded_in,
            problem=self.problem,
            milliseconds=milliseconds,
        )
