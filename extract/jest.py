"""What was said in jest, or taken back in the next sentence, was neither decided nor promised: `Let's move to
the moon. Just kidding.`, `Postgres it is. Wait, no.`
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from extract.candidates import Candidate
from extract.categories import categorise
from extract.languages.lexicon import Sign, Tag
from extract.tokens import Kind
from schemas.unit import Category

_BINDING = frozenset({Category.DECISION, Category.ACTION_ITEM})
_SAYS_NO = Tag.REFUSAL | Tag.FILLER
_ENDS = re.compile(r"[\s*_]*(?:[.!…;\n]|$)")


def in_earnest(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates, those that a jest takes back as what is only supposed.

    A jest takes back the sentence it is in or comes after, and what was settled before it in its paragraph;
    a retraction or a bare `No.` takes back what the sentence before it settled.
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
        elif _retracts(candidate):
            last = _sentence_before(paragraph)
            paragraph = [
                _supposed(said) if last <= place < len(paragraph) - 1 and _binds(said) else said
                for place, said in enumerate(paragraph)
            ]
    yield from paragraph


def _retracts(candidate: Candidate) -> bool:
    """Whether the candidate opens a sentence that takes back the one before. A `No.` may also answer what the
    assistant asked."""
    if candidate.left is not None:
        return False
    if candidate.signs & Sign.RETRACTS:
        return True
    clause = candidate.clause
    refuses = any(tag & Tag.REFUSAL for tag in clause.tags)
    if not refuses or candidate.signs & (Sign.ASKED | Sign.MARKED_QUESTION):
        return False
    bare = all(
        tag & _SAYS_NO or token.kind > Kind.UNSPACED
        for token, tag in zip(clause.tokens, clause.tags, strict=True)
    )
    return bare and _ENDS.match(candidate.source, clause.tokens[-1].end) is not None


def _sentence_before(paragraph: list[Candidate]) -> int:
    """Where the sentence before that of the last candidate begins."""
    opens = [place for place, candidate in enumerate(paragraph) if candidate.left is None]
    return opens[-2] if len(opens) > 1 else 0


def _binds(candidate: Candidate) -> bool:
    return categorise(candidate.signs, candidate.speaker)[0] in _BINDING


def _supposed(candidate: Candidate) -> Candidate:
    return replace(candidate, signs=candidate.signs | Sign.SUPPOSED)
