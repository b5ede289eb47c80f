"""Whether the memory answers at all: what is near is not always about it.

A question on another person's life finds near passages too: everybody plans journeys. Two things tell them
apart together, neither does alone: how near the nearest note is that the fit-gate let through, and how many
of the candidates it let through. Where their weighted sum is low, the package is empty and says so.

Both numbers come from RealMem: 200 queries asked of their own person's memory, 200 of another's, within the
same time (`mnemic eval abstention`; `docs/retrieval.md` has the figures).
"""

from __future__ import annotations

from collections.abc import Sequence

from inference.sparse import encode_query
from retrieval.candidates import Candidate
from retrieval.gate import by_rules
from retrieval.question import Mode, Question

SHARE_COUNTS = 0.4
"""What the share that the gate let through counts beside the best cosine."""

LEAST = 0.75
"""Of their sum, for an answer: 5 of 200 questions that have one stay below. At .77 `mnemic eval abstention`
found too many of them empty (`docs/retrieval.md`)."""

FEWEST_CANDIDATES = 30
"""With fewer above the similarity floor, shares say nothing."""

FEWEST_TERMS = 4
"""A name or two words are asked for by themselves, whatever they are about."""


def doubt(question: Question, came: Sequence[Candidate], kept: Sequence[Candidate]) -> str | None:
    """Why nothing is answered, of what came to the fit-gate and what it kept; None where something is.

    Only a question of the whole memory is judged, by the cosine and the offline gate that the numbers are of.
    """
    where = question.where
    bounded = where.kinds or where.categories or where.conversations or where.tiers or where.people
    if bounded or question.mode is Mode.BM25 or question.judge is not by_rules or not question.judged:
        return None
    if len(came) < FEWEST_CANDIDATES or len(encode_query(question.text).indices) < FEWEST_TERMS:
        return None
    best = max((one.similarity for one in kept), default=0.0)
    total = best + SHARE_COUNTS * len(kept) / len(came)
    if total >= LEAST:
        return None
    return f"near, but not about it: {total:.2f} is below {LEAST}"
