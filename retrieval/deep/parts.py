"""The four parts of relevance, measured among the notes of a pool alone.

`retrieval.search.hybrid` takes them as shares of the best that its searches returned. A neighbour was in none
of them: here passages and conversations are scored by id, and a share is that of the best note given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from inference.sparse import encode_query
from retrieval.question import Question, Weights
from retrieval.search.index_searches import scores_among
from schemas.ids import point_id
from vault.index import Index, Vector, Where
from vault.points import Payload, PointKind, SparseVector


class RelevanceParts(NamedTuple):
    """Of a note, each 0-1; the names are those of `Weights`."""

    meaning: float
    words: float
    home_meaning: float
    home_words: float

    def beyond(self, other: RelevanceParts) -> RelevanceParts:
        """By how much there is more of each part than in the other."""
        return RelevanceParts(*(round(one - less, 4) for one, less in zip(self, other, strict=True)))

    def weighed(self, weights: Weights) -> float:
        """0-1: the weighted mean."""
        by = (weights.meaning, weights.words, weights.home_meaning, weights.home_words)
        return sum(one * weight for one, weight in zip(self, by, strict=True)) / weights.total


def parts_of(
    question: Question, notes: Mapping[str, Payload], index: Index, vector: Vector | None
) -> dict[str, RelevanceParts]:
    """The parts of each note, by the ids of their points. Without a vector nothing is near in meaning."""
    terms = SparseVector(*encode_query(question.text))
    homes = {point: point_id(PointKind.CONVERSATION, note.conversation_id) for point, note in notes.items()}
    account = Where(question.where.account, states=None)
    measured = [
        _shares(frozenset(points), query, account, index)
        for points in (notes, homes.values())
        for query in (vector, terms)
    ]
    meaning, words, home_meaning, home_words = measured
    return {
        point: RelevanceParts(
            meaning.get(point, 0.0),
            words.get(point, 0.0),
            home_meaning.get(home, 0.0),
            home_words.get(home, 0.0),
        )
        for point, home in homes.items()
    }


def _shares(
    points: frozenset[str], query: Vector | SparseVector | None, account: Where, index: Index
) -> dict[str, float]:
    if query is None or not points:
        return {}
    scores = scores_among(points, account, index, query)
    best = max(scores.values(), default=0.0)
    return {point: max(score, 0.0) / best for point, score in scores.items()} if best > 0 else {}
