"""What a thread is called: the words that its conversations share and others lack, led by a telling title."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from chunking.wordlists import words
from schemas.deferred import deferred
from schemas.thread import Profile

if TYPE_CHECKING:
    import lemminflect
else:
    lemminflect = deferred("lemminflect")


WORDS = 3
"""Words in a label, beside a title."""
_TITLE_WORDS = 9
_SHARED = 0.5
"""A word of the label stands in at least this share of the conversations."""
_LEAST_LETTERS = 3
_VAGUE = words(
    """
agree believe think feel feels seek tell try continue thing things way ways lot kind bit sense being need
needs end start help family name number people person hold lack discover achieving implementing imagined
assuming proven multiple them guy days day week weeks immediately rough play verbatim write free real
future great
"""
)
"""Words that many conversations share and that name none of them."""


def label_of(
    profiles: Sequence[Profile],
    titles: Sequence[str | None],
    everywhere: Mapping[str, int],
    conversations: int,
    common_titles: Mapping[str, int],
) -> str:
    """A thread's label, such as `Planning the Sicily trip: Palermo, ferry`.

    `everywhere` counts the account's conversations by term, `conversations` is how many there are, and
    `common_titles` counts them by title: one that conversations outside the thread bear tells nothing.
    """
    weights, words = _shared(profiles, everywhere, conversations)
    ranked = sorted(weights, key=lambda term: (-weights[term], term))
    title = _telling_title(titles, {words[term].lower(): weights[term] for term in ranked}, common_titles)
    named = [term for term in ranked if names_something(words[term])]
    ranked = named if len(named) >= WORDS - 1 else ranked
    if title:
        ranked = [term for term in ranked if words[term].lower() not in title.lower()]
        rest = ", ".join(words[term] for term in ranked[: WORDS - 1])
        return f"{title}: {rest}" if rest else title
    return ", ".join(words[term] for term in ranked[:WORDS]) or "Untitled"


def names_something(word: str) -> bool:
    """Whether a word may be a label's: a name (it keeps its capital), or a noun; not what is done or how."""
    if word.lower() in _VAGUE:
        return False
    return word[:1].isupper() or _is_noun(word.lower())


@cache
def _is_noun(word: str) -> bool:
    """Whether English knows the word as a noun and not rather as a verb, or does not know it."""
    kinds = lemminflect.getAllLemmas(word)
    return not kinds or ("NOUN" in kinds and "ADV" not in kinds and "AUX" not in kinds)


def _shared(
    profiles: Sequence[Profile], everywhere: Mapping[str, int], conversations: int
) -> tuple[dict[str, float], dict[str, str]]:
    """Weight, and the form to show, by term: how much it is said here, and how seldom elsewhere."""
    said = defaultdict[str, float](float)
    held = Counter[str]()
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for profile in profiles:
        for term, word, count in zip(profile.terms, profile.words, profile.counts, strict=True):
            if sum(map(str.isalpha, word)) >= _LEAST_LETTERS:
                said[term] += 1 + math.log(count)
                held[term] += 1
                forms[term][word] += count
    needed = max(min(2, len(profiles)), _SHARED * len(profiles))
    weights = {
        term: weight * math.log((conversations + 1) / max(everywhere.get(term, 0), held[term]))
        for term, weight in said.items()
        if held[term] >= needed
    }
    words = {term: min(forms[term], key=lambda form: (-forms[term][form], form)) for term in weights}
    return weights, words


def _telling_title(
    titles: Sequence[str | None], weights: Mapping[str, float], common_titles: Mapping[str, int]
) -> str:
    """The title that says most of what the conversations share, if only they bear it."""
    own = Counter(title for title in titles if title)
    best, most = "", 0.0
    for title, count in own.items():
        text = " ".join(title.split())
        told = text.lower().split()
        if common_titles.get(title, count) > count or not 1 < len(told) <= _TITLE_WORDS:
            continue
        weight = sum(weights.get(word.strip(".,:;!?\"'()"), 0.0) for word in told) / math.sqrt(len(told))
        if weight > most:
            best, most = text, weight
    return best
