"""Act: what the owner, or a standing instruction of the owner's, did with a note."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from schemas.base import Instant, Noun
from schemas.unit import State


class ActKind(StrEnum):
    """What was done."""

    KEEP = "keep"
    DISCARD = "discard"
    CORRECT = "correct"
    """The note's text is replaced by the act's detail; the original and its evidence stay on record."""
    UNDO = "undo"
    """The act whose id is the detail is taken back."""
    POLICY_ON = "policy_on"
    """A standing instruction holds from now on; the detail is its JSON form."""
    POLICY_OFF = "policy_off"


STATE_AFTER = {ActKind.KEEP: State.KEPT, ActKind.DISCARD: State.DISCARDED}
"""The state that an act gives its unit; the other kinds give none of their own."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An act before it is recorded."""

    kind: ActKind
    subject: str
    detail: str = ""


class Act(Noun):
    """One act on record. `seq` orders the acts of a vault and is never reused."""

    seq: int
    id: str
    lot: str
    """Acts that were done together share it and are taken back together; empty in the first journals."""
    kind: ActKind
    subject: str
    """Id of the unit, or name of the policy."""
    actor: str
    """`user` or `policy:<name>`."""
    reason: str
    at: Instant
    detail: str
    """A correction's text, an undo's target, a policy's rule; else empty."""
