"""What is asked of the memory, and what may answer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, overload

from retrieval.given import NOTHING_GIVEN, Given
from retrieval.rank.model_reranking import Reranker
from retrieval.relevance.filter_verdict import Judge, by_rules
from retrieval.rendering import PackageFormat
from retrieval.search.hypothesis import Writer
from retrieval.search.variation import Variation
from schemas.errors import UsageError
from schemas.provenance import Tier
from schemas.unit import State
from vault.index import Where
from vault.points import OVERVIEWS, PointKind

if TYPE_CHECKING:
    from retrieval.deep.escalation import DeepSearch
    from retrieval.web_lane import WebLane

LIMIT = 15
"""Notes that a recall returns at most (design, section 5: ~15 candidates)."""

POOL = 200
"""Candidates that are chosen by relevance before anything else orders or drops them."""


BUDGET_TOKENS = 2000

UNBOUNDED = 1_000_000
"""Tokens that no package takes: for whoever wants the notes and not their text."""

WINDOW_SHARE = 0.75
"""Of a stated context window, at most so much is the package's (design, section 5: 75-80%)."""

NOW = datetime.max.replace(tzinfo=UTC)
"""For a question's `as_of`: the moment at which it is asked."""

NOTES = tuple(kind for kind in PointKind if kind not in OVERVIEWS)
"""What answers unless other kinds are asked for. Summaries and maps retell them: they come beside them
(`retrieval.rank.overviews`)."""


class Mode(StrEnum):
    """What candidates are searched by."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    """By words alone: no embedder is asked."""
    VECTOR = "vector"
    """By meaning alone."""


class Fusion(StrEnum):
    """How what several searches found becomes one order."""

    WEIGHTED = "weighted"
    """By scores, as shares of each search's best."""
    RRF = "rrf"
    """By ranks alone: reciprocal rank fusion, 1 / (60 + rank) a search."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much the four parts of relevance count, relative to each other."""

    meaning: float = 1.0
    """Cosine of the passage."""
    words: float = 1.0
    """BM25 of the passage."""
    home_meaning: float = 1.0
    """Cosine of the conversation that it stands in."""
    home_words: float = 1.0
    """BM25 of the conversation."""

    @property
    def of_passage(self) -> float:
        """The part of the passage itself."""
        return self.meaning + self.words

    @property
    def total(self) -> float:
        """Their sum."""
        return self.of_passage + self.home_meaning + self.home_words


BY_WORDS = Weights(meaning=0.0, home_meaning=0.0)
BY_MEANING = Weights(words=0.0, home_words=0.0)
EQUAL = Weights()
"""Nothing to learn from five people would hold for a sixth (`docs/retrieval.md`)."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the package is written."""

    budget: int = BUDGET_TOKENS
    """Tokens that it may take."""
    window: int | None = None
    """Tokens of the context that it is for: it takes WINDOW_SHARE of them at most."""
    format: PackageFormat = PackageFormat.MARKDOWN
    explained: bool = False
    """Whether it says what was dropped and how long each step took."""
    notices: tuple[str, ...] = ()
    """What it has to say of how the question was read; they come first."""
    tells_confidence: bool = False
    """Whether it says how likely it holds the answer, where it has hits; an empty one always does."""
    shared_ids: Collection[str] = ()
    """Beginnings of ids that name several records: those records are called by their whole ids."""

    @property
    def room(self) -> int:
        """Tokens that the package may take, the window considered."""
        return self.budget if self.window is None else min(self.budget, int(WINDOW_SHARE * self.window))


@dataclass(frozen=True, slots=True)
class Question:
    """A query with its bounds, the one value that every way in hands to the funnel.

    `where` bounds the notes that may be returned; its `before` and `after` are of when a conversation began.
    Times without a zone are taken for UTC; UsageError is raised for a time that UTC does not have.
    """

    text: str
    where: Where
    as_of: datetime = NOW
    """The moment that recency counts from."""
    limit: int = LIMIT
    """At most so many notes."""
    most: int | None = None
    """At most so many of all that the package holds, what stands around the notes included; None: the limit
    is of the notes alone."""
    pool: int = POOL
    weights: Weights = EQUAL
    intent: str | None = None
    """The domain that the question is about, if whoever asks said it: the fit-gate judges by it."""
    judged: bool = True
    """Whether floor and fit-gate drop anything; without them, everything that was gathered is ranked."""
    judge: Judge = by_rules
    """The fit-gate; `retrieval.relevance.model_filter` has one that asks a language model."""
    reranker: Reranker | None = None
    """What looks a second time at the best of the candidates, if anything does."""
    writer: Writer | None = None
    """What writes a note that would answer, to be searched beside the prompt, if anything does (HyDE)."""
    mode: Mode = Mode.HYBRID
    fusion: Fusion = Fusion.WEIGHTED
    deep: DeepSearch | None = None
    """How recall looks further where it is not sure of its package; None: not at all."""
    web: WebLane | None = None
    """What stands beside the memory: saved pages, and the live web where that is on; None: nothing."""
    decomposed: bool = False
    """Whether variations of the prompt are searched beside it."""
    ways: tuple[Variation, ...] | None = None
    """Those variations, where somebody made them (`retrieval.search.model_decomposition`); else they are made
    of the prompt's own words."""
    given: Given = NOTHING_GIVEN
    """What a session was handed before, and is not handed again (`retrieval.supplement`)."""
    options: Options = Options()
    surroundings: Where = field(init=False)
    """Bounds the passages and conversations that notes are judged by: the same account, time and
    conversations, whatever the note's own category, tier or state."""

    def __post_init__(self) -> None:
        # what came from a shell may hold what no text can: the embedder refuses lone surrogates
        object.__setattr__(self, "text", self.text.encode("utf-8", "replace").decode("utf-8"))
        object.__setattr__(self, "as_of", _zoned(self.as_of))
        object.__setattr__(self, "limit", max(self.limit, 0))
        own = self.where
        own = replace(own, before=_zoned(own.before), after=_zoned(own.after))
        object.__setattr__(self, "where", own)
        around = Where(
            own.account,
            conversations=own.conversations,
            before=own.before,
            after=own.after,
            providers=own.providers,
        )
        object.__setattr__(self, "surroundings", around)

    @property
    def weighing(self) -> Weights:
        """The weights, as far as the mode lets them count."""
        return {Mode.HYBRID: self.weights, Mode.BM25: BY_WORDS, Mode.VECTOR: BY_MEANING}[self.mode]

    def of_kind(self, kind: PointKind) -> Where | None:
        """The bounds for candidates of one kind; None where none of the kind can be within them.

        Without named kinds that is every kind but the overviews.
        """
        asked = NOTES if self.where.kinds is None else self.where.kinds
        return self.bounds_of(kind) if kind in asked else None

    def bounds_of(self, kind: PointKind) -> Where | None:
        """The bounds for one kind, asked for or not; None where none of the kind can be within them.

        Only units have a category; nothing else is ever kept, rejected or archived. An overview tells of
        everybody, so it is nobody's.
        """
        where = self.where
        if kind in OVERVIEWS and where.people is not None:
            return None
        if kind is not PointKind.UNIT:
            if where.categories is not None or (
                where.states is not None and State.PASSED not in where.states
            ):
                return None
            if kind is not PointKind.CHUNK and where.tiers is not None and Tier.CHAT not in where.tiers:
                return None
        return replace(where, kinds=(kind,))


@overload
def _zoned(moment: datetime) -> datetime: ...
@overload
def _zoned(moment: None) -> None: ...
def _zoned(moment: datetime | None) -> datetime | None:
    if moment is None or moment.tzinfo is UTC:
        return moment
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise UsageError(f"the time {moment} is beyond what a date can be in UTC") from error
