"""One prompt as several questions: what it is about, how it was gone about, where things stood, who says so.

Made of the prompt's own words, without a model. Names and numbers are in every variation: a question on error
502 must not become one on errors. Off unless it is asked for: every variation takes as long as the prompt
(`docs/retrieval.md`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from inference.embedder import Embedder
from inference.sparse import encode_query
from retrieval.question import Mode, Question
from retrieval.search.hybrid import Candidate, gather, shared_terms
from retrieval.search.hypothesis import HYPOTHESIS_COUNTS
from retrieval.search.index_searches import cosines_of
from retrieval.search.question_names import names_of, numbers_of
from retrieval.search.variation import Variation
from schemas.provenance import Tier
from vault.index import Index, Where

VARIATION_COUNTS = 0.9
"""What a variation's relevance counts beside the prompt's own."""

MOST_WORDS = 24
"""Of the prompt's words in a variation, first come first."""

_WORD = re.compile(r"[^\W_][\w'’-]*")


AIMS: tuple[tuple[str, str, tuple[Tier, ...] | None], ...] = (
    ("concept", "", None),
    ("methodology", "approach method steps", None),
    ("session continuity", "decided agreed last time next step", None),
    ("supplemental authority", "", (Tier.ENGRAM, Tier.RESOURCE)),
)
"""Aim, the words that it adds, and the tiers that it asks."""


def variations(prompt: str) -> list[Variation]:
    """Four at most, each different from the prompt; none of a prompt without words."""
    kept = [*names_of(prompt), *numbers_of(prompt)]
    content = [word for word in _WORD.findall(prompt) if encode_query(word).indices]
    core = " ".join(dict.fromkeys([*content[:MOST_WORDS], *kept]))
    made = [Variation(aim, f"{core} {words}".strip(), tiers) for aim, words, tiers in AIMS if core]
    return [one for one in made if one.text != prompt or one.tiers]


def gather_decomposed(question: Question, index: Index, embedder: Embedder | None) -> list[Candidate]:
    """The pool of the prompt and its variations, searched at once, each note once, best first; ties by id.

    The question's writer adds a variation by meaning alone. A note that only a variation found has its own
    similarity to the prompt: what a variation says is no evidence that the prompt has an answer.
    """
    asked = [question, *(part for _, part in put(ways_of(question), question))]
    if not question.decomposed:
        del asked[1:]
    counts = [1.0, *[VARIATION_COUNTS] * (len(asked) - 1)]
    if embedder and question.writer and (written := question.writer(question.text)):
        asked.append(replace(question, text=written, mode=Mode.VECTOR))
        counts.append(HYPOTHESIS_COUNTS)
    with ThreadPoolExecutor(len(asked)) as workers:
        pools = list(workers.map(lambda one: gather(one, index, embedder), asked))
    pool = merged(pools, counts)[: question.pool]
    return as_asked(question, pool, {one.id for one in pools[0]}, index, embedder)


def ways_of(question: Question) -> Sequence[Variation]:
    """How a question is put beside its own words: as was said, else made of them."""
    return variations(question.text) if question.ways is None else question.ways


def put(made: Sequence[Variation], question: Question) -> list[tuple[Variation, Question]]:
    """The variations as questions of their own, but those that ask tiers which the question leaves out."""
    return [
        (one, replace(question, text=one.text, where=replace(question.where, tiers=tiers)))
        for one in made
        if (tiers := _allowed(one, question)) != ()
    ]


def _allowed(variation: Variation, question: Question) -> tuple[Tier, ...] | None:
    allowed = question.where.tiers
    if variation.tiers is None:
        return allowed
    return tuple(tier for tier in variation.tiers if allowed is None or tier in allowed)


def as_asked(
    question: Question,
    pool: Sequence[Candidate],
    known: Collection[str],
    index: Index,
    embedder: Embedder | None,
) -> list[Candidate]:
    """The pool, with similarity and words of the prompt's for what the prompt itself did not find."""
    far = frozenset(one.id for one in pool) - set(known)
    if not far:
        return list(pool)
    if embedder is None:
        cosines = {one.id: shared_terms(question.text, one.payload.text) for one in pool if one.id in far}
    else:
        where = Where(question.where.account, states=None)
        vector = embedder.embed_query(question.text)
        cosines = cosines_of(far, where, index, vector, embedder)
    return [
        replace(one, similarity=cosines[one.id], words=0.0, at_home=False) if one.id in far else one
        for one in pool
    ]


def merged(pools: Sequence[Sequence[Candidate]], counts: Sequence[float]) -> list[Candidate]:
    """The first pool with what the others add: relevance is the best that a note has in any of them, each
    pool's counting as much as `counts` says."""
    notes: dict[str, Candidate] = {}
    for pool, count in zip(pools, counts, strict=True):
        for one in pool:
            relevance = one.relevance * count
            known = notes.get(one.id)
            if known is None:
                notes[one.id] = replace(one, relevance=relevance)
            elif relevance > known.relevance:
                notes[one.id] = replace(known, relevance=relevance)
    return sorted(notes.values(), key=lambda one: (-one.relevance, one.id))
