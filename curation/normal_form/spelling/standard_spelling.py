"""Spelling: contractions spelled out, hyphens opened, British and misspelled words in one form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from chunking.wordlists import words
from curation.normal_form.spelling import abbreviations, spelling_tables
from curation.normal_form.spelling.slips import mended
from curation.normal_form.word_tokens import Words

MAY = "may_month"
"""The month, which is not the verb."""

PAUSES = frozenset("!;:?")
"""Marks that say nothing."""

_IN_CAPITALS = {
    variant[0].upper(): canonical[0]
    for variant, canonical in abbreviations.ABBREVIATIONS.items()
    if len(variant) == 1 and variant[0].upper() in abbreviations.CAPITALS_ONLY
}


def spelled(words: Words) -> list[str]:
    """Lower case, American, contractions spelled out, hyphens opened; what is in capitals by its capitals."""
    short = not abbreviations.CAPITALS_ONLY.isdisjoint(words.tokens) and not _shouted(words.tokens)
    made: list[str] = []
    for at, token in enumerate(words.tokens):
        if token in _MAYS and at and (token == "May" or words.tokens[at - 1].casefold() in _BEFORE_MONTH):
            made.append(MAY)
        elif short and token in abbreviations.CAPITALS_ONLY:
            made.append(american(_IN_CAPITALS[token]))
        else:
            made.extend(_spelled(token))
    return made


def _shouted(tokens: Sequence[str]) -> bool:
    """Whether most of it is in capitals, which then say nothing."""
    return sum(token.isupper() and token.isalpha() for token in tokens) * 2 > len(tokens)


_MAYS = frozenset(("May", "may", "MAY"))


@lru_cache(maxsize=65536)
def _spelled(token: str) -> tuple[str, ...]:
    """A token by itself, spelled out."""
    low = token.casefold()
    if (whole := spelling_tables.CONTRACTIONS.get(low)) is not None:
        made = whole.split()
    elif "'" in low and not low[0].isdigit():
        made = _possessive(low)
    elif "-" in low and low[0].isalpha() and (low,) not in spelling_tables.SPELLINGS:
        made = low.split("-")
    elif low in PAUSES:
        made = []
    else:
        made = [mended(low) if token == low and (low,) not in spelling_tables.SPELLINGS else low]
    return tuple(american(part) for part in made if part)


_BEFORE_MONTH = words("in by until till since from to of last next this early late mid before after")

_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1")
_REAL_DOUBLES = words("dessert desserts dinner dinners latter supper copper bitter")


@lru_cache(maxsize=65536)
def unslipped(word: str) -> str:
    """A long common word without its doubled consonants and with `ie` for `ei`: the usual slips."""
    if len(word) < 6 or not word.isalpha() or word in _REAL_DOUBLES:
        return word
    return _DOUBLED.sub(r"\1", word).replace("ei", "ie")


def _possessive(low: str) -> list[str]:
    if low.endswith("'s"):
        return [low[:-2], "'s"]
    return [low.rstrip("'")]


@lru_cache(maxsize=65536)
def american(word: str) -> str:
    """British spellings as American ones: -our, -ise, -re, a doubled l."""
    if len(word) < 5 or not word.isalpha():
        return word
    for pattern, american in _BRITISH:
        changed = pattern.sub(american, word)
        if changed != word:
            return changed
    return word


_BRITISH = (
    (re.compile(r"^(col|fav|flav|hum|lab|neighb|behavi|harb|hon|rum|vap|arm|end|sav|vig|od)our"), r"\1or"),
    (
        re.compile(r"(?<=[a-z]{3})is(e|es|ed|ing|ation|ations|er|ers)$(?<!advise)(?<!exercise)(?<!promise)"),
        r"iz\1",
    ),
    (re.compile(r"(?<=[a-z])ae(?=[mds])"), "e"),
    (re.compile(r"oeuvre"), "euver"),
    (re.compile(r"yse(d|s|r)?$"), r"yze\1"),
    (re.compile(r"ysing$"), "yzing"),
    (re.compile(r"^(cent|theat|lit|fib|met|calib|meag|somb)re(s|d)?$"), r"\1er\2"),
    (re.compile(r"(?<=[a-z]{3}[aeiou])ll(ed|ing|er|ers)$"), r"l\1"),
    (re.compile(r"^(fulfil|enrol|instal|skil)l?(?=$|s$|ment)"), r"\1l"),
)
"""Applied to both notes alike, so a word that only looks British (raise, rise) does no harm."""
