"""Token counts, taken after the cut: they budget what is sent, and never move a boundary.

The embedder's count is exact and comes from the caller as a function: `inference` has it, and chunking, on
the same level, does not import it. The language model's is an estimate: no tokenizer of a current model can
be run offline.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from math import ceil
from typing import TypeAlias

from schemas.chunk import Chunk

CountTokens: TypeAlias = Callable[[str], int]
"""Tokens of a text, special tokens left out."""

# First character of a range, and tokens a character in it, up to the next row. Fitted by non-negative least
# squares to the last tokenizer Anthropic published (`tokenizer.json` in the anthropic 0.38 wheel) on half of
# 1,500-character pieces of prose, API documentation and Python code in English and of Django's translations
# into 28 languages; docs/chunking.md gives the error on the other half, language by language.
_WEIGHTS = (
    (0x00, 0.0),  # control characters and white space, which join the word that follows
    (0x21, 0.7),  # punctuation
    (0x30, 1.05),  # digits
    (0x3A, 0.7),
    (0x41, 0.26),  # Latin letters
    (0x5B, 0.7),
    (0x61, 0.26),
    (0x7B, 0.7),
    (0xA0, 0.8),
    (0xC0, 2.8),  # Latin letters with marks: they break words into pieces
    (0x250, 1.0),
    (0x370, 1.3),  # Greek
    (0x400, 0.65),  # Cyrillic
    (0x530, 1.7),  # Armenian
    (0x590, 1.15),  # Hebrew, Arabic
    (0x700, 1.7),  # scripts of India and South-East Asia
    (0x1100, 1.3),
    (0x1780, 1.7),
    (0x1E00, 2.8),  # Vietnamese
    (0x1F00, 1.3),
    (0x2000, 0.8),  # typographic marks, symbols
    (0x3040, 1.0),  # kana, Han
    (0xAC00, 1.3),  # Hangul
    (0xD7B0, 1.0),
)
_STARTS = [start for start, _ in _WEIGHTS]


@lru_cache(maxsize=4096)
def _weight(character: str) -> float:
    return _WEIGHTS[bisect_right(_STARTS, ord(character)) - 1][1]


def estimate_tokens(text: str) -> int:
    """Tokens that a language model would count, estimated by script. Linear; 0 for an empty text only.

    Within a tenth on English, code and most European languages, a quarter on the rest (docs/chunking.md).
    A newer tokenizer counts otherwise: leave a margin, or calibrate on the `usage` that the service reports.
    """
    return ceil(sum(count * _weight(character) for character, count in Counter(text).items()) or bool(text))


def token_counts(chunks: Iterable[Chunk], count: CountTokens = estimate_tokens) -> list[int]:
    """Tokens of each chunk's text, in order."""
    return [count(chunk.text) for chunk in chunks]
