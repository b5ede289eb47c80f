"""How likely the package of a recall holds the answer: one number for the command line, MCP and the library.

It is measured of the candidates before anything is rescaled: the best score, its distance from the best of
another conversation, how many results there are, how much of the question one note has, how much of it none
has, and, where the whole memory was asked, the evidence by which it may keep silent
(`retrieval.relevance.answer_chance`). A logistic model makes a chance of them, a set of weights for each way
in which a question can be judged. `data/confidence.json` holds them with the run that made them
(`benchmarks/calibration/confidence_weights.py`, which prints how often such packages hold the answer for
people that the weights did not see). Half of the questions that it learned from are on somebody else's life,
so the chance is that of a question of which nothing is known beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from math import exp, log1p

from retrieval.question import Mode, Question
from retrieval.relevance.answer_chance import judged, learned
from retrieval.relevance.evidence import AnswerEvidence, best_share, lacking_share
from retrieval.search.hybrid import Candidate
from schemas.base import Noun


class Basis(StrEnum):
    """What a confidence goes by."""

    EVIDENCE = "evidence"
    """The outline of the results and the evidence: a question of the whole memory."""
    OUTLINE = "outline"
    """The outline alone: a short question, one inside bounds, a memory of few notes."""
    WORDS = "words"
    """The outline of a search by words alone, where a score is the share of the question's terms."""


@dataclass(frozen=True, slots=True)
class ResultOutline:
    """What can be measured of any results."""

    best: float
    """The best score: a cosine, or by words alone the share of the question's terms in a note."""
    gap: float
    """How far the best of the next conversation is below it; the whole of it where there is no other."""
    results: int
    """How many there are."""
    said: float
    """0-1: the most of the question's terms that one note has."""
    lacking: float
    """0-1: how much of the question no candidate has, rarer words counting more."""

    @property
    def values(self) -> dict[str, float]:
        """By name, as the weights name them; of the results the logarithm."""
        return {
            "best": self.best,
            "gap": self.gap,
            "results": log1p(self.results),
            "said": self.said,
            "lacking": self.lacking,
        }


class ConfidenceWeights(Noun):
    """What was learned, and from which run."""

    weights: dict[Basis, dict[str, float]]
    """Of each value by its name, `bias` among them."""
    least: float
    """Below this confidence a question of the whole memory is not answered."""
    run: str

    def chance(self, basis: Basis, values: Mapping[str, float]) -> float:
        """0-1: how likely a package of such results holds the answer."""
        weights = self.weights[basis]
        total = weights["bias"] + sum(weights[name] * value for name, value in values.items())
        return 1 / (1 + exp(-max(min(total, 50.0), -50.0)))


@cache
def weighed() -> ConfidenceWeights:
    """The weights in use."""
    stored = resources.files("retrieval").joinpath("data/confidence.json").read_text(encoding="utf-8")
    return ConfidenceWeights.model_validate_json(stored)


def outline_of(question: Question, came: Sequence[Candidate]) -> ResultOutline:
    """The outline of what came through the similarity floor."""
    best = dict[str, float]()
    for one in came:
        home = one.payload.conversation_id
        best[home] = max(best.get(home, 0.0), one.similarity)
    first, second, *_ = (*sorted(best.values(), reverse=True), 0.0, 0.0)
    return ResultOutline(
        best=first,
        gap=first - second,
        results=len(came),
        said=best_share(question.text, came),
        lacking=lacking_share(question.text, came),
    )


def values_of(
    question: Question, came: Sequence[Candidate], evidence: AnswerEvidence | None, logit: float
) -> tuple[Basis, dict[str, float]]:
    """What the confidence goes by, and the values of it; `logit` is that of the evidence."""
    values = outline_of(question, came).values
    if question.mode is Mode.BM25:
        return Basis.WORDS, values
    return (Basis.EVIDENCE, values | {"logit": logit}) if evidence else (Basis.OUTLINE, values)


def confidence_of(question: Question, came: Sequence[Candidate]) -> float:
    """0-1: how likely the package made of what came through the similarity floor holds the answer; 0 of
    nothing."""
    if not came:
        return 0.0
    evidence = judged(question, came)
    basis, values = values_of(question, came, evidence, learned().total(evidence) if evidence else 0.0)
    return weighed().chance(basis, values)
