"""Lines that name what stands below or behind them: bold titles and labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.blocks import Block, Flat, Shape
from extract.clauses import split_clauses
from extract.languages.lexicon import Language, Sign
from extract.signs import signs_of
from extract.tokens import Kind, Token

BOLD = re.compile(r"^\s*(?:\*\*|__)(?P<words>[^*_\n]+)(?:\*\*|__)(?P<after>\s*:?)")
_NO_FLAT = Flat("", (0,), (0,))
_LABEL_WORDS = 6


def is_title(text: str) -> bool:
    """Whether a line is all bold and no sentence: a heading in all but its mark."""
    found = BOLD.match(text)
    return (
        bool(found)
        and found is not None
        and not text[found.end() :].strip()
        and not text.rstrip("*_ ").endswith((".", "!", "?"))
    )


def is_label(text: str, sentence: Sequence[Token], language: Language) -> bool:
    """Whether a sentence is a bold run of a few words without a verb, before further sentences."""
    found = BOLD.match(text)
    if found is None or sentence[-1].end > found.end() + 1 or len(sentence) > _LABEL_WORDS + 3:
        return False
    if sum(token.kind <= Kind.UNSPACED for token in sentence) == 1:
        return True
    clauses = split_clauses(sentence, language)
    block = Block(Shape.PARAGRAPH, _NO_FLAT)
    return all(
        not clause.finite and not signs_of(clause, language, block, text) & Sign.IMPERATIVE
        for clause in clauses
    )


def bold_label(text: str, sentence: list[Token]) -> tuple[list[Token], list[Token]] | None:
    """(label, rest) of a sentence whose first words are bold up to a colon; None of any other."""
    found = BOLD.match(text)
    if found is None or sentence[0].start >= found.end():
        return None
    if not found["after"].strip() and not found["words"].rstrip().endswith(":"):
        return None
    label = [t for t in sentence if t.end <= found.end("words") and t.kind is not Kind.MARK and t.low != ":"]
    rest = [token for token in sentence if token.start >= found.end() and token.kind is not Kind.MARK]
    return (label, rest) if label and rest and len(label) <= _BOLD_TOKENS else None


_BOLD_TOKENS = 12
