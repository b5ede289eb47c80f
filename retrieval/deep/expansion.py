"""What stands near the candidates of a question, in time and by names: the pool of a deep search.

Every search has the question's own bounds, the account among them, inside the engine. Nothing here can
bring up a note that the question itself could not have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from inference.embedder import Embedder
from inference.sparse import encode_query
from retrieval.deep.name_neighbours import NameHops, by_names, by_question
from retrieval.deep.parts import parts_of
from retrieval.question import NOW, Question
from retrieval.search.hybrid import Candidate, gather, says_something
from retrieval.search.index_searches import scores_among
from vault.index import Index, Search, Vector, Where
from vault.points import PointKind, SparseVector

POOL = 50
"""Notes that are compared, at most."""

SEEDS = 5
"""Conversations that the neighbours are sought of, the most relevant first."""

ADJACENT = 2
"""Sessions before and after a seed, in its thread."""

DAYS = timedelta(days=2)
"""Sessions of other threads that began so near to a seed are beside it in time."""

BESIDE_SEED = 4
"""Of them so many are looked into, the nearest to the question first."""


_WHOLE = "said in a conversation that is near as a whole"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A note of the pool."""

    candidate: Candidate
    why: str
    """How it came into the pool; empty of what recall had found itself."""


def pool_of(
    question: Question,
    candidates: Sequence[Candidate],
    index: Index,
    embedder: Embedder | None,
    names: NameHops | None = None,
) -> list[Neighbour]:
    """At most POOL notes, best first: the candidates, and their neighbours in time and by names.

    They are chosen by relevance, the best of every conversation before the second of any, however they came.
    `candidates` are what `gather` found. Without `names` there are neighbours in time alone.
    """
    vector = embedder.embed_query(question.text) if embedder else None
    ordered = sorted(candidates, key=lambda one: (-one.relevance, one.id))
    seeds = list(dict.fromkeys(one.payload.conversation_id for one in ordered))[:SEEDS]
    homes = _beside_in_time(question, ordered, seeds, index, vector)
    sought = list[tuple[Search, str]]()
    for where in _bounds(question):
        for home, why in homes.items():
            sought += by_question(question, replace(where, conversations=(home,)), vector, why)
        if names is not None:
            sought += by_names(question, where, ordered, names, vector)
    found = index.search_ids([search for search, _ in sought]) if sought else []
    reasons = dict[str, str]()
    for hits, (_, why) in zip(found, sought, strict=True):
        for point, _ in hits:
            reasons.setdefault(point, why)
    for one in ordered:
        reasons.pop(one.id, None)
    fresh = _candidates(question, reasons, ordered, index, vector)
    together = _by_worth([*(Neighbour(one, "") for one in ordered), *fresh])
    return _by_worth(_told_by_passages(question, _spread(together)[:POOL], index, vector))


def looked_around(question: Question, index: Index, embedder: Embedder, names: NameHops) -> list[Neighbour]:
    """The pool of a question that was not recalled, for somebody else to judge."""
    if question.as_of == NOW:
        question = replace(question, as_of=datetime.now(UTC))
    return pool_of(question, gather(question, index, embedder), index, embedder, names)


def _spread(notes: Sequence[Neighbour]) -> list[Neighbour]:
    """The best of every conversation before the second of any: what recall misses lies mostly in a
    conversation that better ones hide, not deeper in one that it has."""
    said = Counter[str]()
    turns = list[tuple[int, int]]()
    for place, one in enumerate(notes):
        home = one.candidate.payload.conversation_id
        turns.append((said[home], place))
        said[home] += 1
    return [notes[place] for _, place in sorted(turns)]


def _told_by_passages(
    question: Question, pool: Sequence[Neighbour], index: Index, vector: Vector | None
) -> list[Neighbour]:
    """The pool with the passage nearest to the question in place of each conversation: a point of a
    conversation shows a title and opening words, by which nobody can tell whether it answers."""
    where = question.of_kind(PointKind.CHUNK)
    whole = [one for one in pool if one.candidate.payload.kind is PointKind.CONVERSATION]
    if where is None or not whole:
        return list(pool)
    query = SparseVector(*encode_query(question.text)) if vector is None else vector
    homes = [one.candidate.payload.conversation_id for one in whole]
    hits = index.search_ids([Search(query, replace(where, conversations=(home,)), 1) for home in homes])
    nearest = {home: found[0] for home, found in zip(homes, hits, strict=True) if found}
    payloads = index.payloads([point for point, _ in nearest.values()])
    told = {one.candidate.id for one in pool}
    passages = list[Neighbour]()
    for one in pool:
        point, score = nearest.get(one.candidate.payload.conversation_id, ("", 0.0))
        if one.candidate.payload.kind is PointKind.CONVERSATION and point in payloads:
            if point in told:
                continue
            near = one.candidate.similarity if vector is None else score
            passage = replace(one.candidate, id=point, payload=payloads[point], similarity=near)
            one = Neighbour(passage, one.why or _WHOLE)
        passages.append(one)
    return passages


def _by_worth(notes: Iterable[Neighbour]) -> list[Neighbour]:
    return sorted(notes, key=lambda one: (-one.candidate.relevance, one.candidate.id))


def _bounds(question: Question) -> list[Where]:
    """The question's own bounds for units and passages."""
    kinds = (question.of_kind(PointKind.UNIT), question.of_kind(PointKind.CHUNK))
    return [where for where in kinds if where is not None]


def _beside_in_time(
    question: Question,
    ordered: Sequence[Candidate],
    seeds: Sequence[str],
    index: Index,
    vector: Vector | None,
) -> dict[str, str]:
    """The seeds and the conversations beside them, each with why; within the question's bounds."""
    allowed = question.where.conversations
    titles, began = dict[str, str](), dict[str, datetime | None]()
    for one in ordered:
        titles.setdefault(one.payload.conversation_id, one.payload.conversation_title or "untitled")
        began.setdefault(one.payload.conversation_id, one.payload.conversation_at)
    homes = {seed: f"said in the same session: {titles[seed]}" for seed in seeds}
    threads = index.threads(question.where.account)
    for seed in seeds:
        members = [one.conversation_id for one in threads.get(seed, ())]
        at = members.index(seed) if seed in members else 0
        for home in members[max(at - ADJACENT, 0) : at + ADJACENT + 1]:
            homes.setdefault(home, f"said in a session beside: {titles[seed]}")
    for home, why in _same_days(question, seeds, began, titles, index, vector).items():
        homes.setdefault(home, why)
    return {home: why for home, why in homes.items() if allowed is None or home in allowed}


def _same_days(
    question: Question,
    seeds: Sequence[str],
    began: Mapping[str, datetime | None],
    titles: Mapping[str, str],
    index: Index,
    vector: Vector | None,
) -> dict[str, str]:
    where = question.surroundings
    searches, whys = list[Search](), list[str]()
    for seed in seeds:
        moment = began[seed]
        if moment is None:
            continue
        after, before = moment - DAYS, moment + DAYS
        inside = replace(
            where,
            kinds=(PointKind.CONVERSATION,),
            after=max(filter(None, (after, where.after))),
            before=min(filter(None, (before, where.before))),
        )
        query = SparseVector(*encode_query(question.text)) if vector is None else vector
        searches.append(Search(query, inside, BESIDE_SEED))
        whys.append(f"said in the same days as: {titles[seed]}")
    found = index.search_ids(searches) if searches else []
    points = {point: why for hits, why in zip(found, whys, strict=True) for point, _ in hits}
    payloads = index.payloads(sorted(points))
    return {payloads[point].conversation_id: why for point, why in points.items() if point in payloads}


def _candidates(
    question: Question,
    reasons: Mapping[str, str],
    ordered: Sequence[Candidate],
    index: Index,
    vector: Vector | None,
) -> list[Neighbour]:
    """The found points as candidates, their relevance measured beside what recall found."""
    found = {point: one for point, one in index.payloads(sorted(reasons)).items() if says_something(one)}
    if not found:
        return []
    parts = parts_of(question, {one.id: one.payload for one in ordered} | found, index, vector)
    account = Where(question.where.account, states=None)
    points = frozenset(found)
    cosines = scores_among(points, account, index, vector) if vector is not None else {}
    worded = scores_among(points, account, index, SparseVector(*encode_query(question.text)))
    return [
        Neighbour(
            Candidate(
                point,
                payload,
                cosines.get(point, 0.0),
                parts[point].weighed(question.weighing),
                worded.get(point, 0.0),
                payload.conversation_title or "",
                at_home=True,
            ),
            reasons[point],
        )
        for point, payload in found.items()
    ]
