"""Choosing what of a talk is worth retelling, and whose words it is: what summaries and maps share.

Nothing is composed: a line is a sentence as it stands in its message, with who said it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chunking.language import ENGLISH, content_stems
from chunking.settledness import settledness
from extract.faithful.exchanged_subjects import another_tense
from schemas.unit import Category, Evidence, Speaker, Unit
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
_ROW = re.compile(r"\|.*\|")
"""A row of a Markdown table: no sentence, and its bars are no words."""
_BAR = re.compile(r"(?<!\\)\|")


def is_telling(unit: Unit) -> bool:
    """Whether a careful reader may want the unit retold."""
    return unit.estimate is None or (unit.estimate.good >= _TELLING and unit.estimate.whole)


def worth(unit: Unit) -> float:
    """How much a unit says of what the talk came to: its chance of being kept, what it is, and whose."""
    good = unit.estimate.good if unit.estimate else _UNREAD
    return good + _WORTH.get(unit.category, 0.0) + (_OF_OWNER if unit.speaker is Speaker.OWNER else 0.0)


def said(unit: Unit) -> str:
    """The sentence that a unit stands in, as it was written, on one line; of a table's row, its cells."""
    told = _told_from(unit)
    if told is not None:
        return _on_one_line(told.quote, _in_row(unit))
    return _cells(unit.text) if _in_row(unit) else unit.text


def _told_from(unit: Unit) -> Evidence | None:
    """The quote that `said` tells; None where none is short enough."""
    quotes = (*_around(unit), unit.evidence[0])
    return next((one for one in quotes if count_words(" ".join(one.quote.split())) <= LONGEST_QUOTE), None)


def _around(unit: Unit) -> list[Evidence]:
    first = unit.evidence[0]
    return [
        one
        for one in unit.context
        if one.message_id == first.message_id and one.start <= first.start and first.end <= one.end
    ]


def _in_row(unit: Unit) -> bool:
    """Whether a unit stands in a row of a Markdown table."""
    return any(_ROW.fullmatch(line.strip()) for one in _around(unit) for line in one.quote.splitlines())


def _on_one_line(quote: str, in_row: bool) -> str:
    lines = (" ".join(line.split()) for line in quote.splitlines())
    return " ".join(_cells(line) if in_row and "|" in line else line for line in lines if line)


def _cells(row: str) -> str:
    """The words of a table's row, cell by cell: `| Oil | June | £120 |` is “Oil; June; £120”."""
    cells = (cell.strip() for cell in _BAR.split(row))
    return "; ".join(cell for cell in cells if any(map(str.isalnum, cell)))


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a unit, and where it stands."""

    words: str
    place: Evidence

    def holds(self, other: Told) -> bool:
        """Whether all that is told of another unit is told of this one, at the same place."""
        whole, part = self.place, other.place
        return (
            whole.message_id == part.message_id
            and whole.start <= part.start
            and part.end <= whole.end
            and other.words in self.words
        )

    def shares(self, other: Told) -> bool:
        """Whether the same words of a message are told of both."""
        one, two = self.place, other.place
        start, end = max(one.start, two.start), min(one.end, two.end)
        return (
            one.message_id == two.message_id
            and start < end
            and one.quote[start - one.start : end - one.start]
            == two.quote[start - two.start : end - two.start]
        )


def told_of(unit: Unit) -> Told:
    """The unit's sentence and where it stands; where it is too long, the note and the place of its words."""
    return Told(said(unit), _told_from(unit) or unit.evidence[0])


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
    """Whether somebody reads in a sentence what they read in one before it, of the same speaker: it has its
    words, and settles no more and no less."""
    own = _stems(unit.text)
    return any(
        unit.speaker is other.speaker
        and len(own & stems) >= _ALIKE * min(len(own), len(stems))
        and not settled_otherwise(unit, other)
        for other, stems in ((other, _stems(other.text)) for other in others)
        if own and stems
    )


def settled_otherwise(one: Unit, other: Unit) -> bool:
    """Whether of two units one denies, doubts, asks, only considers, has a condition, or tells as done what
    the other does not."""
    return (
        settledness(one.text, one.category) != settledness(other.text, other.category)
        or another_tense(one.text, other.text, (ENGLISH,))
        or another_tense(other.text, one.text, (ENGLISH,))
    )


_stems = lru_cache(maxsize=4096)(content_stems)
"""Of a sentence, which is held against many."""


def each_once(units: Iterable[Unit]) -> list[Unit]:
    """The units without those that say again one of the last `LOOKED_AT` that were kept; of two that are told
    by the same sentence, or by one within the other's, the one that is told at greater length."""
    kept: list[Unit] = []
    lines: list[Told] = []
    for unit in units:
        first, line = max(0, len(kept) - LOOKED_AT), told_of(unit)
        if any(other.holds(line) for other in lines[first:]):
            continue
        if held := [place for place in range(first, len(kept)) if line.holds(lines[place])]:
            kept[held[0]], lines[held[0]] = unit, line
            for place in reversed(held[1:]):
                del kept[place], lines[place]
        elif not says_again(unit, kept[first:]):
            kept.append(unit)
            lines.append(line)
    return kept


def first_words(text: str, most: int) -> str:
    """The beginning of a text: so many words, with an ellipsis where it goes on."""
    words: Sequence[str] = text.split()
    cut = " ".join(words[:most])[: most * 12]
    if count_words(cut) > most:
        cut = cut[: most * CHARACTERS_PER_WORD]
    return cut if cut == " ".join(words) else f"{cut} …"
