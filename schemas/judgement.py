"""Judgement: what a sweep said of a pair of notes, whatever came of it."""

from __future__ import annotations

from enum import StrEnum

from schemas.base import Instant, Noun, sha256_text


class Effect(StrEnum):
    """What came of a judgement."""

    APPLIED = "applied"
    PROPOSED = "proposed"
    """It concerns a note that the owner kept, or the judge errs too often: the owner decides."""
    LINKED = "linked"
    """The pair is linked as a contradiction; nothing else changed."""
    NONE = "none"


class Judgement(Noun):
    """A verdict on two notes as they were worded then. A judged pair does not come up again."""

    account: str
    sweep: str
    """`clean-duplicates` or `clean-superseded`."""
    unit_id: str
    """The note that stays: the canonical one, the newer one."""
    other_id: str
    """The note that it stands for, or takes the place of."""
    texts: str
    """`texts_hash` of both: a note that the owner corrected is judged again."""
    verdict: str
    reason: str
    judge: str
    """Engine and version."""
    effect: Effect
    at: Instant
    run: str


def texts_hash(text: str, other: str) -> str:
    """Stands for the wording of a pair, in its order."""
    return sha256_text(f"{text}\n{other}")
