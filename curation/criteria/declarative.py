"""Declarative: a sentence that says something, or a question for an open question; never a label."""

from __future__ import annotations

import re

from curation.lexicon import language_of
from curation.settings import GateSettings
from curation.ungated import PASSED, Finding, Ungated
from curation.verbs import has_finite_verb, surely_no_verb
from schemas.unit import Category, Outcome

_VALUE = re.compile(r"\w\)?\s*[:=]\s+\S|\d\s*%|[$€£]\s?\d|\d\s?(?:kg|km|cm|mm|ml|h|min)\b")
"""`Squat (5x5): 112.5 kg`: no sentence, and yet it says something."""
_LABEL_WORDS = 6
"""Words up to which a text without a verb is a label; a longer one may hold a verb that no list has."""


def declarative(note: Ungated, _: GateSettings) -> Finding:
    """A verb in it, no colon at its end, a question mark where and only where a question is due."""
    text = note.unit.text.strip()
    asks = text.rstrip("\"'”’»)").endswith(("?", "？"))
    if note.unit.category is Category.OPEN_QUESTION:
        return PASSED if asks else (Outcome.REVIEW, "it is a statement where a question is due")
    if asks:
        return Outcome.REVIEW, "it is a question and not filed as one"
    if text.endswith((":", "：")):
        return Outcome.REJECT, "it is a heading"
    if language_of(note.words) in ("en", "") and text.isascii() and not has_finite_verb(text):
        if _VALUE.search(text):
            return Outcome.REVIEW, "it is a name and its value, not a sentence"
        if surely_no_verb(text) and len(note.words) <= _LABEL_WORDS:
            return Outcome.REJECT, "it is a label: no verb says anything in it"
        return Outcome.REVIEW, "no verb was found in it"
    return PASSED
