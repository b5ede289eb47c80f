"""Choosing what of a talk is worth retelling, and whose words it is: what summaries and maps share.

Nothing is composed: a line is a sentence as it stands in its message, with who said it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from chunking.language import content_stems
from schemas.unit import Category, Speaker, Unit
from schemas.words import CHARACTERS_PER_WORD, count_words

LONGEST_QUOTE = 40
"""Words of a sentence that is quoted whole; of a longer one, only the words of the note are."""

_TELLING = 0.3
"""The chance of being kept from which on a note is worth retelling."""
_UNREAD = 0.6
"""Counts for the chance of a note that no small reader looked at: a language model's."""
_ALIKE = 0.7
"""Share of the shorter sentence's content words that make two sentences one to somebody who reads them."""
LOOKED_AT = 200
"""Earlier notes that one is held against: more than a summary tells, and time stays linear in the notes."""
_WORTH = {
    Category.DECISION: 0.5,
    Category.ACTION_ITEM: 0.3,
    Category.CONSTRAINT: 0.2,
    Category.OPEN_QUESTION: 0.1,
    Category.PROVISIONAL: 0.1,
}
_OF_OWNER = 0.3


def is_telling(unit: Unit) -> bool:
    """Whether a careful reader may want the unit retold."""
    return unit.estimate is None or (unit.estimate.good >= _TELLING and unit.estimate.whole)


def worth(unit: Unit) -> float:
    """How much a unit says of what the talk came to: its chance of being kept, what it is, and whose."""
    good = unit.estimate.good if unit.estimate else _UNREAD
    return good + _WORTH.get(unit.category, 0.0) + (_OF_OWNER if unit.speaker is Speaker.OWNER else 0.0)


def said(unit: Unit) -> str:
    """The sentence that a unit stands in, as it was written, on one line."""
    first = unit.evidence[0]
    around = [
        one.quote
        for one in unit.context
        if one.message_id == first.message_id and one.start <= first.start and first.end <= one.end
    ]
    quotes = [" ".join(quote.split()) for quote in (*around, first.quote)]
    return next((quote for quote in quotes if count_words(quote) <= LONGEST_QUOTE), unit.text)


def quoted(unit: Unit, owner: str | None = None) -> str:
    """A unit's sentence with who said it: `The user: “…”`."""
    return f"{name_of(unit, owner)}: “{said(unit)}”"


def name_of(unit: Unit, owner: str | None) -> str:
    """Who said the unit."""
    if unit.speaker is Speaker.OWNER:
        return owner or "The user"
    if unit.speaker is Speaker.ASSISTANT:
        return "The assistant"
    if unit.speaker is Speaker.OTHER:
        return unit.speaker_name or "Somebody else"
    return "A pasted text"


def says_again(unit: Unit, others: Iterable[Unit]) -> bool:
    """Whether somebody reads in a sentence what they read in one before it, of the same speaker."""
    own = _stems(unit.text)
    return any(
        unit.speaker is other.speaker and len(own & stems) >= _ALIKE * min(len(own), len(stems))
        for other, stems in ((other, _stems(other.text)) for other in others)
        if own and stems
    )


_stems = lru_cache(maxsize=4096)(content_stems)
"""Of a sentence, which is held against many."""


def each_once(units: Iterable[Unit]) -> list[Unit]:
    """The units without those that say again one of the last `LOOKED_AT` that were kept."""
    kept: list[Unit] = []
    for unit in units:
        if not says_again(unit, kept[-LOOKED_AT:]):
            kept.append(unit)
    return kept


def first_words(text: str, most: int) -> str:
    """The beginning of a text: so many words, with an ellipsis where it goes on."""
    words: Sequence[str] = text.split()
    cut = " ".join(words[:most])[: most * 12]
    if count_words(cut) > most:
        cut = cut[: most * CHARACTERS_PER_WORD]
    return cut if cut == " ".join(words) else f"{cut} …"
