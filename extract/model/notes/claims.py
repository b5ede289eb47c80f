"""A model's line to a claim, read as forgivingly as it can be in one way only."""

from __future__ import annotations

import re
from dataclasses import dataclass

from extract.model.notes.quotes import GAP
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
_NAMED = {
    **{letter.lower(): category for letter, category in CATEGORIES.items()},
    **{word: category for category in Category for word in category.value.split("_")},
    **{category.value: category for category in Category},
}
"""Categories by letter, by name, and by a word of their name."""

VERBATIM = "="
"""A note that is its sentence, or the part that the anchor marks, word for word: not paid twice."""

_NUMBERS = r"\d{1,7}(?:\s{0,2}(?:[,;&]|-|–|—|\.\.|to)\s{0,2}\d{1,7}){0,80}"
_MARK = re.compile(r"\s*(?:(?:[-*+•>]|\d{1,3}[.)](?=\s+\W?\d))\s+)?")
"""The mark of a list before a line; that of a numbered one only where a number follows."""
_CITED = re.compile(rf"\W{{0,3}}(?P<cited>{_NUMBERS})\W?\s*(?:<\s*\W?(?P<context>{_NUMBERS}))?[\s\])]*")
_RANGE = re.compile(r"(\d+)\s*(?:-|–|—|\.\.|to)\s*(\d+)")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
LONGEST = 600
"""Characters of a line: a longer one is no note."""
_WIDEST = 40
"""Sentences of a range: a wider one names none."""


@dataclass(frozen=True, slots=True)
class ModelClaim:
    """What a model claims a sentence says."""

    cited: tuple[int, ...]
    """Numbers of the sentences that say it, first the one that the anchor is in."""
    context: tuple[int, ...]
    category: Category
    anchor: str
    text: str


def read_claim(line: str) -> ModelClaim | None:
    """The claim of one line; None where the line cannot be read.

    Besides the prompt's form: a mark of a list before it, a bar behind it or in its text, ranges of numbers,
    a category in small letters or by its name, and no anchor (three fields).
    """
    fields = fields_of(line)
    if len(line) > LONGEST or len(fields) < 3:
        return None
    found = _CITED.fullmatch(fields[0])
    category = _NAMED.get("_".join(_EDGES.sub("", fields[1]).lower().split()))
    cited = numbers_of(found["cited"]) if found else ()
    if found is None or category is None or not cited:
        return None
    anchor, text = (fields[2], " | ".join(fields[3:])) if len(fields) > 3 else ("", fields[2])
    if len(fields) == 3 and GAP.search(text):
        anchor, text = text, VERBATIM
    text = " ".join(text.split())
    return ModelClaim(cited, numbers_of(found["context"] or ""), category, anchor, text) if text else None


def fields_of(line: str) -> list[str]:
    """The fields of a line, without the mark of a list before it and empty ones behind it."""
    return [field.strip() for field in _MARK.sub("", line, count=1).strip().strip("|").split("|")]


def numbers_of(text: str) -> tuple[int, ...]:
    """The numbers of a field, each once, in order; `2-4` is 2, 3 and 4. None of a range that is too wide."""
    found: list[int] = []
    spread = _RANGE.sub(lambda one: ",".join(_spread(int(one[1]), int(one[2]))), text)
    found.extend(int(number) for number in re.findall(r"\d+", spread))
    return tuple(dict.fromkeys(found))


def head_of(line: str) -> tuple[int, ...]:
    """The numbers that a line begins with, be it readable otherwise or not."""
    found = _CITED.match(fields_of(line)[0])
    return numbers_of(found["cited"]) if found else ()


def joined(items: object) -> object:
    """The lines of an answer: what should be a line and came as a list or an object has its fields joined."""
    return [_line(item) for item in items] if isinstance(items, list) else items


def numbers_in(items: object) -> object:
    """The numbers of a list of them, of ranges (`"2-4"`) too."""
    return (
        [number for item in items for number in numbers_of(str(item))] if isinstance(items, list) else items
    )


def _line(item: object) -> str:
    if isinstance(item, dict):
        item = list(item.values())
    if isinstance(item, list):
        return "|".join(",".join(map(str, one)) if isinstance(one, list) else str(one) for one in item)
    return str(item)


def _spread(first: int, last: int) -> list[str]:
    return [str(one) for one in range(first, last + 1)] if first <= last < first + _WIDEST else []
