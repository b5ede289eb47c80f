"""Keep policy: a standing instruction of the owner's, such as "units from my own words that pass"."""

from __future__ import annotations

from pydantic import Field

from schemas.base import Noun
from schemas.unit import Category, Speaker, State


class KeepPolicy(Noun):
    """Which notes a policy keeps, among those that nobody has decided. An empty condition means any."""

    account: str | None = None
    """None: of every account."""
    categories: tuple[Category, ...] = ()
    speakers: tuple[Speaker, ...] = ()
    states: tuple[State, ...] = (State.PASSED,)
    said_times: int = Field(default=1, ge=1)
    """At least so many pieces of evidence."""
