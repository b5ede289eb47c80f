"""A model's line to a claim. What is not a claim says why."""

from __future__ import annotations

import re
from dataclasses import dataclass

from schemas.unit import Category

CATEGORIES: dict[str, Category] = {
    "D": Category.DECISION,
    "Q": Category.OPEN_QUESTION,
    "C": Category.CONSTRAINT,
    "F": Category.FACT,
    "I": Category.IDEA,
    "A": Category.ACTION_ITEM,
    "P": Category.PROVISIONAL,
}
"""The letters of the prompt."""

VERBATIM = "="
"""A note that is its sentence, or the part that the anchor marks, word for word: not paid twice."""

_NUMBERS = r"\d{1,7}(?:\s{0,2},\s{0,2}\d{1,7}){0,60}"
_LINE = re.compile(
    rf"\s*(?P<cited>{_NUMBERS})\s*(?:<\s*(?P<context>{_NUMBERS}))?\s*"
    r"\|\s*(?P<letter>[A-Z])\s*\|(?P<anchor>[^|]*)\|(?P<text>[^|]+)"
)
_LONGEST = 600


@dataclass(frozen=True, slots=True)
class Claim:
    """What a model claims a sentence says."""

    cited: tuple[int, ...]
    """Numbers of the sentences that say it, first the one that the anchor is in."""
    context: tuple[int, ...]
    category: Category
    anchor: str
    text: str


def read_claim(line: str) -> Claim | None:
    """The claim of one line; None where the line does not keep to the form."""
    found = _LINE.fullmatch(line) if len(line) <= _LONGEST else None
    if found is None or found["letter"] not in CATEGORIES:
        return None
    return Claim(
        _numbers(found["cited"]),
        _numbers(found["context"] or ""),
        CATEGORIES[found["letter"]],
        found["anchor"].strip(),
        " ".join(found["text"].split()),
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(number) for number in text.split(",") if number.strip()))
