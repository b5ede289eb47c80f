"""How much memory one record may take: a zip of a megabyte can unfold to one text, or list, of gigabytes."""

from __future__ import annotations

import json
import sys

RECORD_BYTES = 1 << 27
"""Bytes of memory that the text of one record (a conversation, a line, a row) may take: 134 million
characters of English, a quarter of that where an emoji stands among them. A message of 100 MB passes."""
VALUE_BYTES = 1 << 29
"""Bytes that the values of one record may take besides, by what its punctuation can come to."""
WEIGHED_FROM = 1 << 21
"""Characters; what is shorter takes too little to be weighed."""

_COSTS = (("{", 240), ("[", 64), (",", 64))
"""Bytes that CPython 3.11 takes for what one such character can begin: an object with one member, an empty
list, a number or short text with its place in a list. `[[],[],…` becomes 24 times its text."""

TOO_LONG = f"it is longer than {RECORD_BYTES >> 20} MiB"
TOO_MANY = f"its values take more than {VALUE_BYTES >> 20} MiB"


def width(text: str) -> int:
    """Bytes that each character of a long text takes in memory: 1, 2 or 4."""
    return max(1, sys.getsizeof(text) // max(1, len(text))) if len(text) > 1024 else 1


def holds_too_much(text: str, start: int = 0) -> bool:
    """Whether the values of the JSON text from `start` on could take more than VALUE_BYTES."""
    if len(text) - start < WEIGHED_FROM:
        return False
    return sum(cost * text.count(mark, start) for mark, cost in _COSTS) > VALUE_BYTES


def bounded_json(text: str | bytes) -> object:
    """The value of a JSON text that stands inside a record.

    Raises ValueError where it is none or takes too much memory, RecursionError where it is nested too deeply.
    """
    told = text.decode(errors="surrogateescape") if isinstance(text, bytes) else text
    if holds_too_much(told):
        raise ValueError(TOO_MANY)
    return json.loads(told)
