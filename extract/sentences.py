"""Where sentences end.

Periods are judged by nupunkt, which knows abbreviations and lower-case chat; question and exclamation marks,
line breaks and full-width stops always end a sentence. Code, links and addresses are masked first, so no
stop inside one counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from extract.languages.lexicon import Language, Tag
from extract.tokens import Kind, Token
from extract.wordlists import words

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer

_CLOSERS = frozenset("\"'”’»)]")
_ATOMS = frozenset({Kind.CODE, Kind.LINK})
_WRAPPED_AT = 60
"""A line at least this long that ends without a stop was wrapped, if the next one goes on in lower case."""

LONGEST = 200
"""Tokens after which a sentence is closed at the next blank: reading clauses looks ahead only so far."""
MAX_STRETCH = 20_000
"""Characters handed to nupunkt at once: its cost is linear, this only bounds its memory."""


@lru_cache(maxsize=1)
def _segmenter() -> PunktSentenceTokenizer:
    from nupunkt import load_default_model

    return load_default_model()


def split_sentences(text: str, tokens: Sequence[Token], language: Language) -> list[list[Token]]:
    """The tokens in sentences; a sentence keeps its closing punctuation, and line breaks are left out."""
    stops = _period_stops(text, tokens, language)
    sentences: list[list[Token]] = []
    current: list[Token] = []
    count = len(tokens)
    for place, token in enumerate(tokens):
        if token.kind is Kind.BREAK:
            if not _wraps(text, tokens, place):
                current = _close(sentences, current)
            continue
        following = tokens[place + 1] if place + 1 < count else None
        if current and token.kind is Kind.PUNCT and token.low in _CLOSERS and current[-1].kind is Kind.END:
            current.append(token)
            if following is None or following.kind is not Kind.PUNCT or following.low not in _CLOSERS:
                current = _close(sentences, current)
            continue
        current.append(token)
        too_long = len(current) >= LONGEST and following is not None and following.start > token.end
        if too_long or (token.kind is Kind.END and _ends(token, following, stops)):
            current = _close(sentences, current)
    _close(sentences, current)
    return sentences


def _close(sentences: list[list[Token]], current: list[Token]) -> list[Token]:
    if current:
        sentences.append(current)
    return []


def _ends(token: Token, following: Token | None, stops: frozenset[int] | None) -> bool:
    if following is None or following.kind is Kind.BREAK:
        return True
    if token.low[0] in "。！？｡":
        return following.kind is not Kind.PUNCT or following.low not in "」』）\"'"
    adjacent = following.start == token.end
    if adjacent and following.kind in (Kind.PUNCT, Kind.MARK):
        return following.kind is Kind.MARK
    if adjacent:
        return False
    if token.low != ".":
        return True
    return stops is None or token.end in stops


def _wraps(text: str, tokens: Sequence[Token], place: int) -> bool:
    """Whether a line break only wraps a long line."""
    if place == 0 or place + 1 >= len(tokens):
        return False
    before, after = tokens[place - 1], tokens[place + 1]
    if before.kind is Kind.BREAK or after.kind is Kind.BREAK or before.kind is Kind.END or before.low == ":":
        return False
    line = text.rfind("\n", 0, before.end) + 1
    return before.end - line >= _WRAPPED_AT and text[after.start].islower()


def _period_stops(text: str, tokens: Sequence[Token], language: Language) -> frozenset[int] | None:
    """Offsets just after the periods that end a sentence; None when no period needs judging."""
    inner = [
        token
        for token, following in pairwise(tokens)
        if token.low == "." and following.kind is not Kind.BREAK and following.start > token.end
    ]
    if not inner:
        return None
    masked = text
    atoms = [token for token in tokens if token.kind in _ATOMS]
    if atoms:
        pieces, done = [], 0
        for atom in atoms:
            pieces += [text[done : atom.start], "X" * (atom.end - atom.start)]
            done = atom.end
        masked = "".join([*pieces, text[done:]])
    masked = masked.replace("*", " ")
    ends: set[int] = set()
    for offset in range(0, len(masked), MAX_STRETCH):
        stretch = masked[offset : offset + MAX_STRETCH]
        ends.update(offset + end for _, end in _segmenter().span_tokenize(stretch))
    found = {token.end for token in inner if any(token.end + shift in ends for shift in range(4))}
    found |= _shy_stops(text, tokens, language)
    if language.ordinal_stop:
        found -= _ordinals(tokens, language)
    return frozenset(found)


def _ordinals(tokens: Sequence[Token], language: Language) -> set[int]:
    """Stops that only make a number an ordinal: am 1. Februar, der 3. Punkt."""
    return {
        stop.end
        for before, stop, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if stop.low == "." and before.low.isdigit() and len(before.low) <= 2 and not language.tag(after.low)
    }


_LONG_WORD = 4
_UNITS = frozenset(
    words(
        """
m cm mm km kg g mg l ml h min s sec kb mb gb tb w kw kwh v a lb lbs oz ft in yd mi px pt c k x
"""
    )
)
_OPENS_SENTENCE = (
    Tag.SUBJECT
    | Tag.DETERMINER
    | Tag.CONDITION
    | Tag.QUESTION
    | Tag.PREPOSITION
    | Tag.COORDINATOR
    | Tag.FINITE
)
_GOVERNS = Tag.PREPOSITION | Tag.BASE | Tag.FINITE
_LONG_ABBREVIATIONS = frozenset(
    words(
        """
etc mrs jun sen inc ltd col gen rev hon vol fig ref ext est avg tel min max approx dept prof inkl evtl
bzgl resp incl excl temp univ assn corp conf govt capt misc exkl ggfs sogen bspw avda prov admin assoc
bros cert cont dept dist equiv figs lieut maint messrs mfgr natl pres secy supt techn vols appt jan febr
sept
"""
    )
)


def _shy_stops(text: str, tokens: Sequence[Token], language: Language) -> set[int]:
    """Offsets after the periods of chat that nupunkt takes for abbreviations, initials or list marks."""
    return {
        tokens[place].end
        for place in range(1, len(tokens) - 1)
        if tokens[place].low == "." and _is_stop(text, tokens, place, language)
    }


def _is_stop(text: str, tokens: Sequence[Token], place: int, language: Language) -> bool:
    before, stop, after = tokens[place - 1], tokens[place], tokens[place + 1]
    if after.kind > Kind.UNSPACED or after.start == stop.end:
        return False
    earlier = tokens[place - 2] if place > 1 else None
    if before.kind is Kind.NUMBER:
        return not (earlier is not None and earlier.kind is Kind.BREAK)
    if before.kind is not Kind.WORD or not before.low.isalpha():
        return False
    following = language.tag(after.low)
    capital = text[after.start].isupper()
    if earlier is not None and earlier.kind is Kind.NUMBER and before.low in _UNITS and capital:
        return True  # 1.5 m. You ...
    if len(before.low) == 1:
        answers = before.low in "abcde" and (earlier is None or bool(language.tag(earlier.low) & _GOVERNS))
        return answers or (capital and bool(following & _OPENS_SENTENCE))
    if before.low in _LONG_ABBREVIATIONS or (before.low == "no" and after.kind is Kind.NUMBER):
        return False
    known = bool(language.tag(before.low))
    capital_word = capital and bool(following) and text[before.start].islower() and len(before.low) > 2
    return known or capital_word or len(before.low) >= _LONG_WORD
