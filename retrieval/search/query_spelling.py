"""Spelling tolerance: what is no word, and in nothing that was found, is read as the nearest word found.

Cheap on purpose. Words that the table of `retrieval.search.word_vectors` knows are never touched, nor are
English words in any inflection (by lemminflect's dictionary, which is loaded only where a word would be
replaced), names, numbers and words of fewer than five letters: what looks like a misspelt word may be a new
name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from retrieval.search.question_names import names_of
from retrieval.search.word_vectors import is_known, runs_of_letters
from schemas.deferred import deferred

if TYPE_CHECKING:
    import lemminflect
else:
    lemminflect = deferred("lemminflect")

FEWEST_LETTERS = 5
LONG = 8
"""From so many letters on, two of them may be wrong."""

_WORD = re.compile(r"[^\W\d_]+")


def corrected(query: str, texts: Iterable[str]) -> str:
    """The query, its misspelt words replaced by the nearest ones in the texts, of those the most frequent."""
    names = {word for name in names_of(query) for word in _WORD.findall(name)}
    strange = {
        word
        for word in _WORD.findall(query)
        if len(word) >= FEWEST_LETTERS and word not in names and not is_known(word.lower())
    }
    if not strange:
        return query
    said = list(texts)
    small = "\n".join(dict.fromkeys(said)).lower()
    missing = {word for word in strange if not _is_in(word.lower(), small)}
    if not missing:
        return query
    held = frozenset[str]().union(*map(_held, dict.fromkeys(said)))
    near = {word: _nearest(word.lower(), held, said) for word in missing}
    better = {word: other for word, other in near.items() if other and not _is_english(word.lower())}
    return _WORD.sub(lambda word: better.get(word[0], word[0]), query)


def _is_english(word: str) -> bool:
    """Whether a dictionary has the word, in any inflection: `batches` is none of `matches`."""
    return bool(lemminflect.getAllLemmas(word))


def _is_in(word: str, text: str) -> bool:
    """Whether a text has the word, and not only as a part of another; both are in small letters."""
    alone = rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])"
    return word in text and re.search(alone, text) is not None


@lru_cache(maxsize=4_000)
def _held(text: str) -> tuple[str, ...]:
    """The text's words in small letters; equal ones of several texts are one object."""
    return tuple(map(sys.intern, runs_of_letters(text)))


def _nearest(word: str, held: Iterable[str], texts: Sequence[str]) -> str | None:
    most = 2 if len(word) >= LONG else 1
    letters = set(word)
    near = [
        (distance, other)
        for other in held
        if abs(len(other) - len(word)) <= most
        and len(other) >= FEWEST_LETTERS - 1
        and len(letters.difference(other)) <= most  # each letter that is missing is an edit of its own
        and (distance := edits(word, other)) <= most
    ]
    counted = [
        (distance, -sum(_held(text).count(other) for text in texts), other) for distance, other in near
    ]
    return min(counted)[2] if counted else None


def edits(one: str, other: str) -> int:
    """Letters to insert, delete, replace or swap with their neighbour, to make one word the other (optimal
    string alignment)."""
    before, last = list[int](), list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        now = [row]
        for column, wanted in enumerate(other, 1):
            cost = min(last[column] + 1, now[-1] + 1, last[column - 1] + (letter != wanted))
            swapped = row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == wanted
            now.append(min(cost, before[column - 2] + 1) if swapped else cost)
        before, last = last, now
    return last[-1]
