"""What a deep search found, beside what recall had: one list of candidates, blended, marked, and in order.

A note that both have is one, at the higher relevance. Where a language model read a note, its word counts for
BLEND of the relevance, and decides in place of the fit-gate whether the note is about the question; offline
the comparison gives the relevance itself. A
constraint that deep search found is in the package whatever comes before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from inference.secrets import mask_secrets
from retrieval.assembly import CORE_SHARE, DroppedCandidate
from retrieval.deep.comparison import Compared
from retrieval.deep.expansion import Neighbour
from retrieval.funnel_step import Step
from retrieval.question import Question
from retrieval.search.hybrid import Candidate
from schemas.unit import Category

BLEND = 0.7
"""The comparison's share of the relevance of a note that it read. Not measured: no model could be had."""

ABOUT = 0.4
"""From this score on a note is about the question: the prompt says so of 4 in 10."""

ANSWERS = 0.7
"""From this score on a note holds a part of the answer, and the memory does answer."""


def blended(
    candidates: Sequence[Candidate], pool: Sequence[Neighbour], compared: Compared
) -> list[Candidate]:
    """The candidates with those of the pool, each once, and what the comparison says of them."""
    together = {one.id: one for one in candidates}
    for one in pool:
        if not one.why:
            continue
        known, added = together.get(one.candidate.id), one.candidate
        if known is None:
            reason = compared.reasons.get(added.id)
            why = mask_secrets(" ".join(f"{one.why}; {reason}".split() if reason else one.why.split()))
            together[added.id] = replace(added, found_by=why)
        elif added.relevance > known.relevance:
            together[added.id] = replace(known, relevance=added.relevance)
    # offline the scores are relevances; what was read by somebody is of another scale
    share = BLEND if compared.judged else 1.0
    return [
        replace(one, relevance=(1 - share) * one.relevance + share * compared.scores[one.id])
        if one.id in compared.scores
        else one
        for one in together.values()
    ]


def fitting_as_compared(
    compared: Compared,
    fitting: Step,
    question: Question,
    candidates: Sequence[Candidate],
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """The fit-gate, for what the comparison did not read; the rest by its word."""
    unread = [one for one in candidates if one.id not in compared.scores]
    kept, drops = fitting(question, unread)
    stays = {one.id for one in kept}
    for one in candidates:
        if one.id in compared.scores:
            if compared.scores[one.id] >= ABOUT:
                stays.add(one.id)
            else:
                drops.append(DroppedCandidate(one, "deep search", "read, and about something else"))
    return [one for one in candidates if one.id in stays], drops


def first_few_and_constraints(
    compared: Compared, first_few: Step, question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """As many as were asked for; after them, firm as the core, the constraints that deep search found."""
    kept, drops = first_few(question, candidates)
    best = max((one.score for one in kept), default=0.0)
    late = [drop for drop in drops if _binds(drop.candidate, compared)]
    kept = [
        one.scored(max(one.score, CORE_SHARE * best), one.recency, one.novelty)
        if _binds(one, compared)
        else one
        for one in (*kept, *(drop.candidate for drop in late))
    ]
    return kept, [drop for drop in drops if drop not in late]


def _binds(one: Candidate, compared: Compared) -> bool:
    if not one.found_by or one.payload.category is not Category.CONSTRAINT:
        return False
    return not compared.judged or compared.scores.get(one.id, 0.0) >= ABOUT


def steps_after(steps: Sequence[tuple[str, Step]], compared: Compared) -> list[tuple[str, Step]]:
    """The funnel's steps, those of them replaced that a comparison speaks in."""
    told: list[tuple[str, Step]] = []
    for name, step in steps:
        if name == "fit-gate" and compared.judged:
            step = partial(fitting_as_compared, compared, step)
        elif name == "limit":
            step = partial(first_few_and_constraints, compared, step)
        told.append((name, step))
    return told
