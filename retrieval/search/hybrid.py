"""Candidates by relevance alone: words and meaning, of a note itself and of where it stands.

    relevance = mean of   meaning and words of the passage,
                          meaning and words of its conversation

*Meaning* is the cosine to the query over the best cosine among points of the kind, *words* the BM25 score
over the best. A chunk is its own passage, and a document's chunk is judged by that alone: it stands in no
conversation. So is a summary or a thread, which is no passage of anything. A unit counts half for itself and
half for the chunk that it stands in: a sentence of twelve words carries too little to be judged alone. A
conversation has no passage. What a search did not return is taken at the score of its last result, which is
the most that it can have.

The four parts weigh the same unless the question says otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from inference.embedder import Embedder
from inference.sparse import terms_in
from retrieval.question import Question, Weights
from retrieval.search.index_searches import (
    CONVERSATIONS_SHARE,
    Matches,
    Probe,
    limits_of,
    matched,
    probe_of,
    scores_among,
)
from retrieval.thread_order import maps_within, newer_sessions, newest_sessions, thread_of
from schemas.ids import point_id
from schemas.provenance import Tier
from schemas.thread import NOTHING_SAID
from vault.index import Index, Where
from vault.points import OVERVIEWS, Payload, PointKind, Threads

NEAR_HOMES = 8
"""One conversation in so many of those that a search returns is near the question. On RealMem an eighth
still lets the fit-gate drop a fifth of what is beside the point, at half the cost of a tenth
(`docs/retrieval.md`)."""

RETOLD_COUNTS = 0.8
"""What a summary or a map scores beside what it retells: the best of its kind need not be near."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A note that may answer. The funnel fills in recency, novelty and score."""

    id: str
    """Id of its point."""
    payload: Payload
    similarity: float
    """Cosine to the query."""
    relevance: float
    words: float = 0.0
    """BM25 of the note itself, before any rescaling; 0 where the search by words did not return it."""
    home: str = ""
    """What is known of the conversation or document that it comes from: title and opening words."""
    at_home: bool = False
    """Whether its conversation, as a whole, is among the nearest by meaning, or its thread goes on in it; see
    `near_homes` and `Home`."""
    thread: str = ""
    """Its conversation's thread, by the first of its conversations; empty where it is in none."""
    newer: int = 0
    """How many sessions of its thread came after its own."""
    recency: float = 1.0
    novelty: float = 1.0
    score: float = 0.0
    duplicates: tuple[Payload, ...] = ()
    """The exact duplicates that it stands for."""
    found_by: str = ""
    """How deep search came to it (`retrieval.deep`); empty of what was gathered."""

    def scored(self, score: float, recency: float, novelty: float) -> Candidate:
        """With another score and what it is made of; six times as fast as `dataclasses.replace`."""
        return Candidate(
            self.id,
            self.payload,
            self.similarity,
            self.relevance,
            self.words,
            self.home,
            self.at_home,
            self.thread,
            self.newer,
            recency,
            novelty,
            score,
            self.duplicates,
            self.found_by,
        )

    @property
    def superseded_by(self) -> str | None:
        """Id of the unit that takes its place, or the place of a note that it stands for."""
        return next(
            (one.superseded_by for one in (self.payload, *self.duplicates) if one.superseded_by), None
        )


def gather(question: Question, index: Index, embedder: Embedder | None) -> list[Candidate]:
    """The `question.pool` most relevant notes within the question's bounds, best first, ties by id; after
    them the newest sessions of the threads that the best come from."""
    asked = {kind: question.of_kind(kind) for kind in PointKind}
    asked[PointKind.THREAD] = maps_within(asked[PointKind.THREAD], index)
    around = {
        kind: replace(question.surroundings, kinds=(kind,))
        for kind in (PointKind.CHUNK, PointKind.CONVERSATION)
    }
    answering = [where for where in asked.values() if where]
    limits = limits_of(question, {*around.values(), *answering})
    probe = probe_of(question, embedder)
    matches = matched(question, limits, index, probe)
    chunks, conversations = matches[around[PointKind.CHUNK]], matches[around[PointKind.CONVERSATION]]
    own = [matches[where] for where in answering]
    notes = index.payloads(list(dict.fromkeys(point for one in (chunks, *own) for point in one.found)))
    standing = Surroundings(chunks, conversations, notes, question.weighing)
    relevance = {
        (point, one): standing.relevance(point, notes[point], one)
        for one in own
        for point in one.found
        if says_something(notes[point])
    }
    pool = sorted(relevance, key=lambda one: (-relevance[one], one[0]))[: question.pool]
    picked = [
        (point, notes[point], one.cosines[point], relevance[point, one], one.bm25) for point, one in pool
    ]

    threads = index.threads(question.where.account)
    there = dict.fromkeys(note.conversation_id for _, note, *_ in picked)
    newest = set(newest_sessions(there, threads, question.as_of)) - there.keys()
    sessions, cosines = _sessions(newest, asked[PointKind.CONVERSATION], index, probe)
    picked += [
        (point, note, cosines[point], standing.relevance(point, note, conversations), conversations.bm25)
        for point, note in sessions.items()
    ]
    picked = _with_successors(picked, asked[PointKind.UNIT], index, probe)
    near = near_homes(conversations.cosines, question.pool) if embedder else frozenset[str]()
    homes = _homes({note.conversation_id for _, note, *_ in picked}, near, threads, question.as_of, index)
    return [
        Candidate(
            point,
            note,
            cosine if embedder else shared_terms(question.text, note.text),
            relevant,
            bm25.get(point, 0.0),
            (home := homes[note.conversation_id]).text or note.conversation_title or "",
            home.at_home,
            home.thread,
            home.newer,
        )
        for point, note, cosine, relevant, bm25 in picked
    ]


def _sessions(
    conversations: Collection[str], where: Where | None, index: Index, probe: Probe
) -> tuple[dict[str, Payload], Mapping[str, float]]:
    """Conversations as notes of their own, as far as the question's bounds let them answer: payloads and
    cosines by point id."""
    points = frozenset(point_id(PointKind.CONVERSATION, one) for one in conversations)
    if where is None or not points:
        return {}, {}
    query = probe.terms if probe.vector is None else probe.vector
    cosines = scores_among(points, where, index, query)
    found = index.payloads(sorted(cosines))
    return {point: note for point, note in found.items() if says_something(note)}, cosines


Picked: TypeAlias = tuple[str, Payload, float, float, Mapping[str, float]]
"""Point, payload, cosine, relevance, and the BM25 scores of its search."""


def _with_successors(
    picked: Sequence[Picked], where: Where | None, index: Index, probe: Probe
) -> list[Picked]:
    """The picked with the notes that take the place of any of them, as far as the question's bounds let them
    answer: at least as near and as relevant as what they replace, which is not shown without them."""
    found = {one[0]: one for one in picked}
    query = probe.terms if probe.vector is None else probe.vector
    for begun in list(found):
        point = begun
        while (newer := found[point][1].superseded_by) is not None and where is not None:
            _, _, cosine, relevant, bm25 = found[point]
            point = point_id(PointKind.UNIT, newer)
            if point not in found:
                near = scores_among(frozenset({point}), where, index, query)
                if not near:
                    break
                found[point] = (point, index.payloads([point])[point], near[point], 0.0, bm25)
            _, payload, own, share, words = found[point]
            if share >= relevant:
                break
            found[point] = (point, payload, max(own, cosine), relevant, words)
    return list(found.values())


def says_something(note: Payload) -> bool:
    """Whether there is more to it than a title: a conversation without a word in it answers nothing."""
    if note.kind is PointKind.SUMMARY and NOTHING_SAID in note.text:
        return False
    return bool(note.text.strip()) and (
        note.kind is not PointKind.CONVERSATION or note.text != note.conversation_title
    )


def near_homes(cosines: Mapping[str, float], pool: int) -> frozenset[str]:
    """Points of the conversations that are nearest to the question as a whole, by meaning alone.

    One in NEAR_HOMES of those that a search returns; none where there are fewer: among a handful the nearest
    need not be near.
    """
    found = sorted(cosines, key=lambda point: (-cosines[point], point))[: pool // CONVERSATIONS_SHARE]
    return frozenset(found[: len(found) // NEAR_HOMES])


def shared_terms(query: str, text: str) -> float:
    """The share of the query's terms that a text has, 0-1: what there is without an embedder."""
    asked = terms_in(query)
    return len(asked & terms_in(text)) / len(asked) if asked else 0.0


@dataclass(frozen=True, slots=True)
class Home:
    """The conversation or document that notes stand in; the fields are those of `Candidate`."""

    text: str
    at_home: bool
    thread: str
    newer: int


def _homes(
    conversations: Iterable[str], near: Collection[str], threads: Threads, as_of: datetime, index: Index
) -> dict[str, Home]:
    """What the index says of each conversation as a whole; a document has no point of its own.

    Where one conversation of a thread is near, its newest sessions are at home too: there it goes on.
    """
    points = {one: point_id(PointKind.CONVERSATION, one) for one in sorted(conversations)}
    found = index.payloads(list(points.values()))
    going_on = newest_sessions(
        (one for one, point in points.items() if point in near), threads, as_of, most=len(points)
    )
    homes = {}
    for one, point in points.items():
        thread, newer = thread_of(one, threads), newer_sessions(one, threads, as_of)
        at_home = point in near or one in going_on
        homes[one] = Home(found[point].text if point in found else "", at_home, thread, newer)
    return homes


class Surroundings:
    """The passages and conversations that the query found, and what a note owes to them."""

    def __init__(
        self, chunks: Matches, conversations: Matches, notes: Mapping[str, Payload], weights: Weights
    ) -> None:
        self._chunks, self._conversations, self._weights = chunks, conversations, weights
        self._homes: dict[str, float] = {}
        self._by_message: dict[str, list[tuple[str, int, int]]] = {}
        for point in chunks.found:
            for said in notes[point].evidence[:1]:
                self._by_message.setdefault(said.message_id, []).append((point, said.start, said.end))

    def relevance(self, point: str, note: Payload, own: Matches) -> float:
        """Relevance of a note, 0-1; `own` is where its own scores are."""
        chunks = self._chunks
        if note.kind is PointKind.UNIT:
            passage = self._passage(note)
            meaning = (own.meaning.share(point) + chunks.meaning.share(passage)) / 2
            words = (own.words.share(point) + chunks.words.share(passage)) / 2
        elif note.kind in OVERVIEWS:
            meaning = RETOLD_COUNTS * own.meaning.share(point)
            words = RETOLD_COUNTS * own.words.share(point)
        else:
            passage = point if note.kind is PointKind.CHUNK else None
            meaning, words = chunks.meaning.share(passage), chunks.words.share(passage)
        weights = self._weights
        if note.tier is Tier.RESOURCE or note.kind is PointKind.THREAD:
            return (weights.meaning * meaning + weights.words * words) / max(weights.of_passage, 1e-9)
        home = self._home(note.conversation_id)
        return (weights.meaning * meaning + weights.words * words + home) / weights.total

    def _home(self, conversation: str) -> float:
        """What a note owes to its conversation: meaning and words, weighted."""
        if (known := self._homes.get(conversation)) is None:
            point = point_id(PointKind.CONVERSATION, conversation)
            conversations, weights = self._conversations, self._weights
            known = weights.home_meaning * conversations.meaning.share(point)
            known += weights.home_words * conversations.words.share(point)
            self._homes[conversation] = known
        return known

    def _passage(self, unit: Payload) -> str | None:
        """The found chunk that a unit's first evidence lies in."""
        said = unit.evidence[0]
        around = self._by_message.get(said.message_id, ())
        return next((point for point, start, end in around if start <= said.start < end), None)
