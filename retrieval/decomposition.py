"""One prompt as several questions: what it is about, how it was gone about, where things stood, who says so.

Made of the prompt's own words, without a model. Names and numbers are in every variation: a question on error
502 must not become one on errors. Off unless it is asked for: every variation takes as long as the prompt
(`docs/retrieval.md`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from inference.embedder import Embedder
from inference.sparse import encode_query
from retrieval.candidates import Candidate, gather
from retrieval.naming import names_of, numbers_of
from retrieval.question import Question
from schemas.provenance import Tier
from vault.index import Index

VARIATION_COUNTS = 0.9
"""What a variation's relevance counts beside the prompt's own."""

MOST_WORDS = 24
"""Of the prompt's words in a variation, first come first."""

_WORD = re.compile(r"[^\W_][\w'’-]*")


@dataclass(frozen=True, slots=True)
class Variation:
    """The prompt, put to find one kind of thing."""

    aim: str
    text: str
    tiers: tuple[Tier, ...] | None = None
    """Where the aim is a kind of source."""


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

    A note that only a variation found has the similarity to that variation.
    """
    allowed = question.where.tiers
    asked = [question]
    for one in variations(question.text):
        tiers = (
            allowed if one.tiers is None else tuple(t for t in one.tiers if allowed is None or t in allowed)
        )
        if tiers != ():
            asked.append(replace(question, text=one.text, where=replace(question.where, tiers=tiers)))
    with ThreadPoolExecutor(len(asked)) as workers:
        pools = list(workers.map(lambda one: gather(one, index, embedder), asked))
    return merged(pools)[: question.pool]


def merged(pools: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    """The first pool with what the others add: relevance is the best that a note has in any of them."""
    notes: dict[str, Candidate] = {}
    for number, pool in enumerate(pools):
        for one in pool:
            relevance = one.relevance * (VARIATION_COUNTS if number else 1.0)
            known = notes.get(one.id)
            if known is None:
                notes[one.id] = replace(one, relevance=relevance)
            elif relevance > known.relevance:
                notes[one.id] = replace(known, relevance=relevance)
    return sorted(notes.values(), key=lambda one: (-one.relevance, one.id))
