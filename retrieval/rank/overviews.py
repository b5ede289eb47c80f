"""What stands around the notes of a package: the map of the thread that they come from, the summary of the
conversation.

Overviews are no candidates beside notes: they say again what notes say, so they would take their places and
be judged by each other. They follow from the notes that came through: of the conversations and threads that
score most, one summary and one map, after the notes, in the room that is left. Their bounds are the notes'
own, and a map is told only where all of its conversations are within them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from inference.embedder import Embedder
from inference.sparse import encode_query
from retrieval.question import Question
from retrieval.rank.thresholds import SIMILARITY_FLOOR
from retrieval.search.hybrid import RETOLD_COUNTS, Candidate, says_something
from retrieval.search.index_searches import scores_among
from retrieval.thread_order import is_within
from schemas.ids import point_id, summary_id
from vault.index import Index, Where
from vault.points import OVERVIEWS, PointKind, SparseVector

LOOKED_AT = 3
"""Of each kind so many are looked at, those that go with most of the notes first: the best may be withheld,
or have nothing to do with the question. One of each is told: a second one is of what gave fewer notes."""

Near: TypeAlias = dict[str, Candidate]
"""Points of overviews, those that go with most of the notes first, and the best note of each."""


def beside(
    question: Question, notes: Sequence[Candidate], index: Index, embedder: Embedder | None
) -> list[Candidate]:
    """At most one thread map and one summary that go with the notes, in this order.

    None where the question names kinds, or bounds that no overview is within. One search, by id.
    """
    if question.where.kinds is not None or question.bounds_of(PointKind.SUMMARY) is None or not notes:
        return []
    maps, summaries = _near_maps(question.where, notes, index), _near_summaries(notes)
    near = frozenset(maps | summaries)
    if not near:
        return []
    where = Where(question.where.account, OVERVIEWS, question.where.states, before=question.where.before)
    query = embedder.embed_query(question.text) if embedder else SparseVector(*encode_query(question.text))
    similar = scores_among(near, where, index, query)
    floor = SIMILARITY_FLOOR if question.judged and embedder else 0.0
    found = {
        point: one
        for point, one in index.payloads(sorted(similar)).items()
        if similar[point] >= floor and says_something(one)
    }
    told = []
    for of_kind in (maps, summaries):
        point = next((one for one in of_kind if one in found), None)
        if point is not None:
            best, last = of_kind[point], notes[-1]
            relevance = RETOLD_COUNTS * best.relevance
            score = min(RETOLD_COUNTS * best.score, last.score)
            cosine = similar[point] if embedder else 0.0
            told.append(Candidate(point, found[point], cosine, relevance, score=score))
    return told


def _near_summaries(notes: Sequence[Candidate]) -> Near:
    homes = _by_weight((one.payload.conversation_id, one) for one in notes)
    return {point_id(PointKind.SUMMARY, summary_id(home)): best for home, best in homes.items()}


def _near_maps(where: Where, notes: Sequence[Candidate], index: Index) -> Near:
    members = index.members(where.account)
    threads = index.threads(where.account)
    ids = {own[0].conversation_id: thread for thread, own in members.items()}
    within = (
        (ids[own[0].conversation_id], one)
        for one in notes
        if (own := threads.get(one.payload.conversation_id)) and is_within(where, own)
    )
    return {point_id(PointKind.THREAD, thread): best for thread, best in _by_weight(within).items()}


def _by_weight(notes: Iterable[tuple[str, Candidate]]) -> Near:
    """The first LOOKED_AT homes by the sum of their notes' scores, ties by id; and the best note of each."""
    weight: dict[str, float] = {}
    best: Near = {}
    for home, one in notes:
        weight[home] = weight.get(home, 0.0) + one.score
        best.setdefault(home, one)
    ordered = sorted(weight, key=lambda home: (-weight[home], home))
    return {home: best[home] for home in ordered[:LOOKED_AT]}
