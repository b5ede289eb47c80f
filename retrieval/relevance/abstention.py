"""Whether the memory answers at all: what is near is not always about it.

The evidence (`retrieval.relevance.evidence`) goes through a logistic model, whose answer is the chance that
a question with such candidates is one on this memory, where as many are as are not. Below the least chance
the package is empty and says so. `data/abstention.json` holds the weights, the least chance, and the run
that made them (`benchmarks/calibration/abstention_weights.py`, which also prints what they are worth on
people that they did not see). A question too short for that is asked whether its words were ever said here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from math import exp

from inference.sparse import terms_in
from retrieval.question import Mode, Question
from retrieval.relevance.evidence import EVIDENCE, AnswerEvidence, best_share, evidence_of, lacking_share
from retrieval.relevance.word_rarity import Rarity
from retrieval.search.hybrid import Candidate
from schemas.base import Noun

FEWEST_CANDIDATES = 30
"""With fewer above the similarity floor, shares say nothing."""

FEWEST_TERMS = 4
"""Shares of fewer say nothing: such a question is judged by `unheard` alone."""

FEWEST_SPOKEN = 3
"""Less is no question: a name or two words are looked for by themselves, whatever they are about."""

UNHEARD, CLOSE = 0.5, 0.4
"""A short question is not answered when so much of it was never said here and no cosine is so high. Of
LoCoMo's questions of at most eight terms one in 256 of those with an answer lacks as much, and has .67; of
other people's .72 do, with .4 in the middle (`docs/retrieval.md`)."""

MANY_CONVERSATIONS = 20
"""Where the candidates come from fewer, the least chance shrinks with their number: in a small memory a wrong
answer is soon seen to be one, and a wrong silence hides the only note there is."""

SAID = 0.6
"""A note with so much of the question's terms answers it. Of RealMem's foreign questions .004 find one, of
own questions .074 (`benchmarks/calibration/abstention_weights.py`)."""


class AnswerWeights(Noun):
    """What was learned, and from which run."""

    weights: dict[str, float]
    """Of each value of the evidence, by its name."""
    bias: float
    least: float
    """An answer is given from this chance on."""
    run: str

    def least_of(self, evidence: AnswerEvidence) -> float:
        """The least chance, in a memory of so many conversations."""
        return self.least * min(evidence.conversations / MANY_CONVERSATIONS, 1.0)

    def chance(self, evidence: AnswerEvidence) -> float:
        """0-1: how likely the memory answers."""
        measured = zip(EVIDENCE, evidence.values, strict=True)
        total = self.bias + sum(self.weights[name] * value for name, value in measured)
        return 1 / (1 + exp(-max(min(total, 50.0), -50.0)))


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


def unheard(question: Question, came: Sequence[Candidate]) -> bool:
    """Whether a short question is on something that was never said here, and nothing else comes close."""
    if not of_all(question) or not is_short(question) or len(question.text.split()) < FEWEST_SPOKEN:
        return False
    near = max((one.similarity for one in came), default=0.0)
    return near < CLOSE and lacking_share(question.text, came) >= UNHEARD


def doubt(question: Question, came: Sequence[Candidate]) -> str | None:
    """Why nothing is answered of what came to the fit-gate; None where something is."""
    if unheard(question, came):
        return f"what is asked was never said here, and nothing else comes close: no cosine of {CLOSE}"
    evidence = judged(question, came)
    if evidence is None:
        return None
    chance, least = learned().chance(evidence), learned().least_of(evidence)
    if chance >= least or best_share(question.text, came) >= SAID:
        return None
    return f"near, but not about it: the chance of an answer is {chance:.2f}, below {least:.2f}"
