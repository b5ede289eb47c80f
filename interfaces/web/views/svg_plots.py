"""Plots as shapes of a plain SVG, and as the table that says the same in words.

Lengths are in units of the SVG's own coordinates; it is 720 wide and scales to the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

WIDTH = 720
_HEIGHT = 240
_LEFT = 56
_BOTTOM = 28
_ROW = 24
_LABELS = 230
"""Room for the labels before horizontal bars."""
_LONGEST = 34
"""Characters of a label."""
_TICKS = 4
_MONTHS = 72
"""Columns beyond which months are put together as years."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle; `tint` names its colour's class, `told` is what it stands for."""

    x: float
    y: float
    width: float
    height: float
    tint: str
    told: str
    href: str = ""
    """Where it leads in the application."""


@dataclass(frozen=True, slots=True)
class Label:
    """A run of text; `anchor` is start, middle or end."""

    x: float
    y: float
    text: str
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Picture:
    """A plot, its legend of (tint, name), and its table: a row of heads, then rows."""

    title: str
    told: str
    height: float
    shapes: tuple[Rectangle, ...]
    labels: tuple[Label, ...]
    legend: tuple[tuple[str, str], ...]
    table: tuple[tuple[str, ...], ...]
    links: tuple[str, ...] = ()
    """Where the rows of the table lead, without its head; none where they lead nowhere."""


def _nowhere(_: str, __: str) -> str:
    return ""


def columns(
    title: str,
    told: str,
    months: Sequence[str],
    layers: Sequence[tuple[str, Sequence[int]]],
    leads: Callable[[str, str], str] = _nowhere,
) -> Picture:
    """Stacked columns, one a month (`2026-03`), or one a year where there are too many months.

    `leads`: where a month (or year) and a layer lead; the layer is "" for all of them.
    """
    if len(months) > _MONTHS:
        months, layers = _by_year(months, layers)
    layers = [(name, counts) for name, counts in layers if any(counts)]
    totals = [sum(counts[place] for _, counts in layers) for place in range(len(months))]
    top = _round_up(max(totals, default=1))
    scale = (_HEIGHT - _BOTTOM - 10) / top
    step = (WIDTH - _LEFT) / max(len(months), 1)
    shapes, labels = [], []
    for tick in range(_TICKS + 1):
        value = top * tick // _TICKS
        y = _HEIGHT - _BOTTOM - value * scale
        shapes.append(Rectangle(_LEFT, y, WIDTH - _LEFT, 0.5, "rule", ""))
        labels.append(Label(_LEFT - 6, y + 4, f"{value:,}", "end"))
    for place, month in enumerate(months):
        y = float(_HEIGHT - _BOTTOM)
        for number, (name, counts) in enumerate(layers):
            height = counts[place] * scale
            y -= height
            if height:
                told_here = f"{month}, {name}: {counts[place]:,}"
                shapes.append(
                    Rectangle(
                        *(_LEFT + place * step + step * 0.1, y, step * 0.8, height),
                        f"tint{number}",
                        told_here,
                        leads(month, name),
                    )
                )
    every = -(-len(months) // 8)
    labels += [
        Label(_LEFT + (place + 0.5) * step, _HEIGHT - 8, month, "middle")
        for place, month in enumerate(months)
        if place % every == 0
    ]
    legend = tuple((f"tint{number}", name) for number, (name, _) in enumerate(layers))
    rows = [
        (month, *(f"{counts[place]:,}" for _, counts in layers), f"{totals[place]:,}")
        for place, month in enumerate(months)
    ]
    table = (("when", *(name for name, _ in layers), "all"), *rows)
    links = tuple(leads(month, "") for month in months)
    return Picture(title, told, _HEIGHT, tuple(shapes), tuple(labels), legend, table, links)


def bars(title: str, told: str, rows: Sequence[tuple[str, int]], links: Sequence[str] = ()) -> Picture:
    """Horizontal bars, each with its name before and its count behind it; `links`: where each leads."""
    top = max((number for _, number in rows), default=0) or 1
    scale = (WIDTH - _LABELS - 80) / top
    shapes, labels = [], []
    for place, (name, number) in enumerate(rows):
        y = place * _ROW + 4
        width = max(number * scale, 1)
        href = links[place] if links else ""
        shapes.append(Rectangle(_LABELS, y, width, _ROW - 8, "tint0", f"{name}: {number:,}", href))
        labels.append(Label(_LABELS - 8, y + 12, _short(name), "end"))
        labels.append(Label(_LABELS + width + 6, y + 12, f"{number:,}"))
    table = (("what", "how many"), *((name, f"{number:,}") for name, number in rows))
    return Picture(title, told, len(rows) * _ROW + 4, tuple(shapes), tuple(labels), (), table, tuple(links))


def spans(
    title: str, told: str, rows: Sequence[tuple[str, datetime, datetime, str]], links: Sequence[str] = ()
) -> Picture:
    """Horizontal bars from one time to another: (name, first, last, what the bar stands for); `links`: where
    each leads."""
    first, last = min(row[1] for row in rows), max(row[2] for row in rows)
    seconds = max((last - first).total_seconds(), 1.0)
    scale = (WIDTH - _LABELS - 10) / seconds
    shapes, labels = [], []
    for place, (name, begins, ends, stands_for) in enumerate(rows):
        y = place * _ROW + 4
        x = _LABELS + (begins - first).total_seconds() * scale
        width = max((ends - begins).total_seconds() * scale, 4)
        href = links[place] if links else ""
        shapes.append(Rectangle(min(x, WIDTH - 4), y, width, _ROW - 8, f"tint{place % 7}", stands_for, href))
        labels.append(Label(_LABELS - 8, y + 12, _short(name), "end"))
    bottom = len(rows) * _ROW + 4
    labels.append(Label(_LABELS, bottom + 14, f"{first:%Y-%m-%d}"))
    labels.append(Label(WIDTH, bottom + 14, f"{last:%Y-%m-%d}", "end"))
    table = (("what", "from", "to"), *((row[0], f"{row[1]:%Y-%m-%d}", f"{row[2]:%Y-%m-%d}") for row in rows))
    return Picture(title, told, bottom + 22, tuple(shapes), tuple(labels), (), table, tuple(links))


def _by_year(
    months: Sequence[str], layers: Sequence[tuple[str, Sequence[int]]]
) -> tuple[list[str], list[tuple[str, Sequence[int]]]]:
    years = sorted({month[:4] for month in months})
    summed: list[tuple[str, Sequence[int]]] = [
        (
            name,
            [
                sum(count for month, count in zip(months, counts, strict=True) if month.startswith(year))
                for year in years
            ],
        )
        for name, counts in layers
    ]
    return years, summed


def _round_up(number: int) -> int:
    """The next number of the form 4, 8, 12, 20, 40, 80, ... that four ticks divide into whole numbers."""
    size = 4
    while size < number:
        for factor in (2, 3, 5, 10):
            if size * factor >= number:
                return size * factor
        size *= 10
    return size


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
