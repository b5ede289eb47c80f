"""The search box: a question of the page as a recall, and why each of its hits is there."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from inference import load_embedder
from inference.embedder import Embedder
from inference.query_vectors import RememberedQueries
from inference.sparse import terms_in
from interfaces.package_sources import with_links
from interfaces.web.desk import Desk
from interfaces.web.page_filter import day_of, one_of
from retrieval import Hit, Mode, Options, Package, Question, recall
from retrieval.question import UNBOUNDED
from retrieval.scorer import scorer_weights
from schemas.errors import MnemicError
from schemas.ids import point_id
from schemas.provenance import Tier
from schemas.unit import RECALLED_STATES, Category, State
from vault.browsing import thread_named
from vault.index import Where
from vault.path_queries import notes_under
from vault.points import PointKind

HITS = 24
"""Notes that a search shows: twice what an assistant is given, for a person scans a page quickly."""
FIELDS = ("q", "category", "state", "provider", "thread", "path", "since", "before", "dropped")
_WORD = re.compile(r"[^\W_][\w'’-]*")


@dataclass(frozen=True, slots=True)
class Found:
    """A hit, what leads to it in the application and to the talk around it (nothing where a thread is found),
    and why it is there, a reason a line."""

    hit: Hit
    address: str
    home: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What a search came to; `facets`: (value, hits) by field, of the hits that are shown."""

    package: Package
    found: tuple[Found, ...]
    facets: Mapping[str, Sequence[tuple[str, int]]]


class Asking:
    """Recalls for the page. The embedder is loaded while the first pages are read."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._embedder: Embedder | None = None
        self._problem = ""
        # no daemon: its library aborts a process that ends while it works
        self._loading = threading.Thread(target=self._load)
        self._loading.start()

    def _load(self) -> None:
        try:
            embedder = RememberedQueries(load_embedder())
            embedder.embed_query("warm")
            self._desk.reader.warm()
            self._embedder = embedder
        except MnemicError as error:
            self._problem = f"By words alone: {error}"

    def answer(self, asked: Mapping[str, str]) -> SearchAnswer:
        """The notes that answer what stands in the search box, inside the filter beside it."""
        self._loading.join()
        question = self._question(asked)
        reader = self._desk.reader
        package = with_links(recall(question, reader.index, self._embedder), reader)
        now = datetime.now(UTC)
        found = tuple(
            Found(hit, address_of(hit), home_of(hit), reasons(asked["q"], hit, now)) for hit in package.hits
        )
        return SearchAnswer(package, found, _facets(package.hits))

    def _question(self, asked: Mapping[str, str]) -> Question:
        reader = self._desk.reader
        notices = (self._problem,) if self._problem else ()
        return Question(
            asked["q"],
            self._where(asked),
            limit=HITS,
            weights=scorer_weights(reader.layout),
            mode=Mode.BM25 if self._embedder is None else Mode.HYBRID,
            options=Options(
                budget=UNBOUNDED,
                explained=bool(asked.get("dropped")),  # a third of the time, and seldom looked at
                notices=notices,
                shared_ids=reader.generation.shared_ids,
            ),
        )

    def _where(self, asked: Mapping[str, str]) -> Where:
        category = one_of(Category, asked.get("category", ""))
        state = one_of(State, asked.get("state", ""))
        provider = asked.get("provider")
        return Where(
            self._desk.account,
            states=RECALLED_STATES if state is None else (state,),
            categories=None if category is None else (category,),
            conversations=self._conversations(asked.get("thread", "")),
            providers=(provider,) if provider else None,
            after=day_of(asked.get("since", "")),
            before=day_of(asked.get("before", "")),
            among=self._at(asked.get("path", "")),
        )

    def _conversations(self, thread: str) -> tuple[str, ...] | None:
        if not thread:
            return None
        ledger = self._desk.ledger()
        named = thread_named(ledger, self._desk.account, thread)
        found = ledger.query("SELECT unnest(conversation_ids) FROM threads WHERE id = ?", [named])
        return tuple(str(one) for (one,) in found)

    def _at(self, path: str) -> frozenset[str] | None:
        if not path:
            return None
        notes = notes_under(self._desk.ledger(), self._desk.paths(), self._desk.account, [path], below=True)
        return frozenset(point_id(PointKind.UNIT, str(note["id"])) for note in notes)


def address_of(hit: Hit) -> str:
    """Where the application shows what was found."""
    if hit.kind is PointKind.UNIT:
        return f"/note/{hit.id}"
    if hit.kind is PointKind.THREAD:
        return f"/thread/{hit.id}"
    at = f"?message={hit.message_id}#m-{hit.message_id}" if hit.message_id else ""
    return home_of(hit) + (at if hit.tier is not Tier.RESOURCE else "")


def home_of(hit: Hit) -> str:
    """The talk or document in which it was said; nothing for a thread, which is in several."""
    if hit.kind is PointKind.THREAD:
        return ""
    if hit.tier is Tier.RESOURCE:
        return f"/document/{hit.conversation_id}"
    noted = f"?note={hit.id}" if hit.kind is PointKind.UNIT else ""
    return f"/conversation/{hit.conversation_id}{noted}"


def reasons(question: str, hit: Hit, now: datetime) -> tuple[str, ...]:
    """Why a hit stands where it stands: the parts of its score, and what lowered it."""
    said = " ".join((hit.text, hit.conversation_title or "", *(one.quote for one in hit.evidence)))
    terms = terms_in(said)
    shared = [word for word in dict.fromkeys(_WORD.findall(question)) if terms_in(word) & terms]
    told = [f"meaning {max(hit.similarity, 0):.0%}", f"relevance {hit.relevance:.2f}"]
    told.append(f"shares {', '.join(shared[:8])}" if shared else "shares no word")
    told.append(f"{'an engram you kept' if hit.tier is Tier.ENGRAM else hit.tier.value} × {hit.weight:g}")
    if hit.said_at is not None:
        told.append(f"{_ago(now, hit.said_at)} × {hit.recency:.2f}")
    if hit.novelty < 1:
        told.append(f"better notes of its conversation come first × {hit.novelty:.2f}")
    if hit.also:
        told.append(f"said by {len(hit.also) + 1} notes")
    if hit.superseded_by:
        told.append("a newer note takes its place")
    return (*told, f"score {hit.score:.3f}", *([hit.found_by] if hit.found_by else []))


def _ago(now: datetime, at: datetime) -> str:
    days = (now - at).days
    for unit, length in (("year", 365), ("month", 30)):
        if days >= 2 * length:
            return f"{days // length} {unit}s old"
    return f"{days} days old" if days > 1 else "new"


def _facets(hits: Sequence[Hit]) -> dict[str, list[tuple[str, int]]]:
    counted = {
        "category": Counter(hit.category.value for hit in hits if hit.category),
        "state": Counter(hit.state.value for hit in hits),
        "provider": Counter(hit.provider for hit in hits if hit.provider),
    }
    return {field: counts.most_common() for field, counts in counted.items()}
