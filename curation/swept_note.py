"""A note as the sweeps see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from schemas.unit import Category, Speaker, State


@dataclass(frozen=True, slots=True)
class SweptNote:
    """What a sweep needs of a unit."""

    id: str
    account: str
    conversation_id: str
    text: str
    category: Category
    speaker: Speaker
    speaker_name: str | None
    said_at: datetime | None
    state: State
    event: int = 0
    """Number of its newest event: what is new since a sweep has a greater one."""

    @property
    def kept(self) -> bool:
        """Whether it is the owner's engram: a sweep only proposes."""
        return self.state is State.KEPT
