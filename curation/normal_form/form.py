"""The normal form of a note: equal forms say the same.

    tokens         capitals, quotes and punctuation apart
    words          contractions, spellings, abbreviations, fillers
    numbers        one spelling for each value
    tense, voice   verbs by their stems, passives turned round
    phrases        the clause's spine in order, its adverbials as a set

What differs in a number, a name, a negation, a hedge, a role, the tense or in asking has another form: only
wording is taken out. The spine keeps its order, so who does what to whom is part of the form.
"""

from __future__ import annotations

from curation.normal_form.complements import complements_joined
from curation.normal_form.numbers import numbers_normalised
from curation.normal_form.phrases import UNTOUCHED, fronted_last, phrased
from curation.normal_form.spelling.languages import plain_form, tongue_of
from curation.normal_form.spelling.standard_spelling import PAUSES, spelled, unslipped
from curation.normal_form.spelling.substitution import FILLERS, SPELLED, replaced
from curation.normal_form.verbs import particles_joined, tense_marked, turned_active
from curation.normal_form.word_tokens import LONGEST, tokenise

FORM_VERSION = "5"
"""Raise it when a form changes: sweeps then look at every note again."""

Form = tuple[str, ...]
"""A note's form: equal forms, same meaning. Compared and hashed as a whole."""


def opening(form: Form) -> tuple[str, ...]:
    """The first two words of a form's spine."""
    start = form.index("|") + 1 if form.count("|") >= 2 else 1
    return tuple(part for part in form[start : start + 2] if part != "|")


def form_of(text: str) -> Form:
    """The normal form of a note's text. Linear in its length."""
    words = tokenise(text)
    if len(words.tokens) > LONGEST:
        return ("long", *(token.casefold() for token in words.tokens), "?" if words.asks else "")
    lowered = [token.casefold() for token in words.tokens]
    tongue = tongue_of(lowered)
    if tongue is not None:
        kept = [token for token in plain_form(lowered, tongue) if token not in PAUSES]
        return ("?" if words.asks else "", *kept)
    tokens = replaced(spelled(words), SPELLED)
    tokens = replaced(numbers_normalised(particles_joined(tokens)), FILLERS)
    tokens, marks = tense_marked(tokens)
    tokens = complements_joined(tokens)
    tokens = turned_active(fronted_last(tokens))
    names = {token.casefold() for token in words.tokens[1:] if not token.islower()}
    return phrased(
        [token if token in names or token in UNTOUCHED else unslipped(token) for token in tokens],
        marks,
        words.asks,
    )
