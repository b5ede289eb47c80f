"""Grounded: the note stands on what was said."""

from __future__ import annotations

from chunking.closed_classes import EMPTY_WORDS, phrase_pattern
from curation.gate_input import PASSED, Finding, Ungated, stem, words_of
from curation.gate_settings import GateSettings
from schemas.unit import Outcome

_BECAUSE = phrase_pattern(
    "because; since; as a result of; due to; porque; ya que; debido a; weil; denn; wegen; parce que; "
    "parce qu; puisque; à cause de",
    "因为; 因為; ため; ので",
)
_FEW = 2
"""Content words below which a share says nothing."""


def grounded(note: Ungated, settings: GateSettings) -> Finding:
    """Every quote stands verbatim where the evidence says, and the text says what was said there."""
    for evidence in (*note.unit.evidence, *note.unit.context):
        text = note.heard.texts.get(evidence.message_id)
        if text is None or note.heard.hashes[evidence.message_id] != evidence.text_hash:
            return Outcome.REJECT, "its evidence cites a text that is not stored"
        if text[evidence.start : evidence.end] != evidence.quote or not evidence.quote.strip():
            return Outcome.REJECT, "its quote is not at the place it cites"
    content = note.content
    if len(content) < _FEW:
        return PASSED
    said = sum(map(note.knows, content)) / len(content)
    if said < settings.support:
        # a language model's words may be its own
        own_words = note.unit.by_model and said >= settings.support / 2
        outcome = Outcome.REVIEW if own_words or note.unit.proofread else Outcome.REJECT
        return outcome, f"only {said:.0%} of its content words were said in the conversation"
    quoted = sum(word in note.quoted for word in content) / len(content)
    if quoted < settings.own_support:
        return Outcome.REVIEW, f"only {quoted:.0%} of its content words stand in its quote"
    return _reason_given(note)


def _reason_given(note: Ungated) -> Finding:
    """A reason that the note gives is one that its quote gives."""
    because = _BECAUSE.search(note.unit.text)
    if because is None or _BECAUSE.search(note.quote):
        return PASSED
    reason = [stem(word) for word in words_of(note.unit.text[because.end() :]) if word not in EMPTY_WORDS]
    quoted = sum(word in note.quoted for word in reason)
    if reason and quoted < len(reason) / 2:
        said = all(map(note.knows, reason)) or note.unit.proofread
        outcome = Outcome.REVIEW if said else Outcome.REJECT
        return outcome, f"its quote does not give the reason after {because.group().strip()!r}"
    return PASSED
