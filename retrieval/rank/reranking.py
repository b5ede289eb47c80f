"""Rerank, an option: a second look at the most relevant candidates, by what reads question and note together.

It comes after the fit-gate and before anything is cut, over more candidates than the package will have, so
that a note from far below can come to the top. Scores of different models lie on different scales, so only
their place between the worst and the best of the reranked counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.rank.model_reranking import Reranker
from retrieval.search.hybrid import Candidate

RERANKED = 50
"""Candidates that get a second look, most relevant first: three times what a package has."""

SECOND_LOOK_COUNTS = 0.7
"""The second look's share of a reranked candidate's relevance. Not measured: no weights could be had."""


def second_look(query: str, candidates: Sequence[Candidate], reranker: Reranker) -> list[Candidate]:
    """The candidates with the relevance that the second look gives them, 0-1, in no new order."""
    ordered = sorted(candidates, key=lambda one: (-one.relevance, one.id))
    first = ordered[:RERANKED]
    scores = reranker(query, [one.payload.text for one in first]) if first else None
    if scores is None:
        return list(candidates)
    worst, best = min(scores), max(scores)
    shares = [(score - worst) / (best - worst) if best > worst else 1.0 for score in scores]
    seen = {one.id: share for one, share in zip(first, shares, strict=True)}
    return [
        replace(
            one,
            relevance=(1 - SECOND_LOOK_COUNTS) * one.relevance + SECOND_LOOK_COUNTS * seen.get(one.id, 0.0),
        )
        for one in candidates
    ]
