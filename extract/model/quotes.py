"""From an anchor to the words it points at: the model points, code quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

_GAP = re.compile(r"\s*(?:…|\.\.\.)\s*")
_WORD = re.compile(r"\w+")
_CLOSERS = ".!?…。！？\"'”’»)]%"


def anchored_span(text: str, start: int, end: int, anchor: str) -> tuple[int, int] | None:
    """The part of `text[start:end]` that an anchor names, `first words … last words`; all of it for "".

    Words are compared in lower case and without the marks between them, so Markdown and curly quotes do not
    matter. None where the words are not there, in this order: then nothing says what was meant.
    """
    if not anchor:
        return start, end
    parts = [part for part in _GAP.split(anchor) if _WORD.search(part)]
    if not parts:
        return None
    words = [
        (found.group().lower(), found.start(), found.end()) for found in _WORD.finditer(text, start, end)
    ]
    first = _find(words, parts[0], 0)
    if first is None:
        return _inside(text, start, end, parts)
    last = (
        first if len(parts) == 1 else (_find(words, parts[-1], first[1]) or _find(words, parts[-1], first[0]))
    )
    if last is None or len(parts) > 2:
        return None
    begin, stop = words[first[0]][1], words[last[1] - 1][2]
    while stop < end and text[stop] in _CLOSERS:
        stop += 1
    return begin, stop


def _find(words: Sequence[tuple[str, int, int]], part: str, after: int) -> tuple[int, int] | None:
    """(first, last) of the run of words that spells `part`, at or behind `after`."""
    wanted = [found.group().lower() for found in _WORD.finditer(part)]
    for place in range(after, len(words) - len(wanted) + 1):
        if all(words[place + step][0] == word for step, word in enumerate(wanted)):
            return place, place + len(wanted)
    return None


def _inside(text: str, start: int, end: int, parts: Sequence[str]) -> tuple[int, int] | None:
    """For scripts without spaces, where a run of letters is no word: the literal parts."""
    begin = text.find(parts[0], start, end)
    if begin < 0:
        return None
    last = text.find(parts[-1], begin, end)
    return (begin, last + len(parts[-1])) if last >= 0 else None
