"""Recall: the funnel as a list, in the order in which candidates meet its steps.

gather            candidates by relevance alone, filters inside the engine
similarity floor  a backstop against noise
rank              relevance x tier weight x recency
exact dedup       equal notes become one that keeps all their evidence
limit             as many as were asked for
assemble          the package, within its budget
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeAlias

from inference.embedder import Embedder
from retrieval.assembly import Drop, assemble
from retrieval.candidates import Candidate, gather
from retrieval.package import Package
from retrieval.question import LIMIT, POOL, Question
from retrieval.scoring import recency, score
from schemas.provenance import Tier
from schemas.unit import RECALLED_STATES, Category, State
from vault.index import Index, Where
from vault.points import PointKind

SIMILARITY_FLOOR = 0.14
"""Candidates below this cosine are noise. Of the gold notes of RealMem and LoCoMo 99 in 100 lie above it, of
all notes of RealMem half lie below (`docs/retrieval.md`). The original's .40 belongs to another embedder."""

BUDGET_TOKENS = 2000

Step: TypeAlias = Callable[[Question, Sequence[Candidate]], tuple[list[Candidate], list[Drop]]]


def above_floor(_: Question, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Drop]]:
    """Drop what has nothing to do with the query, whatever words they share."""
    kept, drops = [], []
    for one in candidates:
        if one.similarity >= SIMILARITY_FLOOR:
            kept.append(one)
        else:
            drops.append(
                Drop(one, "similarity floor", f"cosine {one.similarity:.2f} is below {SIMILARITY_FLOOR}")
            )
    return kept, drops


def ranked(question: Question, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Drop]]:
    """Order by relevance x weight x recency, best first; ties by id."""
    scored = []
    for one in candidates:
        recent = recency(one.payload.tier, one.payload.said_at, question.as_of)
        total = score(one.relevance, one.payload.weight, recent)
        scored.append(replace(one, recency=recent, score=total))
    scored.sort(key=lambda one: (-one.score, one.id))
    return scored, []


def deduplicated(_: Question, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Drop]]:
    """Notes with the same words become one: the first in order, which keeps the others' evidence and ids."""
    kept: dict[tuple[PointKind, str], Candidate] = {}
    drops = []
    for one in candidates:
        payload = one.payload
        # two conversations of one title are two conversations
        same = payload.ref if payload.kind is PointKind.CONVERSATION else payload.text.casefold()
        key = (payload.kind, " ".join(same.split()))
        if (first := kept.get(key)) is None:
            kept[key] = one
        else:
            kept[key] = replace(first, duplicates=(*first.duplicates, payload))
            drops.append(Drop(one, "exact dedup", f"the same words as {first.payload.ref}"))
    return list(kept.values()), drops


def first_few(question: Question, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Drop]]:
    """As many as were asked for."""
    kept = list(candidates[: question.limit])
    reason = f"ranked below the first {question.limit}"
    return kept, [Drop(one, "limit", reason) for one in candidates[question.limit :]]


FUNNEL: tuple[Step, ...] = (above_floor, ranked, deduplicated, first_few)


def recall(
    query: str,
    *,
    index: Index,
    embedder: Embedder,
    account: str,
    limit: int = LIMIT,
    pool: int = POOL,
    budget_tokens: int = BUDGET_TOKENS,
    as_of: datetime | None = None,
    before: datetime | None = None,
    after: datetime | None = None,
    kinds: tuple[PointKind, ...] | None = None,
    categories: tuple[Category, ...] | None = None,
    tiers: tuple[Tier, ...] | None = None,
    states: tuple[State, ...] | None = RECALLED_STATES,
    conversations: tuple[str, ...] | None = None,
) -> Package:
    """The notes that answer a query, ranked, inside a budget of `budget_tokens` estimated tokens.

    The bounds hold inside the engine: `before` (exclusive) and `after` (inclusive) on the time that a
    conversation began, None meaning any. `as_of` is the moment that recency counts from, by default now.
    The same arguments on the same generation give the same package. Nothing relevant gives a package without
    hits, which says so.
    """
    where = Where(account, kinds, states, tiers, categories, conversations, before, after)
    # what came from a shell may hold what no text can: the embedder refuses lone surrogates
    text = query.encode("utf-8", "replace").decode("utf-8")
    question = Question(text, where, as_of or datetime.now(UTC), limit, pool, budget_tokens)
    return answer(question, index, embedder)


def answer(question: Question, index: Index, embedder: Embedder) -> Package:
    """Run the funnel."""
    candidates = gather(question, index, embedder)
    confidence = max((one.similarity for one in candidates), default=0.0)
    drops: list[Drop] = []
    for step in FUNNEL:
        candidates, dropped = step(question, candidates)
        drops += dropped
    return assemble(question, candidates, drops, confidence)


def ranked_pool(question: Question, index: Index, embedder: Embedder) -> list[Candidate]:
    """The whole pool in order, nothing dropped: what the retrieval evaluations rank by."""
    pool, _ = ranked(question, gather(question, index, embedder))
    return pool
