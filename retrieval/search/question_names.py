"""Names and numbers in a question: what must survive however the question is put."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_][\w'’&.-]*[^\W_]|[^\W_]")
_BEGINS = frozenset(".!?:\n…*")
_PRONOUN = re.compile(r"I(?:['’]\w+)?")
_NUMBER = re.compile(r"\S{0,20}\d\S{0,40}")


def names_of(text: str) -> list[str]:
    """Words that are written as names are: capitals inside a sentence, or nothing but capitals."""
    found = []
    for word in _WORD.finditer(text):
        before = text[max(word.start() - 40, 0) : word.start()].rstrip(" \"'“‘(-—")
        begins = not before or before[-1] in _BEGINS
        spelled = len(word[0]) > 1 and word[0].isupper()
        if spelled or (word[0][0].isupper() and not begins and not _PRONOUN.fullmatch(word[0])):
            found.append(word[0])
    return found


def numbers_of(text: str) -> list[str]:
    """Everything with a digit in it, with its unit and sign where they are written together."""
    return [found[0].strip(".,;:!?()[]\"'") for found in _NUMBER.finditer(text)]
