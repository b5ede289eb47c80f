"""Tier and weight: how much a note's provenance counts among notes that are equally relevant.

Source of the weights: design, section 1 (engram 1.0, resource 0.8, chat and transcript 0.6, web 0.1).
"""

from __future__ import annotations

from enum import StrEnum

from schemas.unit import State


class Tier(StrEnum):
    """Provenance class."""

    ENGRAM = "engram"
    RESOURCE = "resource"
    CHAT = "chat"
    WEB = "web"


TIER_WEIGHTS: dict[Tier, float] = {
    Tier.ENGRAM: 1.0,
    Tier.RESOURCE: 0.8,
    Tier.CHAT: 0.6,
    Tier.WEB: 0.1,
}

CONVERSATIONAL_TIERS = (Tier.CHAT,)
"""Tiers whose relevance fades with age; what the owner kept and what documents say does not."""


def unit_tier(state: State) -> Tier:
    """A unit that the owner kept is an engram, whoever said it first; any other is talk."""
    return Tier.ENGRAM if state is State.KEPT else Tier.CHAT
