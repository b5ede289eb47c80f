"""Where a run of blocks without headings turns to another topic, by the words that its two sides share.

Similarity of the words on both sides of every gap is TextTiling's measure (M. Hearst, Computational
Linguistics 23(1), 1997). The decision is not hers: it is made from left to right and looks no further than
one window ahead, so that a part, cut out and read alone, is left whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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

    Linear in the number of units, a window's terms each.
    """
    ends = [0]
    for unit in units:
        ends.append(ends[-1] + len(unit))
    shifts: list[int] = []
    first, gap = 0, 1
    while gap < len(units) and ends[-1] - ends[gap] >= WINDOW:
        if ends[gap] - ends[first] >= _LEAST and _similarity(units, first, gap) < _UNRELATED:
            near = [gap]
            while near[-1] + 1 < len(units) and ends[near[-1] + 1] - ends[gap] < _LEAST:
                near.append(near[-1] + 1)
            gap = first = min(near, key=lambda other: _similarity(units, first, other))
            shifts.append(gap)
        gap += 1
    return shifts


def _similarity(units: Sequence[Sequence[str]], first: int, gap: int) -> float:
    """Cosine of the term counts on both sides of the gap, up to `WINDOW` terms each, none before `first`."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    index, room = gap - 1, WINDOW
    while index >= first and room > 0:
        before.update(units[index][-room:])
        room -= len(units[index])
        index -= 1
    index, room = gap, WINDOW
    while index < len(units) and room > 0:
        after.update(units[index][:room])
        room -= len(units[index])
        index += 1
    shared = sum(count * after[term] for term, count in before.items())
    norm = sqrt(sum(count**2 for count in before.values()) * sum(count**2 for count in after.values()))
    return shared / norm if norm else 0.0
