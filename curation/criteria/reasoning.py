"""Reasoning: a model's thinking aloud is no note."""

from __future__ import annotations

import re

from chunking.closed_classes import phrase_pattern
from curation.gate_input import PASSED, Finding, Ungated
from curation.gate_settings import GateSettings
from schemas.unit import Outcome, Speaker

_ALOUD = re.compile(
    r"""^["'“«(]*(?:
    (?:okay|ok|alright|hmm|wait|so)[,.…]*\s+(?:so\s+)?(?:the\s+user|i\s+(?:need|should|have)\s+to|let\s+me|let's)
    |let\s+me\s+(?:think|see|check|re-?read|consider|analy[sz]e|break|start\s+by|look|figure|re-?consider)
    |i\s+(?:need|should|have|want|am\s+going)\s+(?:to\s+)?(?:extract|identify|skip|consider\s+whether|figure\s+out|
        make\s+sure\s+(?:to|i)|check\s+if|determine|parse|produce|respond|answer\s+the)
    |i(?:\s*'m|\s+am)\s+(?:instructed|asked|supposed|told)\s+to
    |first,?\s+i\s+(?:need|should|will|'ll)
    |wait\b[,.…]
    |now,?\s+(?:let\s+me|i\s+(?:need|should)\s+to)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SELF = phrase_pattern(
    "i'm instructed to; i am instructed to; my instructions; the instructions say; this is another core; "
    "another core knowledge claim; core knowledge claim; well-known fact that; explicitly a trivial; "
    "trivial/well-known; as per the instructions; according to the system prompt; the system prompt; "
    "my training data; my knowledge cutoff; knowledge cut-off; chain of thought; i will now generate; "
    "the extraction; should be extracted; worth extracting; this claim is; the user's intent is; "
    "the user is asking; the user is likely; the user seems to want"
)
_TAGS = re.compile(r"</?(?:think|thinking|reasoning|scratchpad|analysis|reflection)\b[^<>]*>", re.IGNORECASE)


def reasoning(note: Ungated, _: GateSettings) -> Finding:
    """Not `let me think`, not `I'm instructed to skip`, no tag of a scratchpad."""
    if note.unit.speaker is Speaker.OTHER:
        return PASSED
    text = note.unit.text.strip()
    found = _SELF.search(text) or _TAGS.search(text)
    if found is None and note.unit.speaker is not Speaker.OWNER:
        found = _ALOUD.match(text) or _ALOUD.match(note.own_quote.strip())
    if found:
        return Outcome.REJECT, f"it is a model thinking aloud: {found.group().strip()!r}"
    return PASSED
