"""Hedge kept: what was said with a doubt is not tightened into a claim."""

from __future__ import annotations

from chunking.closed_classes import APPROXIMATES, HEDGES, KEEPS_HEDGE, ROUNDS, SOFT_HEDGES
from curation.gate_input import PASSED, Finding, Ungated
from curation.gate_settings import GateSettings
from schemas.unit import Category, Outcome


def hedge_kept(note: Ungated, _: GateSettings) -> Finding:
    """A doubt in the quote is one in the text; a question keeps it by asking, a number by rounding."""
    text, quote = note.unit.text, note.own_quote
    if note.unit.category is Category.OPEN_QUESTION or text.rstrip().endswith("?"):
        return PASSED
    if any(pattern.search(text) for pattern in (HEDGES, SOFT_HEDGES, KEEPS_HEDGE)):
        return PASSED
    strong = HEDGES.search(ROUNDS.sub(" ", quote) if APPROXIMATES.search(text) else quote)
    if strong and quote.rstrip().endswith("?"):
        return Outcome.REVIEW, f"its quote asks with {strong.group()!r}, and the note claims"
    if strong:
        return Outcome.REJECT, f"its quote says {strong.group()!r}, and the note claims"
    if weak := SOFT_HEDGES.search(quote):
        return Outcome.REVIEW, f"its quote says {weak.group()!r}, and the note claims"
    return PASSED
