"""How near a note has to be: to the question at all, and beside the best."""

from __future__ import annotations

from collections.abc import Sequence

from inference.sparse import terms_in
from retrieval.assembly import DroppedCandidate
from retrieval.question import Question
from retrieval.search.hybrid import Candidate
from schemas.provenance import Tier

SIMILARITY_FLOOR = 0.14
"""Notes below this cosine are noise. Of the gold notes of RealMem and LoCoMo 99 in 100 lie above it, of all
notes of RealMem half lie below (`docs/retrieval.md`). The original's .40 belongs to another embedder."""

CONFIDENCE_FLOOR = 0.25
"""Where even the best cosine is below this, the memory holds nothing on the subject: fewer than one query
in 100 of RealMem, where all have an answer, falls below; made-up words and foreign subjects mostly do."""

SAME_WORDS_SHARE = 0.5
"""A note with at least this share of the query's terms passes either floor: a single name or number says
little to the embedder, and everything to its reader."""

BESIDE_BEST = 0.5
"""Of the relevance of the best note, what another must have to be told beside it. In RealMem's packages of
2,000 tokens a fifth of the notes come from gold conversations, without it a sixth; it costs .014 of those
conversations (`docs/retrieval.md`)."""


def above_floor(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """Drop what has nothing to do with the query: everything, where nothing in the memory comes close."""
    if not question.judged:
        return list(candidates), []
    terms = terms_in(question.text)
    best = max((one.similarity for one in candidates), default=0.0)
    floor, what = SIMILARITY_FLOOR, "cosine"
    if best < CONFIDENCE_FLOOR:
        floor, what = CONFIDENCE_FLOOR, "nothing in this memory comes close: cosine"
    kept, drops = [], []
    for one in candidates:
        if one.similarity >= floor or _shares_words(terms, one.payload.text):
            kept.append(one)
        else:
            drops.append(
                DroppedCandidate(one, "similarity floor", f"{what} {one.similarity:.2f} is below {floor}")
            )
    return kept, drops


def _shares_words(terms: frozenset[int], text: str) -> bool:
    return bool(terms) and len(terms & terms_in(text)) >= SAME_WORDS_SHARE * len(terms)


def beside_best(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """Drop what is much less relevant than the best, where there are more notes than were asked for: it would
    only fill the room that is left."""
    if not question.judged or len(candidates) <= question.limit:
        return list(candidates), []
    # what others wrote must not push out what was said here
    own = [one for one in candidates if one.payload.tier is not Tier.WEB] or candidates
    least = BESIDE_BEST * max((one.relevance for one in own), default=0.0)
    kept, drops = [], []
    for one in candidates:
        if one.relevance >= least:
            kept.append(one)
        else:
            reason = f"relevance {one.relevance:.2f} is below {least:.2f}, half of the best"
            drops.append(DroppedCandidate(one, "beside the best", reason))
    return kept, drops
