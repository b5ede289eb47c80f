"""Token counts, taken after the cut: they budget what is sent, and never move a boundary.

The embedder's count is exact and comes from the caller as a function: `inference` has it, and chunking, on
the same level, does not import it. The language model's is an estimate: no tokenizer of a current model can
be run offline.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeAlias

from schemas.chunk import Chunk

CountTokens: TypeAlias = Callable[[str], int]
"""Tokens of a text, special tokens left out."""

# First character of a range, and tokens a character in it, up to the next row. Fitted by least squares to the
# last tokenizer that Anthropic published, on prose, Python code and 28 languages:
# `benchmarks/calibration/chunk_calibration.py tokens` prints the fit, docs/chunking.md tells where the texts
# come from.
_WEIGHTS = (
    (0x00, 0.0),  # control characters and blanks, which join the word that follows
    (0x0A, 0.4),  # line end
    (0x0B, 0.0),
    (0x21, 0.63),  # punctuation
    (0x30, 1.1),  # digits
    (0x3A, 0.63),
    (0x41, 0.26),  # Latin letters
    (0x5B, 0.63),
    (0x61, 0.26),
    (0x7B, 0.63),
    (0x7F, 2.0),  # what is rare
    (0xAA, 2.75),  # Latin letters with marks: they break words into pieces
    (0x250, 2.0),
    (0x370, 1.3),  # Greek
    (0x400, 0.62),  # Cyrillic
    (0x530, 1.8),  # Armenian
    (0x590, 1.15),  # Hebrew, Arabic
    (0x700, 1.8),  # Georgian, scripts of India and South-East Asia
    (0x1100, 2.0),
    (0x1780, 1.8),
    (0x1800, 2.0),
    (0x1E00, 2.75),  # Vietnamese
    (0x1F00, 1.3),  # Greek
    (0x2000, 2.0),  # typographic marks, symbols
    (0x3040, 0.9),  # kana, Han
    (0xAC00, 1.3),  # Hangul
    (0xD7B0, 2.0),  # emoji, what is rare
)
_STARTS = [start for start, _ in _WEIGHTS]


def _hundredths(character: str) -> int:
    return round(100 * _WEIGHTS[bisect_right(_STARTS, ord(character)) - 1][1])


_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_ASCII = {
    weight: bytes(code for code in range(0x80) if _hundredths(chr(code)) == weight)
    for weight in {_hundredths(chr(code)) for code in range(0x80)} - {0}
}
"""By weight in hundredths of a token, the characters that have it."""

_rare = lru_cache(maxsize=4096)(_hundredths)


def estimate_tokens(text: str) -> int:
    """Tokens that a language model would count, estimated by script. Linear; 0 for an empty text only.

    Within a tenth on English, code and most European languages, a quarter on the rest (docs/chunking.md).
    A newer tokenizer counts otherwise: leave a margin, or calibrate on the `usage` that the service reports.
    It is counted in whole hundredths, so two texts never take less together than the one that they make.
    """
    plain = text.encode("ascii", "ignore")
    total = sum(
        weight * (len(plain) - len(plain.translate(None, delete=having))) for weight, having in _ASCII.items()
    )
    if len(plain) < len(text):
        rare = Counter("".join(_BEYOND_ASCII.findall(text)))
        total += sum(count * _rare(character) for character, count in rare.items())
    return -(-total // 100) or int(bool(text))


def token_counts(chunks: Iterable[Chunk], count: CountTokens = estimate_tokens) -> list[int]:
    """Tokens of each chunk's text, in order."""
    return [count(chunk.text) for chunk in chunks]
