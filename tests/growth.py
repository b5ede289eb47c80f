"""How the work on a text grows with it: one long text against a short one of the same shape.

Nothing is held to a time. A step that is linear takes `PARTS` times as long for the one as for the other, a
quadratic one `PARTS` times `PARTS`; what is compared is processor time, the least unequal of several tries,
against a limit far from both.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from itertools import count

PARTS = 12
_LIMIT = 4.0
"""Times as long for the long text as `PARTS` short ones would take."""
_TRIES = 4
_SHORT = 0.02
"""Seconds of the long text below which nothing is compared: clocks are too coarse."""

Work = Callable[[str], object]
Shape = Callable[[int], str]
"""A number of characters to a text of about as many."""

_fresh = count()


def grows_linearly(work: Work, shape: Shape, size: int) -> bool:
    """Whether the work on a text of `size` characters grows with its length and no faster."""
    for _ in range(_TRIES):
        # the long one first: what is made at the first call is not to make the short one look slow
        whole = _seconds(work, shape(size))
        if whole < _SHORT or whole < _LIMIT * PARTS * _part_seconds(work, shape(size // PARTS)):
            return True
    return False


def _part_seconds(work: Work, text: str) -> float:
    return min(_seconds(work, text) for _ in range(2))


def too_fast(work: Work, size: int, shapes: dict[str, Shape] | None = None) -> list[str]:
    """The shapes on which the work grows faster than the text."""
    return [name for name, shape in (shapes or SHAPES).items() if not grows_linearly(work, shape, size)]


def _seconds(work: Work, text: str) -> float:
    # no text comes twice, or a cache would answer for the work; and collecting garbage is no part of it
    fresh = f"{text}\n{next(_fresh)}"
    collecting = gc.isenabled()
    gc.disable()
    try:
        began = time.process_time()
        work(fresh)
        return time.process_time() - began
    finally:
        if collecting:
            gc.enable()


def repeated(unit: str) -> Shape:
    """A unit again and again."""
    return lambda size: unit * max(1, size // len(unit))


def counted(unit: str) -> Shape:
    """A unit again and again, each time with another number in it."""
    return lambda size: "".join(unit.format(10_000 + place) for place in range(size // (len(unit) + 3)))


def in_turn(*units: str) -> Shape:
    """A run of the first unit, then one of the next."""
    return lambda size: "".join(unit * max(1, size // len(units) // len(unit)) for unit in units)


def stairs(unit: str, end: str) -> Shape:
    """Lines that begin with one unit more than the line before."""

    def shape(size: int) -> str:
        return "\n".join(unit * depth + end for depth in range(int((2 * size / len(unit)) ** 0.5)))

    return shape


_CHARACTERS = ".,;:!?…-_*`~#>|([{<\"'“«「’/\\=@$&%、，。！日一٣éaA1 \t\n\u3000\xa0\x00"
_UNITS = (
    *("12, ", "3.14 ", "1.2.3.", "**", "```", "---", "u.s.", "a.b", "x@y.z", "https://", "<think", "日本語"),
    *("\r\n", "\n\n", "word ", "12 km, ", "a: ", "- ", "1. ", "> ", "| ", "# ", "I am ", "you just ", "i  "),
    *("e.g. Mr. A. ", "- item\n", "# a\n", "a | b\n", "[x]: y\n", "I go. ", "“Yes,” he said. ", "ok\n"),
    *("`a` [b](c) ", "```\na\n```\n", "Dear Bob,\n\n", "**a**lice Bob. ", "Maybe at 12, not before. "),
    *("1234 5678 ", "- a\n  - b\n    - c\n"),
)

SHAPES: dict[str, Shape] = {
    **{repr(unit): repeated(unit) for unit in (*_CHARACTERS, *_UNITS)},
    "words, then a list": in_turn("word ", "\n\n", "- a b c d e\n"),
    "dots, then words": in_turn(".", "x "),
    "marks, then a pipe": in_turn("!", "|-"),
    "blanks, then words": in_turn("i ", "\u3000", "a. "),
    "brackets that close": in_turn("(", ")"),
    "quotes that close": in_turn("“", "”"),
    "stairs of quotes": stairs("> ", "a"),
    "stairs of lists": stairs("  ", "- a"),
    "stairs of ticks": stairs("`", "\na"),
    "a wide table": in_turn("|a", "|\n", "|-", "|\n", "|x\n"),
    "a quoted table": in_turn("> |a", "|b", "\n> |-", "|-", "\n> |x", "|x"),
}
