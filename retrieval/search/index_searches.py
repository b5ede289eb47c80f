"""The searches of a question: by words and by meaning, within each of several bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Probe:
    """What the index is asked with."""

    terms: SparseVector
    """Empty where the question is by meaning alone."""
    vector: Vector | None
    """None where the question is by words alone."""
    embedder: Embedder | None
    """What made the vector."""


def probe_of(question: Question, embedder: Embedder | None) -> Probe:
    """The question as the index is asked it."""
    terms = SparseVector(*(encode_query(question.text) if question.mode is not Mode.VECTOR else ((), ())))
    return Probe(terms, embedder.embed_query(question.text) if embedder else None, embedder)


def limits_of(question: Question, wheres: Iterable[Where]) -> dict[Where, int]:
    """How much a search within each of the bounds returns, in an order that never changes."""
    return {where: _limit(question.pool, where) for where in sorted(wheres, key=repr)}


def _limit(pool: int, where: Where) -> int:
    share = CONVERSATIONS_SHARE if where.kinds == (PointKind.CONVERSATION,) else NOTES_SHARE
    return max(1, pool // share)


def matched(
    question: Question, limits: Mapping[Where, int], index: Index, probe: Probe
) -> dict[Where, Matches]:
    """What a search by words and one by meaning found within each of the bounds.

    What only the words found has its cosine too; without an embedder it is 0.
    """
    worded = _found(probe.terms, limits, index)
    if probe.vector is None or probe.embedder is None:
        return {
            where: _match([], worded[where], limit, dict.fromkeys(dict(worded[where]), 0.0), question.fusion)
            for where, limit in limits.items()
        }
    by_meaning = _found(probe.vector, limits, index)
    cosines = {point: cosine for hits in by_meaning.values() for point, cosine in hits}
    far = frozenset(point for hits in worded.values() for point, _ in hits) - cosines.keys()
    if far:
        whole = Where(question.where.account, states=None)
        cosines.update(cosines_of(far, whole, index, probe.vector, probe.embedder))
    return {
        where: _match(by_meaning[where], worded[where], limit, cosines, question.fusion)
        for where, limit in limits.items()
    }


def _found(query: Vector | SparseVector, limits: Mapping[Where, int], index: Index) -> Found:
    """What one search within each of the bounds returns, in one go."""
    answers = index.search_ids([Search(query, *bounds) for bounds in limits.items()])
    return dict(zip(limits, answers, strict=True))


def scores_among(
    points: frozenset[str], where: Where, index: Index, query: Vector | SparseVector
) -> dict[str, float]:
    """What of these points lies within the bounds, and the score of each."""
    return dict(index.search_ids([Search(query, replace(where, among=points), len(points))])[0])


def cosines_of(
    points: frozenset[str], where: Where, index: Index, vector: Vector, embedder: Embedder
) -> dict[str, float]:
    """The cosine of each of these points that lies within the bounds; those that are found by their words
    alone (`IndexedPoint.vector`) are embedded now."""
    found = scores_among(points, where, index, vector)
    bare = sorted(points - found.keys())
    if bare:
        notes = index.payloads(bare)
        vectors = embedder.embed([note.text for note in notes.values()])
        found |= dict(zip(notes, (vectors @ vector).tolist(), strict=True))
    return found


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
