"""From an anchor to the words it points at: the model points, code quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

GAP = re.compile(r"\s*(?:…|\.\.\.)\s*")
"""What stands in an anchor for the words that it leaves out."""
_WORD = re.compile(r"\w+")
_CLOSERS = ".!?…。！？\"'”’»)]%"


def anchored_span(text: str, start: int, end: int, anchor: str) -> tuple[int, int] | None:
    """The part of `text[start:end]` that an anchor names, `first words … last words`; all of it for "".

    Of several that it may name, the shortest. Words are compared in lower case and without the marks between
    them, so Markdown and curly quotes do not matter. None where the words are not there, in this order: then
    nothing says what was meant.
    """
    if not anchor:
        return start, end
    parts = [part for part in GAP.split(anchor) if _WORD.search(part)]
    if not parts or len(parts) > 2:
        return None
    words = [
        (found.group().lower(), found.start(), found.end()) for found in _WORD.finditer(text, start, end)
    ]
    first, last = _places(words, parts[0]), _places(words, parts[-1])
    if not first:
        return _inside(text, start, end, parts)
    pairs = [(one, other) for one in first for other in last if one[1] <= other[0] or one == other]
    # a last word that is one of the first ones: `we could … could`
    pairs = pairs or [(one, other) for one in first for other in last if one[0] <= other[0]]
    if not pairs:
        return None
    opening, closing = min(pairs, key=lambda pair: pair[1][1] - pair[0][0])
    begin, stop = words[opening[0]][1], words[closing[1] - 1][2]
    while stop < end and text[stop] in _CLOSERS:
        stop += 1
    return begin, stop


def _places(words: Sequence[tuple[str, int, int]], part: str) -> list[tuple[int, int]]:
    """(first, behind the last) of every run of words that spells `part`, in order."""
    wanted = [found.group().lower() for found in _WORD.finditer(part)]
    return [
        (place, place + len(wanted))
        for place in range(len(words) - len(wanted) + 1)
        if all(words[place + step][0] == word for step, word in enumerate(wanted))
    ]


def _inside(text: str, start: int, end: int, parts: Sequence[str]) -> tuple[int, int] | None:
    """For scripts without spaces, where a run of letters is no word: the literal parts."""
    stop = text.find(parts[-1], text.find(parts[0], start, end), end) if parts[0] in text[start:end] else -1
    if stop < 0:
        return None
    return text.rfind(parts[0], start, stop + len(parts[0])), stop + len(parts[-1])
