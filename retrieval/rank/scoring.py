"""The order among candidates that are relevant: score = relevance x tier weight x recency x novelty."""

from __future__ import annotations

from datetime import datetime

from schemas.provenance import CONVERSATIONAL_TIERS, Tier

FRESH_SHARE = 0.4
"""The part of a conversational note's score that fades; the rest stays however old it is."""

HALF_FRESH_DAYS = 14.0
"""Age at which half of that part is gone."""

STALE_BY_SESSION = 0.3
"""What a newer session of its thread takes from that part, beside age."""

SAME_CONVERSATION_FACTOR = 0.7
"""What every further note of a conversation counts for, beside the one before it. It brings more of the gold
conversations into a package of RealMem than .8 or leaving it out (`docs/retrieval.md`)."""

_DAY_SECONDS = 86_400.0


def recency(tier: Tier, said_at: datetime | None, as_of: datetime, newer: int = 0) -> float:
    """`0.6 + 0.4 / (1 + age / 14 days + 0.3 newer)` for talk, 1 for what does not fade (kept, documents).

    Age counts from `as_of`; what was said after it is as fresh as what was said then, and an undated note is
    neutral (1). `newer` is how many sessions of its thread began since, before `as_of`: each ages the note by
    four days. The numbers come from `docs/retrieval.md`: R@5 on RealMem moves by less than .015 for
    half-lives from 7 to 30 days, shares from .3 to .5, and .1 to .4 a newer session.
    """
    if tier not in CONVERSATIONAL_TIERS or said_at is None:
        return 1.0
    age = max(0.0, (as_of - said_at).total_seconds() / _DAY_SECONDS)
    return 1.0 - FRESH_SHARE + FRESH_SHARE / (1.0 + age / HALF_FRESH_DAYS + STALE_BY_SESSION * newer)


def novelty(better: int) -> float:
    """`0.7 ** better` for a note with so many better ones of its conversation: the best keeps its score."""
    return float(SAME_CONVERSATION_FACTOR**better)


def score(relevance: float, weight: float, recent: float) -> float:
    """Relevance x weight x recency: multiplicative, so a heavy note that is beside the point stays low."""
    return relevance * weight * recent
