"""What was said in jest was neither decided nor promised: `Let's move to the moon. Just kidding.`"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from extract.candidates import Candidate
from extract.categories import categorise
from extract.languages.lexicon import Sign
from schemas.unit import Category

_BINDING = frozenset({Category.DECISION, Category.ACTION_ITEM})


def in_earnest(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates, those that a jest takes back as what is only supposed.

    A jest takes back the sentence it is in or comes after, and what was settled before it in its paragraph.
    """
    paragraph: list[Candidate] = []
    for candidate in candidates:
        if paragraph and candidate.block is not paragraph[-1].block:
            yield from paragraph
            paragraph = []
        paragraph.append(candidate)
        if candidate.signs & Sign.JEST:
            last = _sentence_before(paragraph)
            paragraph = [
                _supposed(said) if place >= last or _binds(said) else said
                for place, said in enumerate(paragraph)
            ]
    yield from paragraph


def _sentence_before(paragraph: list[Candidate]) -> int:
    """Where the sentence before that of the last candidate begins."""
    opens = [place for place, candidate in enumerate(paragraph) if candidate.left is None]
    return opens[-2] if len(opens) > 1 else 0


def _binds(candidate: Candidate) -> bool:
    return categorise(candidate.signs, candidate.speaker)[0] in _BINDING


def _supposed(candidate: Candidate) -> Candidate:
    return replace(candidate, signs=candidate.signs | Sign.SUPPOSED)
