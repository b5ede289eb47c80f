"""Negation kept: a note denies what its quote denies, and nothing else."""

from __future__ import annotations

from collections import Counter

from chunking.closed_classes import (
    EMPTY_WORDS,
    NEGATION_SIGNS,
    NEGATIONS,
    NEGATIONS_BY_LANGUAGE,
    NO_DENIAL,
    OPPOSITES,
)
from chunking.language import ENGLISH, language_of
from curation.gate_input import PASSED, Finding, Ungated, stem, words_of
from curation.gate_settings import GateSettings
from schemas.unit import Category, Outcome

_KINDS = frozenset(("without", "ohne", "sin", "sans"))
_WHOLE = 0.6
"""Share of a quote's words that a note takes up where it says the whole of it."""


def negation_kept(note: Ungated, _: GateSettings) -> Finding:
    """Both deny or neither does; a word such as `refuses` may stand for a negation.

    Who says the very word that the other denies says the opposite; in other words it may be the same, which
    its owner sees: `I'm not selling it`, told as `keeps it`.
    """
    if note.unit.category is Category.OPEN_QUESTION:
        return PASSED
    quote = NO_DENIAL.sub(" ", note.own_quote)
    text = NO_DENIAL.sub(" ", note.unit.text)
    in_quote, in_text = denials(quote), denials(text)
    # a `without` in both is the same one: what counts is what only one of them denies
    in_quote, in_text = in_quote - in_text, in_text - in_quote
    if bool(in_quote) == bool(in_text):
        return PASSED
    if in_text:
        if denials(note.quote) or _opposite(quote):
            return PASSED
        told = bool(_denied(text) & note.quoted)
        return Outcome.REJECT if told else Outcome.REVIEW, "it denies what its quote does not deny"
    if _opposite(text):
        return PASSED
    words = words_of(quote)
    taken = set(map(stem, note.words))
    share = sum(stem(word) in taken for word in words) / len(words)
    if _denied(quote) & taken and (share >= _WHOLE or len(words) <= len(note.words)):
        return Outcome.REJECT, "its quote denies, and the note claims"
    return Outcome.REVIEW, "a part of its quote denies"


def denials(text: str) -> Counter[str]:
    """The negations of a text; a `no` that only opens an answer is none."""
    words = words_of(text)
    if (
        len(words) > 1
        and words[0] in ("no", "non", "nein")
        and text.lstrip().lower().startswith(f"{words[0]},")
    ):
        words = words[1:]
    found = Counter(
        word if word in _KINDS else "not" for word in words if word in NEGATIONS or word.endswith("n't")
    )
    return found + Counter({"not": 1} if any(sign in text for sign in NEGATION_SIGNS) else {})


def _denied(text: str) -> frozenset[str]:
    """The stems of what a text denies: in English the first content word behind each negation; in other
    languages, and where none follows, any of its words."""
    words = words_of(text)
    content = [stem(word) if word not in EMPTY_WORDS else "" for word in words]
    behind = {
        next(filter(None, content[at + 1 :]), "")
        for at, word in enumerate(words)
        if word in NEGATIONS_BY_LANGUAGE["en"] or word.endswith("n't")
    }
    if "" in behind or not behind or language_of(text) != ENGLISH:
        return frozenset(filter(None, content))
    return frozenset(behind)


def _opposite(text: str) -> bool:
    return any(
        word in OPPOSITES or word.endswith("less") or (len(word) > 5 and word.startswith(("un", "in", "im")))
        for word in words_of(text)
    )
