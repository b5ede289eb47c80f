"""What a sentence settles, as far as its form and its category say.

Two sentences that differ in that do not say the same: "I'll accept if they raise it" has the words of "I've
accepted" and says less, "I will not move" has those of "I will move".
"""

from __future__ import annotations

from functools import lru_cache

from chunking.closed_classes import CONDITIONALS, hedges, negates
from schemas.unit import Category

_CONSIDERED = (Category.IDEA, Category.PROVISIONAL)

Settledness = tuple[bool, bool, bool, bool, bool]
"""Whether a sentence denies, doubts, holds on a condition, asks, and is only considered."""


@lru_cache(maxsize=4096)
def settledness(text: str, category: Category | None = None) -> Settledness:
    """What a sentence settles; its category is the reader's word on it, where there is one."""
    return (
        negates(text),
        hedges(text),
        CONDITIONALS.search(text) is not None,
        category is Category.OPEN_QUESTION or text.rstrip().endswith(("?", "？")),
        category in _CONSIDERED,
    )
