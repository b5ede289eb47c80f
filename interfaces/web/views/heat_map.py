"""A year of days as a heat map: one square a day, a column a week, darker where more was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

CELL = 13
"""Units of the SVG from one day to the next; a square is two less."""
LEFT, TOP = 30, 18
LEVELS = 4


@dataclass(frozen=True, slots=True)
class Day:
    """A square: its place, how dark it is (0 nothing to LEVELS), and what it stands for."""

    x: int
    y: int
    level: int
    day: date
    notes: int


@dataclass(frozen=True, slots=True)
class Month:
    """A month's name over its first week, and its notes; `until` is the first day after it."""

    x: int
    first: date
    until: date
    notes: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A year of days."""

    year: int
    width: int
    height: int
    days: tuple[Day, ...]
    months: tuple[Month, ...]
    notes: int


def heat_map(year: int, counts: Mapping[date, int]) -> HeatMap:
    """The year's days with their counts of notes; a week begins on Monday."""
    first, after = date(year, 1, 1), date(year + 1, 1, 1)
    bounds = _bounds(sorted(count for count in counts.values() if count))
    made = []
    for number in range((after - first).days):
        day = first + timedelta(number)
        week = (number + first.weekday()) // 7
        count = counts.get(day, 0)
        level = sum(count >= bound for bound in bounds) if count else 0
        made.append(Day(LEFT + week * CELL, TOP + day.weekday() * CELL, level, day, count))
    months = []
    for month in range(1, 13):
        begins = date(year, month, 1)
        until = date(year + month // 12, month % 12 + 1, 1)
        notes = sum(day.notes for day in made if begins <= day.day < until)
        months.append(Month(made[(begins - first).days].x, begins, until, notes))
    weeks = (made[-1].x - LEFT) // CELL + 1
    return HeatMap(
        year, LEFT + weeks * CELL, TOP + 7 * CELL, tuple(made), tuple(months), sum(d.notes for d in made)
    )


def _bounds(counts: list[int]) -> list[int]:
    """The least counts of the levels: quarters of the days on which anything was said."""
    if not counts:
        return []
    return [1, *(counts[len(counts) * part // LEVELS] for part in range(1, LEVELS))]
