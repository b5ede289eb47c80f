"""Whether the memory answers at all: what is near is not always about it.

The evidence (`retrieval.evidence`) goes through a logistic model, whose answer is the chance that a question
with such candidates is one on this memory, where as many are as are not. Below the least chance the package
is empty and says so. `data/abstention.json` holds the weights, the least chance, and the run that made them
(`benchmarks/abstention.py`, which also prints what they are worth on people that they did not see).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from math import exp

from inference.sparse import encode_query
from retrieval.candidates import Candidate
from retrieval.evidence import EVIDENCE, Evidence, best_share, evidence_of
from retrieval.question import Mode, Question
from schemas.base import Noun

FEWEST_CANDIDATES = 30
"""With fewer above the similarity floor, shares say nothing."""

FEWEST_TERMS = 4
"""A name or two words are asked for by themselves, whatever they are about."""

MANY_CONVERSATIONS = 20
"""Where the candidates come from fewer, the least chance shrinks with their number: in a small memory a wrong
answer is soon seen to be one, and a wrong silence hides the only note there is."""

SAID = 0.6
"""A note with so much of the question's terms answers it. Of RealMem's foreign questions .004 find one, of
own questions .074 (`benchmarks/abstention.py`)."""


class AnswerWeights(Noun):
    """What was learned, and from which run."""

    weights: dict[str, float]
    """Of each value of the evidence, by its name."""
    bias: float
    least: float
    """An answer is given from this chance on."""
    run: str

    def least_of(self, evidence: Evidence) -> float:
        """The least chance, in a memory of so many conversations."""
        return self.least * min(evidence.conversations / MANY_CONVERSATIONS, 1.0)

    def chance(self, evidence: Evidence) -> float:
        """0-1: how likely the memory answers."""
        measured = zip(EVIDENCE, evidence.values, strict=True)
        total = self.bias + sum(self.weights[name] * value for name, value in measured)
        return 1 / (1 + exp(-max(min(total, 50.0), -50.0)))


@cache
def learned() -> AnswerWeights:
    """The weights in use."""
    stored = resources.files("retrieval").joinpath("data/abstention.json").read_text(encoding="utf-8")
    return AnswerWeights.model_validate_json(stored)


def judged(question: Question, came: Sequence[Candidate]) -> Evidence | None:
    """The evidence on a question of the whole memory, by meaning and words; None of any other.

    A question inside bounds says itself where the answer is, and the weights are of both searches.
    """
    where = question.where
    bounded = where.kinds or where.categories or where.conversations or where.tiers or where.people
    if bounded or question.mode is not Mode.HYBRID or not question.judged:
        return None
    if len(came) < FEWEST_CANDIDATES or len(encode_query(question.text).indices) < FEWEST_TERMS:
        return None
    return evidence_of(question.text, came)


def doubt(question: Question, came: Sequence[Candidate]) -> str | None:
    """Why nothing is answered of what came to the fit-gate; None where something is."""
    evidence = judged(question, came)
    if evidence is None:
        return None
    chance, least = learned().chance(evidence), learned().least_of(evidence)
    if chance >= least or best_share(question.text, came) >= SAID:
        return None
    return f"near, but not about it: the chance of an answer is {chance:.2f}, below {least:.2f}"
