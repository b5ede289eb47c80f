"""Link and relation: what one unit is to another."""

from __future__ import annotations

from enum import StrEnum

from schemas.base import Instant, Noun


class RelationKind(StrEnum):
    """What the unit is to the other one; read as `unit kind other`."""

    SUPERSEDES = "supersedes"
    """It is newer and takes the other's place."""
    DUPLICATE_OF = "duplicate_of"
    """It says nothing that the other does not say: the other stands for both."""
    CONTRADICTS = "contradicts"
    """Both cannot hold, and neither is known to take the other's place."""
    DERIVED_FROM = "derived_from"
    """It was made from the other."""
    OVERLAPS = "overlaps"
    """Both were found in the same words, by different extractions."""


class Link(Noun):
    """A pair of units as a stage found it, before anybody stands for it: what extraction hands over."""

    account: str
    unit_id: str
    kind: RelationKind
    other_id: str
    reason: str
    """One sentence that a person can check."""


class Relation(Link):
    """A link on record: who says so, since when, in which run."""

    actor: str
    """As in `UnitEvent`: `user`, `policy:<name>`, `sweep:<name>` or `extract:<version>`."""
    at: Instant
    run: str
