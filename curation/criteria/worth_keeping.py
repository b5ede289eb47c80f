"""Worth keeping: a careful reader would keep the note, by the small reader's calibrated chance."""

from __future__ import annotations

from curation.gate_input import PASSED, Finding, Ungated
from curation.gate_settings import GateSettings
from schemas.unit import Outcome


def worth_keeping(note: Ungated, settings: GateSettings) -> Finding:
    """The chance that it is true as worded, understood by itself and worth having is high enough.

    The bound for rejecting is for the offline reader's notes: a language model's are true as they are worded,
    and what of them is hardly worth having waits for its owner.
    """
    read = note.unit.estimate
    if read is None:
        return PASSED
    if read.good < settings.rejecting and not note.unit.by_model:
        return Outcome.REJECT, f"a careful reader would keep it by a chance of only {read.good:.2f}"
    if not read.whole:
        return Outcome.REVIEW, "its words were too many for a note: it ends before they do"
    if read.good < settings.passing:
        return Outcome.REVIEW, f"a careful reader would keep it by a chance of {read.good:.2f}"
    return PASSED
