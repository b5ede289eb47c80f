"""The languages, and how a text's language is told."""

from __future__ import annotations

from collections.abc import Sequence

from extract.languages.english import ENGLISH
from extract.languages.lexicon import Language
from extract.tokens import Kind, Token

LANGUAGES: tuple[Language, ...] = (ENGLISH,)


def detect(tokens: Sequence[Token], fallback: Language) -> Language:
    """The language whose common words the tokens have most of; `fallback` when two tie or none shows."""
    counts = [0] * len(LANGUAGES)
    for token in tokens:
        if token.kind is Kind.WORD:
            for index, language in enumerate(LANGUAGES):
                counts[index] += token.low in language.typical
    best = max(counts)
    if best == 0 or counts.count(best) > 1:
        return fallback
    return LANGUAGES[counts.index(best)]
