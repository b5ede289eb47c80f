"""Whether a recall looks further, and what becomes of it.

Off by default. It happens where the confidence of a package is strictly below the threshold, at most CALLS
times a session. In shadow everything is done and told to whoever listens, and the package is the first one to
the last byte. A comparison that fails or takes too long leaves the first package too, and it says so.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from time import perf_counter
from typing import TypeAlias

from inference.embedder import Embedder
from retrieval.deep.comparison import Compared, Comparer, JointComparer
from retrieval.deep.expansion import Neighbour, pool_of
from retrieval.deep.merging import ABOUT, ANSWERS
from retrieval.deep.name_neighbours import NameHops
from retrieval.deep.offline_judge import compared_offline
from retrieval.deep.parts import RelevanceParts, parts_of
from retrieval.package import Escalation, Package
from retrieval.question import Question
from retrieval.search.hybrid import Candidate
from vault.index import Accounts, Index

THRESHOLD = 0.3
"""Confidence below which recall looks further (design of deep search)."""

CALLS = 5
"""Deep searches of a session: a process of the command line, an open memory of the MCP server."""

log = logging.getLogger(__name__)


class DeepMode(StrEnum):
    """What a deep search does."""

    OFF = "off"
    SHADOW = "shadow"
    """It runs and is logged, and changes no byte of the result."""
    ON = "on"


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """Two notes of which one answers better, by the word of who compared. Ids of points."""

    negative: str
    positive: str
    more: RelevanceParts
    """By how much the positive one has more of each part of relevance, -1 to 1."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One deep search, for the log."""

    account: Accounts
    query: str
    confidence: float
    pool: tuple[Neighbour, ...]
    compared: Compared
    pairs: tuple[TrainingPair, ...]
    """Of a hit: notes that the package lacked, each beside the best that it had. Empty: a miss."""
    confirmed: tuple[TrainingPair, ...]
    """Of a miss: a note that answers, which the package had, beside the first of the pool that does not."""
    milliseconds: float


Listener: TypeAlias = Callable[[Looked], None]


def to_log(looked: Looked) -> None:
    """To Python's logging, by ids alone: a log has no words of the owner's."""
    order = sorted(looked.compared.scores, key=lambda one: (-looked.compared.scores[one], one))
    log.info(
        "deep search: confidence %.2f, %d notes by %s in %.0f ms, %d training pairs; pool %s; ranking %s",
        looked.confidence,
        len(looked.pool),
        looked.compared.by,
        looked.milliseconds,
        len(looked.pairs),
        [one.candidate.id for one in looked.pool],
        order,
    )


class Allowance:
    """How many deep searches a session has left; safe to take from in several threads."""

    def __init__(self, calls: int = CALLS) -> None:
        self._left = calls
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Whether there was one left."""
        with self._lock:
            self._left -= 1
            return self._left >= 0


@dataclass(frozen=True, slots=True, eq=False)
class DeepSearch:
    """How a question may look further."""

    mode: DeepMode = DeepMode.ON
    threshold: float = THRESHOLD
    compare: Comparer = compared_offline
    together: JointComparer | None = None
    """Compares for several questions at once (`retrieval.recall_together`): those that have the same one, the
    same allowance and the same account share a call. Without it each is compared by itself."""
    allowance: Allowance = field(default_factory=Allowance)
    listener: Listener = to_log
    names: Callable[[], NameHops] | None = None
    """Opens the memory's graph of names; without it, neighbours are those in time."""

    def wanted(self, package: Package) -> bool:
        """Whether the package is so weak that it looks further."""
        return self.mode is not DeepMode.OFF and package.confidence < self.threshold


Merge: TypeAlias = Callable[[Sequence[Neighbour], Compared], Package]
"""The package of what recall had and a deep search found."""


@dataclass(frozen=True, slots=True)
class Primary:
    """What recall came to by itself, with what a deep search goes on from."""

    question: Question
    """As it was read."""
    candidates: Sequence[Candidate]
    package: Package
    embedder: Embedder | None
    merge: Merge

    @property
    def weak(self) -> DeepSearch | None:
        """How it looks further; None where it does not."""
        deep = self.question.deep
        return deep if deep is not None and deep.wanted(self.package) else None

    def refused(self) -> Package:
        """The package where the session has no deep search left; in shadow nothing is said of it."""
        deep = self.question.deep
        if deep is not None and deep.mode is DeepMode.SHADOW:
            return self.package
        return self.package.model_copy(update={"deep": Escalation(refused=True)})

    def pool(self, index: Index) -> list[Neighbour]:
        """What stands near: what is compared."""
        names = self.question.deep.names if self.question.deep else None
        return pool_of(self.question, self.candidates, index, self.embedder, names() if names else None)


def escalated(primary: Primary, index: Index) -> Package:
    """The package after a deep search, where one is wanted; else recall's own."""
    deep = primary.weak
    if deep is None:
        return primary.package
    if not deep.allowance.take():
        return primary.refused()
    began = perf_counter()
    pool = primary.pool(index)
    compared = deep.compare(primary.question.text, pool)
    return concluded(primary, deep, pool, compared, 1000 * (perf_counter() - began), index)


def concluded(
    primary: Primary,
    deep: DeepSearch,
    pool: Sequence[Neighbour],
    compared: Compared,
    spent: float,
    index: Index,
) -> Package:
    """The package of what a comparison said, logged; `spent`: milliseconds."""
    question, package = primary.question, primary.package
    shown = {hit.id for hit in package.hits}
    hits = hits_of(pool, compared, shown)
    confirmed = [] if hits else confirmed_of(pool, compared, shown)
    looked = Looked(
        question.where.account,
        question.text,
        package.confidence,
        tuple(pool),
        compared,
        _as_pairs(hits, question, pool, index, primary.embedder),
        _as_pairs(confirmed, question, pool, index, primary.embedder),
        spent,
    )
    deep.listener(looked)
    if deep.mode is DeepMode.SHADOW:
        return package
    refs = {one.candidate.id: one.candidate.payload.ref for one in pool}
    told = Escalation(
        by=compared.by,
        pool=len(pool),
        questions=compared.questions,
        tokens=compared.tokens,
        milliseconds=round(spent, 1),
        timed_out=compared.timed_out,
        contradictions=tuple((refs[one], refs[other]) for one, other in compared.contradictions),
    )
    if compared.timed_out:
        return package.model_copy(update={"deep": told})
    merged = primary.merge(pool, compared)
    added = tuple(hit.id for hit in merged.hits if hit.found_by)
    return merged.model_copy(update={"deep": told.model_copy(update={"added": added})})


def hits_of(pool: Sequence[Neighbour], compared: Compared, shown: Collection[str]) -> list[tuple[str, str]]:
    """(the best that the package had, a note that it lacked), for every such note that holds a part of the
    answer and is worth more than all that was shown; ids of points. None of an order that nobody judged."""
    if not compared.judged or not pool:
        return []
    had = [one.candidate for one in pool if one.candidate.payload.ref in shown]
    first = max(had or [one.candidate for one in pool], key=lambda one: (one.relevance, one.id))
    least = max((compared.scores.get(one.id, 0.0) for one in had), default=0.0)
    return [
        (first.id, one.candidate.id)
        for one in pool
        if one.candidate.payload.ref not in shown and one.candidate.id != first.id
        for score in (compared.scores.get(one.candidate.id, 0.0),)
        if score > least and score >= ANSWERS
    ]


def confirmed_of(
    pool: Sequence[Neighbour], compared: Compared, shown: Collection[str]
) -> list[tuple[str, str]]:
    """(the first of the pool that is about something else, the best that was shown), where that one holds a
    part of the answer. It speaks for the order as it is: a scorer would else learn from failures alone."""
    if not compared.judged:
        return []
    scores = compared.scores
    held = [one.candidate for one in pool if scores.get(one.candidate.id, 0.0) >= ANSWERS]
    right = [one for one in held if one.payload.ref in shown]
    wrong = [one.candidate for one in pool if scores.get(one.candidate.id, ABOUT) < ABOUT]
    if not right or not wrong:
        return []
    best = max(right, key=lambda one: (scores[one.id], one.relevance, one.id))
    return [(max(wrong, key=lambda one: (one.relevance, one.id)).id, best.id)]


def _as_pairs(
    found: Sequence[tuple[str, str]],
    question: Question,
    pool: Sequence[Neighbour],
    index: Index,
    embedder: Embedder | None,
) -> tuple[TrainingPair, ...]:
    if not found:
        return ()
    vector = embedder.embed_query(question.text) if embedder else None
    parts = parts_of(question, {one.candidate.id: one.candidate.payload for one in pool}, index, vector)
    return tuple(TrainingPair(one, other, parts[other].beyond(parts[one])) for one, other in found)
