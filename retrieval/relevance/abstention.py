"""Whether the memory answers at all: what is near is not always about it.

Where the confidence of what came (`retrieval.relevance.confidence`) is below the least, the package is empty
and says so. A question too short for that is asked whether its words were ever said here.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.question import Question
from retrieval.relevance.answer_chance import is_short, judged, of_all
from retrieval.relevance.confidence import weighed
from retrieval.relevance.evidence import best_share, lacking_share
from retrieval.search.hybrid import Candidate

FEWEST_SPOKEN = 3
"""Less is no question: a name or two words are looked for by themselves, as long as one of them was ever
said here."""

UNHEARD, CLOSE = 0.5, 0.4
"""A short question is not answered when so much of it was never said here and no cosine is so high. Of
LoCoMo's questions of at most eight terms one in 256 of those with an answer lacks as much, and has .67; of
other people's .72 do, with .4 in the middle (`docs/retrieval.md`)."""

MANY_CONVERSATIONS = 20
"""Where the candidates come from fewer, the least confidence shrinks with their number: in a small memory a
wrong answer is soon seen to be one, and a wrong silence hides the only note there is."""

SAID = 0.6
"""A note with so much of the question's terms answers it. Of RealMem's foreign questions .004 find one, of
own questions .074 (`benchmarks/calibration/abstention_weights.py`)."""


def least_of(conversations: int) -> float:
    """The least confidence, where the candidates come from so many conversations."""
    return weighed().least * min(conversations / MANY_CONVERSATIONS, 1.0)


def unheard(question: Question, came: Sequence[Candidate]) -> bool:
    """Whether a short question is on something that was never said here, and nothing else comes close."""
    if not of_all(question) or not is_short(question):
        return False
    lacking = lacking_share(question.text, came)
    near = max((one.similarity for one in came), default=0.0)
    least = UNHEARD if len(question.text.split()) >= FEWEST_SPOKEN else 1.0
    return near < CLOSE and lacking >= least


def doubt(question: Question, came: Sequence[Candidate], confidence: float) -> str | None:
    """Why nothing is answered of what came through the similarity floor; None where something is."""
    if unheard(question, came):
        return f"what is asked was never said here, and nothing else comes close: no cosine of {CLOSE}"
    if confidence >= weighed().least:
        return None  # whatever the evidence is, which takes a fifteenth of a recall to look at
    evidence = judged(question, came)
    if evidence is None:
        return None
    least = least_of(evidence.conversations)
    if confidence >= least or best_share(question.text, came) >= SAID:
        return None
    return f"near, but not about it: confidence {confidence:.2f} is below {least:.2f}"
