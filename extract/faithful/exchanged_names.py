"""Names in the place of others: a note's `Inês` where its sentence has `Helena`.

A name is a word with a capital inside a sentence, or one that has it elsewhere in what was said. German
writes every noun so; there nothing can be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chunking.language import shared, words_of
from chunking.stop_words import STOP_WORDS
from chunking.values import is_of_calendar

_CAPITAL = re.compile(r"(?<![\w'’])[A-ZÀ-ÖØ-Þ][^\W\d_]{2,}")
_INSIDE = re.compile(r"(?<=[^\W\d_] )[A-ZÀ-ÖØ-Þ][^\W\d_]{2,}")
_ROLES = frozenset(("user", "assistant"))


def another_name(text: str, quote: str, cited: str, heard: str, languages: tuple[str, ...]) -> bool:
    """Whether a note has a name that its quote lacks, and lacks one of the quote's.

    What else is cited may lend a name, but not to the place of another: behind the same word.
    """
    if languages[0] == "de":
        return False
    known = frozenset(_INSIDE.findall(f"{heard}\n{cited}"))
    own, there = dict(_named(text, known)), dict(_named(quote, known))
    # both ways: `Westpac's` and `Westpac`, `Spanish` and `Spain`
    lost = [name for name in there if not _has(text, name)]
    new = [name for name in own if not _has(quote, name)]
    return any(
        not _has(cited, name) or (own[name] and any(own[name] == there[other] for other in lost))
        for name in new
        if lost
    )


def _named(text: str, known: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The names of a text, each with the word before it in small letters."""
    for found in _CAPITAL.finditer(text):
        name = found.group()
        if name.lower() in STOP_WORDS | _ROLES or is_of_calendar(name):
            continue
        if name in known or _INSIDE.match(text, found.start()):
            before = words_of(text[: found.start()])
            yield name, before[-1] if before else ""


def _has(text: str, name: str) -> bool:
    low = name.lower()
    return low in text.lower() or bool(shared(frozenset({low}), frozenset(words_of(text))))
