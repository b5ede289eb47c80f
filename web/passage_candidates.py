"""Passages of the web as candidates of the funnel: how relevant, how trusted, and whether they fit at all.

Relevance is the mean of meaning and words, as everywhere, on scales that the memory's own notes have: meaning
is the cosine over the best cosine of memory and web together; words, the share of the question's words that
the passage has, rarer ones counting more, since an index knows no document frequency of what is not in it.

It counts as far as the filter (`web.pages.page_filter`) is sure. That fails shut. In doubt a note of the
memory stays, for hiding it would be a loss; what strangers wrote has to be judged to fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
import numpy.typing as npt

from inference.embedder import Embedder
from retrieval.assembly import DroppedCandidate
from retrieval.question import Question
from retrieval.relevance.filter_verdict import by_rules
from retrieval.relevance.relevance_filter import PlacedNote
from retrieval.relevance.word_rarity import learned_rarity
from retrieval.search.hybrid import Candidate
from retrieval.search.word_vectors import words_of
from schemas.base import sha256_text
from schemas.ids import web_passage_id
from schemas.provenance import Tier
from schemas.unit import Speaker, State
from vault.points import Payload, PointKind
from web.pages.page_filter import PagePassage, judged

OF_PAGE, OF_ALL = 10, 24
"""Passages of one page, and of all, that are judged: the nearest to the question (`web_extraction.py` of the
design's predecessor has the same numbers)."""

SHOWN_ADDRESS = 160
"""Characters of an address in a package; the whole one is the hit's `conversation_id`."""


WEB = "web"
"""What a page's provider is called: `mnemic recall --provider web`."""


@dataclass(frozen=True, slots=True)
class WebPassage:
    """A passage with the page that it stands on."""

    url: str
    title: str
    text: str
    weight: float
    """By the standing of its page (`schemas.provenance.STANDING_WEIGHTS`)."""
    heading_path: tuple[str, ...] = ()
    published: datetime | None = None
    vector: npt.NDArray[np.float32] | None = None
    """Of unit length, where it is known already."""


def may_answer(question: Question) -> bool:
    """Whether a page may answer within the bounds of a question: it is no note, nobody's talk, and of no time
    of a conversation."""
    where = question.where
    return (
        (where.tiers is None or Tier.WEB in where.tiers)
        and (where.kinds is None or PointKind.CHUNK in where.kinds)
        and (where.states is None or State.PASSED in where.states)
        and (where.providers is None or WEB in where.providers)
        and where.categories is None
        and where.conversations is None
        and where.people is None
        and where.before is None
        and where.after is None
    )


def folded(
    question: Question, passages: Sequence[WebPassage], memory: Sequence[Candidate], embedder: Embedder
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """The passages that fit the question, as candidates, and those that do not, each with the reason."""
    if not passages:
        return [], []
    asked = embedder.embed_query(question.text)
    missing = [place for place, one in enumerate(passages) if one.vector is None]
    made = embedder.embed([_embedded(passages[place]) for place in missing]) if missing else None
    vectors = np.stack(
        [
            one.vector if one.vector is not None else made[missing.index(place)]  # type: ignore[index]
            for place, one in enumerate(passages)
        ]
    )
    cosines = vectors @ asked
    best = max([float(cosines.max()), *(one.similarity for one in memory)])
    nearest = _nearest(passages, cosines)
    candidates = [_candidate(question, passages[place], float(cosines[place]), best) for place in nearest]
    return _judged(question, candidates, embedder)


def embedded_text(title: str, text: str) -> str:
    """What of a passage is embedded: its text under its page's title."""
    return f"{title}\n{text}" if title else text


def _embedded(passage: WebPassage) -> str:
    return embedded_text(passage.title, passage.text)


def _nearest(passages: Sequence[WebPassage], cosines: npt.NDArray[np.float32]) -> list[int]:
    """Places of the passages that are judged, nearest first, ties by place."""
    taken: dict[str, int] = {}
    places = []
    for place in np.argsort(-cosines, kind="stable").tolist():
        url = passages[place].url
        if taken.get(url, 0) < OF_PAGE:
            taken[url] = taken.get(url, 0) + 1
            places.append(place)
    return places[:OF_ALL]


def _candidate(question: Question, passage: WebPassage, cosine: float, best: float) -> Candidate:
    account = question.where.whose
    identity = web_passage_id(account, passage.url, passage.text)
    payload = Payload(
        kind=PointKind.CHUNK,
        ref=identity,
        account=account,
        text=passage.text,
        tier=Tier.WEB,
        weight=passage.weight,
        state=State.PASSED,
        speaker=Speaker.SOURCE,
        conversation_id=passage.url,
        conversation_title=", ".join(one for one in (passage.title, passage.url[:SHOWN_ADDRESS]) if one),
        provider=WEB,
        said_at=passage.published,
        conversation_at=passage.published,
        heading_path=passage.heading_path,
        content_hash=sha256_text(passage.text),
    )
    meaning = max(cosine, 0.0) / max(best, 1e-9)
    relevance = (meaning + _words_share(question.text, _embedded(passage))) / 2
    return Candidate(identity, payload, cosine, relevance, home=passage.title)


def _words_share(query: str, text: str) -> float:
    """0-1: how much of the question's words the text has, rarer ones counting more."""
    asked = np.unique(words_of(query).terms)
    if not len(asked):
        return 0.0
    rare = learned_rarity().of(asked)
    return float(rare[np.isin(asked, words_of(text).terms)].sum() / max(rare.sum(), 1e-9))


def _judged(
    question: Question, candidates: Sequence[Candidate], embedder: Embedder
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """By the filter for pages; where the question has a model judge its notes, by that model too."""
    passages = [PagePassage(one.home, one.payload.text, one.similarity) for one in candidates]
    fits = judged(question.text, passages, embedder)
    verdicts = [fit.verdict for fit in fits]
    if question.judge is not by_rules:
        placed = [PlacedNote(one.payload.text, one.home, one.id) for one in candidates]
        by_model = question.judge(question.text, question.intent, placed)
        verdicts = [
            other if own.kept and not (other.kept and other.judged) else own
            for own, other in zip(verdicts, by_model, strict=True)
        ]
    kept, drops = [], []
    for one, fit, verdict in zip(candidates, fits, verdicts, strict=True):
        if verdict.kept and verdict.judged:
            kept.append(replace(one, relevance=one.relevance * fit.chance))
        else:
            drops.append(DroppedCandidate(one, "web: fit-gate", verdict.reason))
    return kept, drops
