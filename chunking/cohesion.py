"""Where a run of blocks without headings turns to another topic, by the words that its two sides share.

The method is TextTiling's (M. Hearst, Computational Linguistics 23(1), 1997): similarity of the words on
both sides of every gap, a depth score for every valley, a cut where the valley is deeper than the text's mean
depth by its standard deviation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, pstdev

WINDOW = 60
"""Terms on each side of a gap that are compared (Hearst's block of six 20-word sequences, halved:
a message is shorter than the articles she cut)."""


_ONE_TOPIC = 0.2
"""Sides more similar than this are about one thing however deep the valley between them."""


def topic_shifts(units: Sequence[Sequence[str]], least: int) -> list[int]:
    """Indexes of the units that a new topic begins with, each part holding at least `least` terms.

    `units` are the terms of the text's blocks, in order. Linear in the number of terms and units.
    """
    similarities = [_similarity(units, gap) for gap in range(1, len(units))]
    depths = _depths(similarities)
    if not depths:
        return []
    deep_enough = fmean(depths) + pstdev(depths)
    sizes = [len(unit) for unit in units]
    remaining, current, shifts = sum(sizes), 0, []
    for gap, (depth, similarity) in enumerate(zip(depths, similarities, strict=True), start=1):
        current += sizes[gap - 1]
        remaining -= sizes[gap - 1]
        valley = depth >= deep_enough > 0 and similarity < _ONE_TOPIC
        if valley and min(current, remaining) >= least:
            shifts.append(gap)
            current = 0
    return shifts


def _similarity(units: Sequence[Sequence[str]], gap: int) -> float:
    """Cosine of the term counts before and after the gap, `WINDOW` terms of each."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    index, room = gap - 1, WINDOW
    while index >= 0 and room > 0:
        before.update(units[index][-room:])
        room -= max(1, len(units[index]))
        index -= 1
    index, room = gap, WINDOW
    while index < len(units) and room > 0:
        after.update(units[index][:room])
        room -= max(1, len(units[index]))
        index += 1
    shared = sum(count * after[term] for term, count in before.items())
    norm = sqrt(sum(count**2 for count in before.values()) * sum(count**2 for count in after.values()))
    return shared / norm if norm else 0.0


def _depths(similarities: Sequence[float]) -> list[float]:
    """How far each gap lies below the nearest peaks on its left and right; linear in the number of gaps."""
    left = _climbs(similarities)
    right = _climbs(similarities[::-1])[::-1]
    return [peak - low + other - low for peak, other, low in zip(left, right, similarities, strict=True)]


def _climbs(similarities: Sequence[float]) -> list[float]:
    """For each gap the height reached by climbing leftwards from it as long as the way leads up."""
    peaks: list[float] = []
    for index, value in enumerate(similarities):
        climbs = index > 0 and similarities[index - 1] >= value
        peaks.append(peaks[-1] if climbs else value)
    return peaks
