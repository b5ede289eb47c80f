"""How nearly two notes say the same but for what stands in one place: a number, a name, a denial.

A small judge reads meaning and misses what form shows: "the tuner charges 90 euros" and "the tuner charges
140 euros" are worded alike but for the one thing that a reader asks about. Form alone does not say which
holds, nor whether both may; it is one value beside the judge's.
"""

from __future__ import annotations

from chunking.closed_classes import negates
from chunking.language import content_stems
from curation.criteria.numbers_and_names import numbers_in
from curation.pairs.guards import names_in, one_word_apart

_ROLE_STEMS = frozenset({"user", "assist"})


def contrast(one: str, other: str) -> float:
    """0-1: the share of the shorter text's content stems that both have; 0 where nothing stands in another's
    place, that is, neither a number nor a name nor a single word, and where both or neither deny."""
    left, right = content_stems(one) - _ROLE_STEMS, content_stems(other) - _ROLE_STEMS
    least = min(len(left), len(right))
    if not least or not _replaced(one, other):
        return 0.0
    return len(left & right) / least


def _replaced(one: str, other: str) -> bool:
    if negates(one) != negates(other) or one_word_apart(one, other):
        return True
    pairs = ((numbers_in(one), numbers_in(other)), (names_in(one), names_in(other)))
    return any(left - right and right - left for left, right in pairs)
