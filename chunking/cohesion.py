"""Where a run of blocks without headings turns to another topic, by the words that its two sides share.

Similarity of the words on both sides of every gap is TextTiling's measure (M. Hearst, Computational
Linguistics 23(1), 1997). The decision is not hers: it is made from left to right and looks no further than
one window ahead, so that a part, cut out and read alone, is left whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import sqrt

WINDOW = 80
"""Terms on each side of a gap that are compared."""

_LEAST = 40
"""Terms that a part has at least; of several gaps this close together, the one with the least similar sides
is cut."""

_UNRELATED = 0.08
"""Sides less similar than this are about two things. Window and threshold were chosen on joined pairs of chat
messages; docs/chunking.md has the figures."""


def topic_shifts(units: Sequence[Sequence[str]]) -> list[int]:
    """Indexes of the units that a new topic begins with, given the terms of a text's units in order.

    Linear in the number of units and terms.
    """
    terms = [term for unit in units for term in unit]
    ends = [0, *accumulate(len(unit) for unit in units)]
    shifts: list[int] = []
    while (shift := _next_shift(terms, ends, shifts[-1] if shifts else 0)) is not None:
        shifts.append(shift)
    return shifts


def _next_shift(terms: Sequence[str], ends: Sequence[int], first: int) -> int | None:
    """The unit after `first` that a new topic begins with; `ends[i]` counts the terms before unit `i`."""
    sides = _Sides(terms, ends[first])
    best: int | None = None
    least_similar, reach = _UNRELATED, ends[-1] - WINDOW
    for gap in range(first + 1, len(ends) - 1):
        if ends[gap] > reach:
            break
        sides.move_to(ends[gap])
        if ends[gap] - ends[first] >= _LEAST and (similarity := sides.similarity()) < least_similar:
            if best is None:
                reach = min(ends[-1] - 1, ends[gap] + _LEAST - 1)
            best, least_similar = gap, similarity
    return best


class _Sides:
    """The term counts of the windows before and after a gap, kept up to date while the gap moves right."""

    def __init__(self, terms: Sequence[str], start: int) -> None:
        self._terms, self._start, self._at = terms, start, start
        self._before: Counter[str] = Counter()
        self._after = Counter(terms[start : start + WINDOW])
        self._squares_before, self._shared = 0, 0
        self._squares_after = sum(count**2 for count in self._after.values())

    def move_to(self, position: int) -> None:
        """Put the gap in front of the term at `position`, nowhere left of where it is."""
        before, after, terms = self._before, self._after, self._terms
        for at in range(self._at, position):
            term = terms[at]
            self._shared += after[term] - before[term] - 1
            self._squares_after += 1 - 2 * after[term]
            self._squares_before += 1 + 2 * before[term]
            before[term] += 1
            after[term] -= 1
            if at + WINDOW < len(terms):
                term = terms[at + WINDOW]
                self._shared += before[term]
                self._squares_after += 1 + 2 * after[term]
                after[term] += 1
            if at - WINDOW >= self._start:
                term = terms[at - WINDOW]
                self._shared -= after[term]
                self._squares_before += 1 - 2 * before[term]
                before[term] -= 1
        self._at = position

    def similarity(self) -> float:
        """Cosine of the two windows' term counts; 0 if one of them is empty."""
        norm = sqrt(self._squares_before * self._squares_after)
        return self._shared / norm if norm else 0.0
