"""The order among candidates that are relevant: score = relevance x tier weight x recency x novelty."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from schemas.provenance import CONVERSATIONAL_TIERS, Tier
from schemas.unit import Speaker

FRESH_SHARE = 0.4
"""The part of a conversational note's score that fades; the rest stays however old it is."""

HALF_FRESH_DAYS = 14.0
"""Age at which half of that part is gone."""

STALE_BY_SESSION = 0.3
"""What a newer session of its thread takes from that part, beside age."""

SAME_CONVERSATION_FACTOR = 0.7
"""What every further note of a conversation counts for, beside the one before it. It brings more of the gold
conversations into a package of RealMem than .8 or leaving it out (`docs/retrieval.md`)."""

SAID_BY_ASSISTANT = 0.9
"""What an assistant said counts so much beside the owner's own words of the same conversation: mostly it
retells those. Conversations keep their order among each other (`docs/retrieval.md`)."""

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


def voiced(notes: Sequence[tuple[str, Speaker | None, float]]) -> list[float]:
    """Scores of (conversation, speaker, score) in which, inside each conversation, the owner's words come
    before what an assistant said that is about as near: they take each other's scores, so that the best of a
    conversation scores what it did."""
    homes = defaultdict[str, list[int]](list)
    for place, (home, *_) in enumerate(notes):
        homes[home].append(place)
    told = [score for *_, score in notes]
    for places in homes.values():
        heard = {
            place: told[place] * (SAID_BY_ASSISTANT if notes[place][1] is Speaker.ASSISTANT else 1.0)
            for place in places
        }
        best = sorted((told[place] for place in places), reverse=True)
        order = sorted(places, key=lambda place: (-heard[place], -notes[place][2], place))
        for place, score in zip(order, best, strict=True):
            told[place] = score
    return told


def novelty(better: int) -> float:
    """`0.7 ** better` for a note with so many better ones of its conversation: the best keeps its score."""
    return float(SAME_CONVERSATION_FACTOR**better)


def score(relevance: float, weight: float, recent: float) -> float:
    """Relevance x weight x recency: multiplicative, so a heavy note that is beside the point stays low."""
    return relevance * weight * recent
