"""Rerank, an option: a second look at the most relevant candidates, by what reads question and note together.

It comes after the fit-gate and before anything is cut, over more candidates than the package will have, so
that a note from far below can come to the top. Scores of different models lie on different scales, so they
count in standard deviations. The notes keep the relevances that they had, dealt out anew in the order that
both give together: what is so relevant that it stays, and what goes, is decided as without a second look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from retrieval.rank.model_reranking import Reranker
from retrieval.search.hybrid import Candidate
from vault.points import Payload

RERANKED = 50
"""Candidates that get a second look, most relevant first: three times what a package has."""

SECOND_LOOK_COUNTS = 1.5
"""Of what the second look says, beside the relevance that there is: measured with the judge of relevance
(`docs/retrieval.md`). Neither weights of another cross-encoder nor a live model could be had."""

TITLE_CHARACTERS = 120
"""Of a title that stands before a note; that of a web page goes on with its address."""

_DIGITS = 6
"""What lies further is arithmetic, not meaning."""

Numbers = npt.NDArray[np.float64]


def second_look(query: str, candidates: Sequence[Candidate], reranker: Reranker) -> list[Candidate]:
    """The candidates with the relevances that the second look deals them, in no new order."""
    ordered = sorted(candidates, key=lambda one: (-one.relevance, one.id))
    first = ordered[:RERANKED]
    scores = reranker(query, [told(one.payload) for one in first]) if first else None
    if scores is None:
        return list(candidates)
    dealt = dealt_anew([one.relevance for one in first], scores, SECOND_LOOK_COUNTS)
    anew = {one.id: share for one, share in zip(first, dealt, strict=True)}
    return [replace(one, relevance=anew.get(one.id, one.relevance)) for one in candidates]


def told(payload: Payload, characters: int | None = None) -> str:
    """A note as it is read beside a question: below the title of its conversation, which often has the names
    that it leaves out, unless it begins with that. At most so many characters of its own."""
    return below_title(payload.conversation_title, payload.text, characters)


def below_title(title: str | None, text: str, characters: int | None = None) -> str:
    """`told`, of a title and a text."""
    text = " ".join(text.split())[:characters]
    title = " ".join((title or "").split())[:TITLE_CHARACTERS]
    return text if text.startswith(title) else f"{title}: {text}"


def dealt_anew(relevances: Sequence[float], scores: Sequence[float], counts: float) -> list[float]:
    """The relevances, dealt out in the order that they and the scores give together, of which these count as
    much as is said; of those that are alike the more relevant, then the earlier one keeps the higher."""
    relevance, said = _rounded(relevances), _rounded(scores)
    together = np.round(spread(relevance) + counts * spread(said), _DIGITS)
    dealt = np.empty(len(relevance))
    dealt[np.lexsort((-relevance, -together))] = np.sort(np.array(relevances, np.float64))[::-1]
    return [float(one) for one in dealt]


def _rounded(values: Sequence[float]) -> Numbers:
    return np.asarray(np.round(np.array(values, np.float64), _DIGITS), np.float64)


def spread(values: Numbers) -> Numbers:
    """In standard deviations from the mean."""
    return np.asarray((values - values.mean()) / (values.std() or 1.0))
