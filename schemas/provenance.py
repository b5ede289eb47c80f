"""Tier and weight: how much a note's provenance counts among notes that are equally relevant.

Source of the weights: design, section 1 (engram 1.0, resource 0.8, chat and transcript 0.6, web 0.1).
"""

from __future__ import annotations

from enum import StrEnum

from schemas.unit import Speaker, State


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


class Standing(StrEnum):
    """How far a page of the live web is to be trusted, judged when it is found (design, section 1)."""

    WHITELISTED = "whitelisted"
    """Its site is on the list of those that are trusted."""
    CORROBORATED = "corroborated"
    """Two sites of different owners say it."""
    SINGLE = "single"
    EXCLUDED = "excluded"
    """Its site is on the list of those that are not wanted: dropped before anything is ranked."""


STANDING_WEIGHTS: dict[Standing, float] = {
    Standing.WHITELISTED: 0.7,
    Standing.CORROBORATED: 0.3,
    Standing.SINGLE: 0.15,
    Standing.EXCLUDED: 0.0,
}

DOCUMENTS = (Tier.RESOURCE, Tier.WEB)
"""Tiers of texts that stand in no conversation."""

CONVERSATIONAL_TIERS = (Tier.CHAT,)
"""Tiers whose relevance fades with age; what the owner kept and what documents say does not."""


def unit_tier(state: State) -> Tier:
    """A unit that the owner kept is an engram, whoever said it first; any other is talk."""
    return Tier.ENGRAM if state is State.KEPT else Tier.CHAT


DERIVED: dict[Speaker, float] = {Speaker.ASSISTANT: 0.9, Speaker.SOURCE: 0.9}
"""Most that a kept note weighs that an assistant, or a source, said first: where the modifiers are on.

From the system behind this design, which lowered engrams derived from a model or a source to 0.9. Off unless
the owner turns them on: a kept note is the owner's, whoever typed it first (design, rule 6).
"""


def unit_weight(state: State, speaker: Speaker | None, *, modified: bool) -> float:
    """Weight of a unit: its tier's; with the modifiers, of a kept one no more than its first speaker's."""
    tier = unit_tier(state)
    base = TIER_WEIGHTS[tier]
    return min(base, DERIVED.get(speaker, base)) if modified and speaker and tier is Tier.ENGRAM else base
