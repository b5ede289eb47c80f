"""The searches of a question: by words while it is embedded, then by meaning.

The embedder computes in a thread of its own, beside which the engine searches: neither holds Python's lock on
the other (`inference.embedder`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Event
from typing import TypeAlias

from inference.embedder import Embedder
from inference.sparse import encode_query
from retrieval.question import Fusion, Mode, Question
from vault.index import Index, Search, Vector, Where
from vault.points import PointKind, SparseVector

Ranked: TypeAlias = tuple[str, float]
"""Point id and score."""

Found: TypeAlias = Mapping[Where, Sequence[Ranked]]
"""What a search returned within each of several bounds, best first."""

NOTES_SHARE, CONVERSATIONS_SHARE = 4, 2
"""A search for units or chunks returns the pool's size over the one, for conversations over the other. With a
pool for each, recall is the same and a query takes longer (`docs/retrieval.md`)."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What one search gave, by point id, as shares of the best: 0-1."""

    shares: Mapping[str, float]
    most: float
    """What a point that the search did not return has at most."""

    @classmethod
    def of(cls, values: Mapping[str, float], best: float, bound: float) -> Scores:
        """From scores by point id; `bound` is the score of a point that was not returned."""
        if best <= 0:
            return cls({}, 0.0)
        shares = {point: max(value, 0.0) / best for point, value in values.items()}
        return cls(shares, max(bound, 0.0) / best)

    def share(self, point: str | None) -> float:
        """0-1; the most where the search did not return the point, or there is no point to look for."""
        return self.most if point is None else self.shares.get(point, self.most)


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """What a search by meaning and one by words found within the same bounds."""

    found: tuple[str, ...]
    """Point ids, each once."""
    cosines: Mapping[str, float]
    bm25: Mapping[str, float]
    meaning: Scores
    words: Scores


class Probe:
    """What the index is asked with."""

    def __init__(self, terms: SparseVector, vector: Future[Vector] | None) -> None:
        self.terms = terms
        """Empty where the question is by meaning alone."""
        self._vector = vector

    @property
    def vector(self) -> Vector | None:
        """None where the question is by words alone. Waits for the embedder."""
        return self._vector.result() if self._vector else None


@contextmanager
def probe_of(question: Question, embedder: Embedder | None) -> Iterator[Probe]:
    """What to ask the index with; the vector is on its way."""
    terms = SparseVector(*(encode_query(question.text) if question.mode is not Mode.VECTOR else ((), ())))
    if embedder is None:
        yield Probe(terms, None)
        return
    begun = Event()

    def embed() -> Vector:
        begun.set()
        return embedder.embed_query(question.text)

    with ThreadPoolExecutor(1, "embed") as aside:
        vector = aside.submit(embed)
        # else the thread waits for Python's lock until the engine has searched
        begun.wait()
        yield Probe(terms, vector)


def limits_of(question: Question, wheres: Iterable[Where]) -> dict[Where, int]:
    """How much a search within each of the bounds returns, in an order that never changes."""
    return {where: _limit(question.pool, where) for where in sorted(wheres, key=repr)}


def _limit(pool: int, where: Where) -> int:
    share = CONVERSATIONS_SHARE if where.kinds == (PointKind.CONVERSATION,) else NOTES_SHARE
    return max(1, pool // share)


def by_words(limits: Mapping[Where, int], index: Index, probe: Probe) -> Found:
    """The search by words within each of the bounds, in one go; nothing where there are no words."""
    answers = index.search_ids([Search(probe.terms, *bounds) for bounds in limits.items()])
    return dict(zip(limits, answers, strict=True))


def matched(
    question: Question, limits: Mapping[Where, int], worded: Found, index: Index, probe: Probe
) -> dict[Where, Matches]:
    """What the search by words found, and the one by meaning, which is made now.

    What only the words found has its cosine too; without an embedder it is 0.
    """
    if probe.vector is None:
        return {
            where: _match([], worded[where], limit, dict.fromkeys(dict(worded[where]), 0.0), question.fusion)
            for where, limit in limits.items()
        }
    answers = index.search_ids([Search(probe.vector, *bounds) for bounds in limits.items()])
    by_meaning = dict(zip(limits, answers, strict=True))
    cosines = {point: cosine for hits in answers for point, cosine in hits}
    far = frozenset(point for hits in worded.values() for point, _ in hits) - cosines.keys()
    if far:
        cosines.update(scores_among(far, Where(question.where.account, states=None), index, probe.vector))
    return {
        where: _match(by_meaning[where], worded[where], limit, cosines, question.fusion)
        for where, limit in limits.items()
    }


def scores_among(
    points: frozenset[str], where: Where, index: Index, query: Vector | SparseVector
) -> dict[str, float]:
    """What of these points lies within the bounds, and the score of each."""
    return dict(index.search_ids([Search(query, replace(where, among=points), len(points))])[0])


def _match(
    by_meaning: Sequence[Ranked],
    worded: Sequence[Ranked],
    limit: int,
    cosines: Mapping[str, float],
    fusion: Fusion,
) -> Matches:
    """`cosines` has those of what the search by words found."""
    near, shared = dict(by_meaning), dict(worded)
    similar = {point: cosines[point] for point in shared} | near
    if fusion is Fusion.RRF:
        meaning, words = Scores.of(by_rank(near), *_OF_RANKS), Scores.of(by_rank(shared), *_OF_RANKS)
    else:
        meaning = Scores.of(similar, max(similar.values(), default=0.0), _bound(by_meaning, limit))
        words = Scores.of(shared, worded[0][1] if worded else 0.0, _bound(worded, limit))
    return Matches(tuple(similar), similar, shared, meaning, words)


def by_rank(points: Iterable[str]) -> dict[str, float]:
    """1 / (60 + rank) of each point, best first, rank 1 (Cormack, Clarke and Büttcher 2009)."""
    return {point: 1 / (RRF_K + rank) for rank, point in enumerate(points, 1)}


RRF_K = 60
_OF_RANKS = (1 / (RRF_K + 1), 0.0)
"""The best of a search by ranks, and what it says of a point that it did not return."""


def _bound(hits: Sequence[Ranked], limit: int) -> float:
    return hits[-1][1] if len(hits) >= limit else 0.0
