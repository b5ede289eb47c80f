"""The prompt, put to find one kind of thing."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.provenance import Tier


@dataclass(frozen=True, slots=True)
class Variation:
    """A way to put a prompt."""

    aim: str
    text: str
    tiers: tuple[Tier, ...] | None = None
    """Where the aim is a kind of source."""
