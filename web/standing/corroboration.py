"""Whether two texts of the web say the same thing.

Near in meaning is not enough: results of one search all are on one subject. So the numbers of the one that
has fewer have to stand in the other, and either both negate something or neither does. What cannot be told
apart from a contradiction corroborates nothing: a wrong `single` costs weight, a wrong `corroborated`
lends it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from chunking.closed_classes import negates

SAME_NUMBERS, SAME_WORDS = 0.7, 0.8
"""Cosine from which two texts may say the same: where they share numbers, and where neither has any.
`tests/web/test_standing.py` has the cases on either side."""

LEAST_WORDS = 5
"""Shorter texts are titles: they say nothing that could be confirmed."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def corroborating(
    texts: Sequence[str], owners: Sequence[str], vectors: npt.NDArray[np.float32]
) -> list[bool]:
    """Of each text, whether one of another owner says it too; `vectors` (texts, dimension) of unit length."""
    said_by_another = [False] * len(texts)
    near = vectors @ vectors.T if len(texts) else np.zeros((0, 0), np.float32)
    for one, other in combinations(range(len(texts)), 2):
        if owners[one] == owners[other] or near[one, other] < SAME_NUMBERS:
            continue
        if says_the_same(texts[one], texts[other], float(near[one, other])):
            said_by_another[one] = said_by_another[other] = True
    return said_by_another


def says_the_same(one: str, other: str, cosine: float) -> bool:
    """Whether two texts are near enough for what they are, and their numbers and negations agree."""
    if min(len(one.split()), len(other.split())) < LEAST_WORDS:
        return False
    fewer, more = sorted((_numbers(one), _numbers(other)), key=len)
    if not fewer <= more or (more and not fewer):
        return False
    if cosine < (SAME_NUMBERS if fewer else SAME_WORDS):
        return False
    return negates(one) == negates(other)


def _numbers(text: str) -> frozenset[str]:
    """Numbers without separators of thousands: `1,240.50` and `1240.5` are one."""
    return frozenset(_plain(found[0]) for found in _NUMBER.finditer(text))


def _plain(number: str) -> str:
    whole, dot, part = number.replace(",", "").partition(".")
    part = part.rstrip("0")
    return f"{whole.lstrip('0') or '0'}.{part}" if dot and part else whole.lstrip("0") or "0"
