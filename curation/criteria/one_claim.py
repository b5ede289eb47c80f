"""One claim: what is joined by `and`, a semicolon or a full stop is two notes."""

from __future__ import annotations

import re

from curation.settings import GateSettings
from curation.ungated import PASSED, Finding, Ungated, words_of
from curation.verbs import claims, has_finite_verb, opens_with_verb, surely_claims
from curation.wordlists import words
from schemas.unit import Outcome

_TWO_SENTENCES = re.compile(
    r"(?<!\b[A-Z]r)(?<!\bMrs)(?<!\bProf)(?<!\bSt)(?<=[^\W\d_]{2})[.!?]\s+(?=[A-ZÀ-ÞÄÖÜ¿¡])|[。!?！？；;]\s*(?=\S)"
)
_JOINED = re.compile(
    r"(,\s+)?\b(and|but|while|whereas|y|pero|mientras|und|aber|während|et|mais|tandis)\b\s+", re.IGNORECASE
)
_SUBJECTS = words(
    """
    i he she it they we you there this that the my his her its their our él ella ellos el la los las er
    sie es wir ich der die das mein meine il elle ils nous le les mon ma
    """
)
_WITHIN = 5
"""Words of a second clause in which its verb stands."""
_LEAST = 3
"""Words that a claim has at least."""


def one_claim(note: Ungated, _: GateSettings) -> Finding:
    """No second sentence, and no second clause with a subject of its own."""
    text = note.unit.text
    parts = [part for part in _TWO_SENTENCES.split(text) if len(words_of(part)) >= _LEAST]
    if len(parts) > 1:
        return Outcome.REJECT, "it is two sentences"
    for joint in _JOINED.finditer(text):
        left, right = text[: joint.start()], text[joint.end() :]
        if len(words_of(left)) < _LEAST or not has_finite_verb(left):
            continue
        words = words_of(right)
        if len(words) < _LEAST:
            continue
        joint_word = joint.group(2).lower()
        named = right[:1].isupper() or words[0] in _SUBJECTS
        if named and claims(words[1:_WITHIN]):
            # `the user and Elara have`, `and opening times`: only what can be nothing else is a second clause
            sure = surely_claims(words[1:_WITHIN]) and surely_claims(words_of(left))
            outcome = Outcome.REJECT if sure else Outcome.REVIEW
            return outcome, f"{joint_word!r} joins a second claim to it"
        if opens_with_verb(right):
            return Outcome.REVIEW, f"{joint_word!r} may join a second claim to it"
    return PASSED
