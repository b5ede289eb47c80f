"""What no judge overrules, settled by form alone.

A note that differs from another in a number, a name, a negation or a doubt is no duplicate of it, and only
the owner's own settled and later words retire a note.
"""

from __future__ import annotations

import re
from functools import lru_cache

from chunking.closed_classes import CONDITIONALS, hedges, negates
from chunking.language import content_stems, words_of
from curation.criteria.numbers_and_names import numbers_in
from curation.pairs.pair import JudgedNote, NotePair, Ruling, keep
from schemas.unit import Category, Speaker

_CONSIDERED = (Category.IDEA, Category.PROVISIONAL)
_NAME = re.compile(r"(?<=[^\W\d_.!?:] )[A-ZÀ-ÖØ-Þ][\w’'-]+")
_ROLES = frozenset({"user", "assistant"})


def names_in(text: str) -> frozenset[str]:
    """The names inside a sentence, in small letters: words with a capital that do not begin it."""
    return frozenset(name.lower() for name in _NAME.findall(text)) - _ROLES


@lru_cache(maxsize=1 << 14)
def _form(text: str) -> tuple[frozenset[str], frozenset[str], bool, bool, bool]:
    """Numbers, names, and whether a text denies, doubts and asks."""
    return (
        numbers_in(text),
        names_in(text),
        negates(text),
        hedges(text),
        text.rstrip().endswith(("?", "？")),
    )


def differ_in_form(one: str, other: str) -> str:
    """What two notes certainly do not have in common, or ""."""
    different = differ_in_claim(one, other)
    if not different and one_word_apart(one, other):
        return "one word stands in another's place"
    return different


def differ_in_claim(one: str, other: str) -> str:
    """The same, but for a single word: whether `mended` is `repaired` takes somebody who knows both."""
    numbers, names, denies, doubts, asks = _form(one)
    others = _form(other)
    if numbers != others[0]:
        return "one has a number that the other lacks"
    if asks != others[4]:
        return "one asks"
    if denies != others[2]:
        return "one denies"
    if doubts != others[3]:
        return "one doubts"
    if (names - set(words_of(other))) | (others[1] - set(words_of(one))):
        return "one has a name that the other lacks"
    return ""


def one_word_apart(one: str, other: str) -> bool:
    """Whether one word of meaning at most was put in, left out or replaced, in words otherwise the same.

    "Opens" for "closes" looks to a small judge like "begins" for "starts"; in notes that are worded anew
    throughout it sees the difference.
    """
    left, right = frozenset(content_stems(one)), frozenset(content_stems(other))
    return left != right and len(left - right) <= 1 and len(right - left) <= 1 and len(left & right) > 1


def protected(pair: NotePair) -> Ruling | None:
    """The ruling that keeps both, where the newer note may retire nothing, whatever it says."""
    older, newer = pair.older, pair.newer
    if older.at is None or newer.at is None or newer.at <= older.at:
        return keep("it is not known to be newer")
    if newer.speaker is not Speaker.OWNER and older.speaker is not newer.speaker:
        return keep(f"what the {newer.speaker.value} says retires nothing of the {older.speaker.value}'s")
    if _asks(newer):
        return keep("the newer one asks")
    if _asks(older):
        return keep("the older one asks, and an answer leaves the question standing")
    if newer.category in _CONSIDERED or hedges(newer.text):
        return keep("the newer one is only considered")
    if CONDITIONALS.match(newer.text):
        return keep("the newer one holds on a condition only")
    return None


def _asks(note: JudgedNote) -> bool:
    return note.category is Category.OPEN_QUESTION or note.text.rstrip().endswith(("?", "？"))
