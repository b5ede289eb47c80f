"""What the small reader estimates of a note: the part of its reading that the gate asks for."""

from __future__ import annotations

from schemas.base import Noun


class Estimate(Noun):
    """Chances are 0-1 and calibrated on talk that the reader was not taught."""

    good: float
    """That a careful reader would keep the note as it is worded."""
    whose: str
    """Whose claim the words are: own, reported, drafted, pasted, fiction or exam."""
    own: float
    """That they are the speaker's own."""
    whole: bool
    """The note says all that its words say: nothing was cut off at its end."""
