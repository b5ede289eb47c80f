"""A text behind the label or lead-in without which it cannot be understood."""

from __future__ import annotations

from extract.candidates import Candidate
from extract.joints import Role
from extract.languages.lexicon import Sign
from extract.leads import LEAD_WORDS, open_predicate, predicated
from extract.persons import third_person_words
from extract.phrases import Word, join
from extract.tokens import Kind, tokenize
from schemas.unit import MAX_WORDS
from schemas.words import count_words


def labelled(candidate: Candidate, text: str) -> str:
    """The text behind its label, where it cannot be understood without and both fit into a unit."""
    lead = candidate.lead
    if lead is None or not lead.text or (candidate.clause.left is not None and not _in_row(candidate)):
        return text
    if lead.outer and not candidate.signs & Sign.BESIDE:
        empty = lead.text.lower() in candidate.language.empty_labels
        label = lead.outer if empty else f"{lead.outer}, {lead.text}"
        named = _behind_label(candidate, label, text)
        if count_words(label) <= LEAD_WORDS and count_words(named) <= MAX_WORDS:
            return named
    finite = candidate.clause.finite or candidate.signs & Sign.IMPERATIVE
    if lead.brief and finite and candidate.clause.tokens[0].low not in BACKWARD:
        return text
    lows = [token.low for token in candidate.clause.tokens]
    points_back = lows[0] in BACKWARD or any(low in BACKWARD and low not in _POINTING for low in lows)
    needs = candidate.signs & (Sign.FRAGMENT | Sign.IN_TABLE) or lead.adjoins or points_back
    longest = (
        _LONGEST_LEAD if count_words(text) <= _NAME_WORDS and not candidate.clause.finite else LEAD_WORDS
    )
    if not needs or count_words(lead.text) > longest or lead.text.lower() in candidate.language.empty_labels:
        return text
    labelled = _behind_label(candidate, lead.text, text)
    return labelled if count_words(labelled) <= MAX_WORDS else text


def _in_row(candidate: Candidate) -> bool:
    """Whether a phrase goes on a row of phrases without a verb, which its label is the label of as well."""
    left = candidate.left
    while left is not None and not left.clause.finite and not left.signs & Sign.IMPERATIVE:
        left = left.left
    return left is None and not candidate.clause.finite and candidate.clause.role is not Role.ASIDE


def _behind_label(candidate: Candidate, label: str, text: str) -> str:
    tag = candidate.language.tag
    words = [
        Word(
            label[token.start : token.end],
            token.start > 0 and label[token.start - 1] == " ",
            token.low,
            tag(token.low) if token.kind is Kind.WORD else 0,
            token.kind,
        )
        for token in tokenize(label)
    ]
    predicate = open_predicate(label, candidate.language)
    label = join(third_person_words(words, candidate)) or label
    plain = text[:1].isupper() and not text[1:2].isupper() and opens_plainly(candidate)
    entry = text[0].lower() + text[1:] if plain else text
    label = f"{label[0].upper()}{label[1:]}"
    return predicated(label, entry) if predicate and not candidate.clause.finite else f"{label}: {entry}"


_NAME_WORDS = 3
_LONGEST_LEAD = 12
"""Words of a lead-in that may stand before what only names something: `These cope with sun: mint`."""
BACKWARD = frozenset(
    {"it", "its", "they", "them", "this", "that", "these", "those", "he", "she", "him", "her"}
)
"""Words that speak of something named before: most often of what the label names."""
_POINTING = frozenset({"this", "that", "these", "those"})
"""Those of them that inside a clause stand before a noun, or open a clause about one."""


def opens_plainly(candidate: Candidate) -> bool:
    """Whether the first word's capital is only the sentence's: the source has it small, or it is a known
    word."""
    token = candidate.clause.tokens[0]
    return candidate.source[token.start].islower() or bool(candidate.clause.tags[0])


def uncapital(candidate: Candidate, text: str) -> str:
    """The text as it goes on a sentence: without the capital that only a sentence's beginning gave it."""
    return f"{text[:1].lower()}{text[1:]}" if opens_plainly(candidate) else text
