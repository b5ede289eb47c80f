"""How many words a text has, for the rule that a unit has at most fifteen; numbers with their nouns.

Words are what whitespace separates. Scripts that write no spaces (Han, kana, Hangul is not one of them,
Thai, Lao, Khmer, Burmese) are counted by characters: two characters are one word, rounded up, which is
close to the mean word length of Japanese and Chinese newspaper text; so thirty such characters fill a unit.
"""

from __future__ import annotations

import math
import re

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
"""The characters, as a regular-expression class body, of scripts that do not separate words by spaces."""

CHARACTERS_PER_WORD = 2

_UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")


def amount(count: int, one: str, several: str = "") -> str:
    """`1 note`, `2 notes`, `1,178 notes`; `several` where the plural has more than an s."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3 h 20 min`, `2 days 4 h`: two units at most, rounded up to the smaller one."""
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    minutes = math.ceil(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{amount(days, 'day')} {hours} h" if hours else amount(days, "day")


def count_words(text: str) -> int:
    """Words of a text: whitespace-separated runs, where the unspaced characters of a run count two to a
    word."""
    if not _UNSPACED_CHARACTER.search(text):
        return len(text.split())
    count = 0
    for run in text.split():
        rest, unspaced = _UNSPACED_CHARACTER.subn("", run)
        count += -(-unspaced // CHARACTERS_PER_WORD)
        if rest and (not unspaced or any(character.isalnum() for character in rest)):
            count += 1
    return count
