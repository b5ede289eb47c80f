"""Whose claim: words drafted for somebody, quoted, played or asked in an examination are nobody's."""

from __future__ import annotations

from curation.gate_input import PASSED, Finding, Ungated
from curation.gate_settings import GateSettings
from schemas.unit import Outcome

_NOBODYS = {
    "drafted": "it was drafted for somebody to use",
    "fiction": "it was played or made up",
    "exam": "it belongs to an exercise",
}
_ELSES = {"reported": "somebody else is reported to say it", "pasted": "it stands in a pasted text"}


def whose_claim(note: Ungated, settings: GateSettings) -> Finding:
    """The speaker's own, as far as the reader can tell."""
    read = None if note.unit.by_model else note.unit.estimate
    if read is None or read.own >= settings.own:
        return PASSED
    if read.whose in _NOBODYS:
        return Outcome.REJECT, f"{_NOBODYS[read.whose]} (the speaker's own by a chance of {read.own:.2f})"
    if read.whose in _ELSES:
        return Outcome.REVIEW, f"{_ELSES[read.whose]} (the speaker's own by a chance of {read.own:.2f})"
    return PASSED
