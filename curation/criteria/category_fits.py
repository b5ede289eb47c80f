"""Category fits: what the note is filed as is what its words say."""

from __future__ import annotations

from chunking.closed_classes import HEDGES, KEEPS_HEDGE, SOFT_HEDGES
from curation.gate_input import PASSED, Finding, Ungated
from curation.gate_settings import GateSettings
from schemas.unit import Category, Outcome, Speaker


def category_fits(note: Ungated, _: GateSettings) -> Finding:
    """A decision is the owner's (design, rule 3) and not a question; provisional is only what was hedged."""
    unit = note.unit
    if unit.category is Category.DECISION:
        if unit.speaker is not Speaker.OWNER:
            return Outcome.REJECT, f"a decision cannot come from the {unit.speaker.value}"
        if note.own_quote.rstrip().endswith(("?", "？")):
            return Outcome.REVIEW, "a decision, and its words ask"
        if HEDGES.search(note.own_quote):
            return Outcome.REVIEW, "a decision, and its words hesitate"
    if unit.category is Category.PROVISIONAL and not any(
        pattern.search(note.quote) for pattern in (HEDGES, SOFT_HEDGES, KEEPS_HEDGE)
    ):
        return Outcome.REVIEW, "provisional, and its words do not hesitate"
    return PASSED
