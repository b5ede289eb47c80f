"""The chance that a memory holds an answer at all, by what was measured of the candidates.

The evidence (`retrieval.relevance.evidence`) goes through a logistic model, whose answer is the chance that
a question with such candidates is one on this memory, where as many are as are not. `data/abstention.json`
holds the weights and the run that made them (`benchmarks/calibration/abstention_weights.py`, which also
prints what they are worth on people that they did not see). The confidence of a package takes it in
(`retrieval.relevance.confidence`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from math import exp

from inference.sparse import terms_in
from retrieval.question import Mode, Question
from retrieval.relevance.evidence import EVIDENCE, AnswerEvidence, evidence_of
from retrieval.relevance.word_rarity import Rarity
from retrieval.search.hybrid import Candidate
from schemas.base import Noun

FEWEST_CANDIDATES = 30
"""With fewer above the similarity floor, shares say nothing."""

FEWEST_TERMS = 4
"""Shares of fewer say nothing."""


class AnswerWeights(Noun):
    """What was learned, and from which run."""

    weights: dict[str, float]
    """Of each value of the evidence, by its name."""
    bias: float
    run: str

    def total(self, evidence: AnswerEvidence) -> float:
        """The logit of the chance, -50 to 50."""
        measured = zip(EVIDENCE, evidence.values, strict=True)
        total = self.bias + sum(self.weights[name] * value for name, value in measured)
        return max(min(total, 50.0), -50.0)

    def chance(self, evidence: AnswerEvidence) -> float:
        """0-1: how likely the memory answers."""
        return 1 / (1 + exp(-self.total(evidence)))


@cache
def learned() -> AnswerWeights:
    """The weights in use."""
    stored = resources.files("retrieval").joinpath("data/abstention.json").read_text(encoding="utf-8")
    return AnswerWeights.model_validate_json(stored)


def judged(
    question: Question, came: Sequence[Candidate], rarity: Rarity | None = None
) -> AnswerEvidence | None:
    """The evidence on a question of the whole memory, by meaning and words; None of any other.

    A question inside bounds says itself where the answer is, and the weights are of both searches.
    """
    if not of_all(question) or len(came) < FEWEST_CANDIDATES or is_short(question):
        return None
    return evidence_of(question.text, came, rarity)


def of_all(question: Question) -> bool:
    """Whether the whole memory is asked, by meaning and words."""
    where = question.where
    bounded = where.kinds or where.categories or where.conversations or where.tiers or where.people
    return not bounded and question.mode is Mode.HYBRID and question.judged


def is_short(question: Question) -> bool:
    """Whether it has too few terms for a share of them to say something."""
    return len(terms_in(question.text)) < FEWEST_TERMS
