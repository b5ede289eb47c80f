"""What a session of recall was handed before."""

from __future__ import annotations

from dataclasses import dataclass

from vault.points import Payload


@dataclass(frozen=True, slots=True)
class Given:
    """Notes that whoever asks has already."""

    refs: frozenset[str] = frozenset()
    """Their ids."""
    notes: tuple[Payload, ...] = ()
    """As they are in the index now: what says nothing more than one of them is had already too. Of a passage
    that was cut the evidence ends where the cut is."""

    def __bool__(self) -> bool:
        return bool(self.refs)


NOTHING_GIVEN = Given()
