"""An older and a newer note, and what a judge says of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from schemas.unit import Category, Speaker


class PairVerdict(StrEnum):
    """What a judge says of an older and a newer note."""

    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"
    """Both cannot hold, and which one does is not for a judge to say: linked, nothing hidden."""
    KEEP_BOTH = "keep_both"


@dataclass(frozen=True, slots=True)
class JudgedNote:
    """A note as a judge sees it."""

    text: str
    category: Category
    speaker: Speaker
    at: datetime | None


@dataclass(frozen=True, slots=True)
class NotePair:
    """Two notes in the order of time."""

    older: JudgedNote
    newer: JudgedNote


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict and the sentence that a person can check."""

    verdict: PairVerdict
    reason: str


def keep(reason: str) -> Ruling:
    """Both notes stay."""
    return Ruling(PairVerdict.KEEP_BOTH, reason)
