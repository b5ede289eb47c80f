"""Length: one sentence of fifteen words or fewer."""

from __future__ import annotations

from curation.gate_input import PASSED, Finding, Ungated
from curation.gate_settings import GateSettings
from schemas.unit import Outcome
from schemas.words import count_words


def length(note: Ungated, settings: GateSettings) -> Finding:
    """At most so many words, counted as extraction counts them, and at least one."""
    if not any(character.isalnum() for character in note.unit.text):
        return Outcome.REJECT, "it has no word in it"
    words = count_words(note.unit.text)
    return PASSED if words <= settings.max_words else (Outcome.REJECT, f"it has {words} words")
