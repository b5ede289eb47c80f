"""What deep searches teach recall: below which confidence they pay, and how much each part counts.

logged       a deep search -> the vault's log, with what a hit teaches
threshold    of a kind of question, by how often its deep searches brought something
fitted       the weights of the four parts of relevance, by which what answers would come first
"""

from __future__ import annotations

import logging
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from retrieval.deep.escalation import Listener, Looked, to_log
from retrieval.question import EQUAL, Weights
from retrieval.search.question_names import names_of, numbers_of
from schemas.deferred import deferred
from schemas.errors import MnemicError
from vault.deep_log import DeepLog, DeepOutcome, LoggedSearch, RelevanceLesson
from vault.index import named

if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")

notices = logging.getLogger(__name__)

EXPECTED_HITS = 0.25
"""The share of hits at which a threshold stays as it was set: one search in four that brings something pays
for the other three."""
DOUBT = 10
"""Searches of EXPECTED_HITS that every kind is taken to have had: few say little."""
STEEPNESS = 10.0
"""Of the chance that the better of two notes comes first, by how far their relevance lies apart: a tenth
decides three times in four."""
CAUTION = 20
"""Hits that would have to speak against equal weights to move them half of the way."""
STEPS = 2_000


class QuestionKind(StrEnum):
    """What a question is about, as far as its form tells in any language with capitals."""

    NAMES = "names"
    """It names somebody or something."""
    NUMBERS = "numbers"
    """It names nobody, and has a number in it."""
    PLAIN = "plain"


def kind_of(question: str) -> QuestionKind:
    """The kind of a question."""
    if names_of(question):
        return QuestionKind.NAMES
    return QuestionKind.NUMBERS if numbers_of(question) else QuestionKind.PLAIN


def logged(log: DeepLog, session: str = "") -> Listener:
    """Puts every deep search into the vault's log, and its ids into Python's. A log that cannot be written
    takes nothing from the answer."""

    def listen(looked: Looked) -> None:
        to_log(looked)
        search = LoggedSearch(
            at=datetime.now(UTC),
            account=named(looked.account)[0],
            session=session,
            kind=kind_of(looked.query),
            confidence=looked.confidence,
            pool=len(looked.pool),
            judge=looked.compared.by,
            milliseconds=looked.milliseconds,
            outcome=outcome_of(looked),
        )
        lessons = [
            RelevanceLesson(one.negative, one.positive, one.more) for one in looked.pairs or looked.confirmed
        ]
        try:
            log.add(search, lessons)
        except (MnemicError, OSError, sqlite3.Error) as error:
            notices.warning("a deep search was not logged: %s", str(error).splitlines()[0])

    return listen


def outcome_of(looked: Looked) -> DeepOutcome:
    """What came of it."""
    if looked.compared.timed_out:
        return DeepOutcome.TIMED_OUT
    if not looked.compared.judged:
        return DeepOutcome.UNJUDGED
    return DeepOutcome.HIT if looked.pairs else DeepOutcome.MISS


def deep_summary(searches: Sequence[LoggedSearch]) -> list[dict[str, object]]:
    """By month: deep searches, those that somebody judged, hits among them, and the share of hits."""
    months = defaultdict[str, list[LoggedSearch]](list)
    for one in searches:
        months[f"{one.at:%Y-%m}"].append(one)
    return [
        {
            "month": month,
            "searches": len(made),
            "judged": len(judged := _judged(made)),
            "hits": _hits(judged),
            "share": round(_hits(judged) / len(judged), 3) if judged else None,
        }
        for month, made in sorted(months.items())
    ]


def _judged(searches: Sequence[LoggedSearch]) -> list[LoggedSearch]:
    return [one for one in searches if one.outcome in (DeepOutcome.HIT, DeepOutcome.MISS)]


def _hits(searches: Sequence[LoggedSearch]) -> int:
    return sum(one.outcome is DeepOutcome.HIT for one in searches)


def threshold_of(searches: Sequence[LoggedSearch], kind: QuestionKind, base: float) -> float:
    """Confidence strictly below which a question of the kind looks further: `base`, and less where such
    questions' deep searches seldom brought anything."""
    judged = _judged([one for one in searches if one.kind == kind])
    share = (_hits(judged) + DOUBT * EXPECTED_HITS) / (len(judged) + DOUBT)
    return base * min(share / EXPECTED_HITS, 1.0)


def fitted(lessons: Sequence[Sequence[RelevanceLesson]]) -> Weights:
    """The weights by which the notes that answer would have come before those that do not.

    A logistic model of the differences of their parts, every search counting the same, drawn towards equal
    weights; none is below 0, and their mean is 1.
    """
    more = np.array([one.more for found in lessons for one in found])
    counts = np.array([1 / len(found) for found in lessons for _ in found])
    weights, total = np.ones(4), counts.sum() + CAUTION
    curve = (STEEPNESS**2 / 4 * (counts[:, None] * more**2).sum() + 2 * CAUTION) / total
    for _ in range(STEPS):
        wrong = counts / (1 + np.exp(np.clip(STEEPNESS * more @ weights, -50, 50)))
        slope = (-STEEPNESS * wrong @ more + 2 * CAUTION * (weights - 1)) / total
        weights = np.maximum(weights - slope / curve, 0.0)
    return Weights(*(round(float(one), 3) for one in weights / weights.mean())) if weights.any() else EQUAL


def found_at_once(lessons: Sequence[Sequence[RelevanceLesson]], weights: Weights) -> float:
    """0-1: the share of the pairs in which the better note comes first by these weights, each search counting
    the same."""
    by = (weights.meaning, weights.words, weights.home_meaning, weights.home_words)
    right = [
        sum(sum(more * weight for more, weight in zip(one.more, by, strict=True)) > 0 for one in found)
        / len(found)
        for found in lessons
    ]
    return sum(right) / len(right) if right else 0.0
