"""Filler: sums that anybody can do, and words that say nothing."""

from __future__ import annotations

import re

from curation.settings import GateSettings
from curation.ungated import PASSED, Finding, Ungated
from curation.wordlists import words
from schemas.unit import Category, Outcome

_NUMBER = r"[-+]?\d+(?:[.,]\d+)*%?"
_SUM = re.compile(
    rf"""^\D{{0,24}}?{_NUMBER}\s*
    (?:[-+*/x×÷^·]|plus|minus|times|and|divided\s+by|multiplied\s+by|mal|durch|geteilt\s+durch|por|más|menos|
       entre|fois|moins|divisé\s+par|加|减|乘|除以|足す|引く|かける)
    \s*{_NUMBER}\s*
    (?:=|is|are|equals?|makes|gives|ist|gleich|macht|ergibt|es|son|igual\s+a|font|fait|égale?|等于|は)
    \s*{_NUMBER}\s*[.!]?$""",
    re.IGNORECASE | re.VERBOSE,
)
_EMPTY = words(
    """
    ok okay yes yeah yep yup no nope sure thanks thank nice cool great good fine perfect awesome alright
    right agree agrees agreed understood understands works sounds look looks happy glad like likes
    exactly correct true welcome please well lol haha hmm wow really totally absolutely definitely done
    ready hello here answer everything something anything thing things way lot bit matter matters
    important interesting helpful useful sense point vale bien claro perfecto gracias genial gut super
    danke klar genau toll bon bien merci parfait entendu super
    """
)


def filler(note: Ungated, _: GateSettings) -> Finding:
    """No arithmetic on bare numbers, and at least one word that says something."""
    text = note.unit.text.strip()
    if _SUM.match(text):
        return Outcome.REJECT, "it is arithmetic"
    telling = [word for word in note.words if word not in _EMPTY]
    if not telling or (note.words and not (set(note.content) - {word[:5] for word in _EMPTY})):
        if note.unit.category is Category.OPEN_QUESTION and note.content:
            return PASSED
        return Outcome.REJECT, "it has no word that says anything"
    return PASSED
