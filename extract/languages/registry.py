"""The languages, and how a text's language is told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.languages.english import ENGLISH
from extract.languages.french import FRENCH
from extract.languages.german import GERMAN
from extract.languages.lexicon import Language
from extract.languages.spanish import SPANISH
from extract.languages.unspaced import CHINESE, JAPANESE, OTHER
from extract.tokens import Kind, Token
from extract.wordlists import words

SPACED: tuple[Language, ...] = (ENGLISH, SPANISH, GERMAN, FRENCH)
"""Languages told apart by their common words."""
LANGUAGES: tuple[Language, ...] = (*SPACED, JAPANESE, CHINESE, OTHER)
DEFAULT = ENGLISH
BY_CODE = {language.code: language for language in LANGUAGES}

_KANA = re.compile(r"[\u3040-\u30ff]")
_LATIN = re.compile(r"[a-zà-ɏ]")
_ASCII = re.compile(r"[a-z]")
_KNOWN_BY: dict[str, tuple[int, ...]] = {}
_HOMOGRAPHS = frozenset(
    words(
        """
a am an also as at bad band bin com come con dame den des dice die do du en era est fast fin gift he her
hat hell in is kind la las los mal man me mode no not nun on once or pain pan per pour rat red sale sans
sin so son sang ten tier ton tours tu un us van war was wars wind art bald rot rock links must mine tag
main son plus dance
"""
    )
)
"""Words that are English as well: a language is not told by them, unless it is English."""
for _index, _language in enumerate(SPACED):
    for _word in _language.typical if _language is ENGLISH else _language.typical - _HOMOGRAPHS:
        _KNOWN_BY[_word] = (*_KNOWN_BY.get(_word, ()), _index)
_ELSEWHERE = (
    frozenset(
        words(
            """
og jeg ikke ikkje det på å som til har hva hvor skal vil deg meg oss ble blev også eller fra vært hadde denne
och jag inte att är för från också mycket skulle vara hur vad när
ik het een niet zijn voor naar maar ook wij jij heeft hebben wordt deze waar omdat
che sono della delle degli questo questa anche perché più stato essere molto abbiamo cosa
não uma você são isso também muito então fazer estou tenho foi obrigado
nie się jest że tak ale czy jak
"""
        )
    )
    - _KNOWN_BY.keys()
    - _HOMOGRAPHS
)
"""Common words of languages that are written in Latin letters and not taken apart here: Norwegian, Danish,
Swedish, Dutch, Italian, Portuguese, Polish. Without them `i` in `i sjøen` would be the English speaker."""
_LETTERS_ELSEWHERE = re.compile(r"[æøåłżśąęãõ]")
_ELIDED = frozenset("jldcnsmt")
"""Letters before an apostrophe that show French: j'appelle, l'idée."""
_FRENCH = SPACED.index(FRENCH)
_ENOUGH = 12
"""Words without a single common word of any language that show a language we do not know."""


def detect(tokens: Sequence[Token], fallback: Language) -> Language:
    """The language of a stretch of tokens.

    By script where that settles it; else the language that most of the tokens' common words belong to;
    `fallback` (the language of what stands around) when two tie or none shows.
    """
    counts = [0] * len(SPACED)
    unspaced = latin = other = elsewhere = 0
    for token in tokens:
        if token.kind is Kind.WORD:
            for index in _KNOWN_BY.get(token.low, ()):
                counts[index] += 1
            elsewhere += token.low in _ELSEWHERE or bool(_LETTERS_ELSEWHERE.search(token.low))
            if token.low[1:2] == "'" and token.low[0] in _ELIDED:
                counts[_FRENCH] += 1
            if _ASCII.match(token.low) or _LATIN.match(token.low):
                latin += 1
            else:
                other += 1
        elif token.kind is Kind.UNSPACED:
            unspaced += token.end - token.start
    if unspaced > 2 * (latin + other):
        runs = "".join(token.low for token in tokens if token.kind is Kind.UNSPACED)
        if _KANA.search(runs):
            return JAPANESE
        return CHINESE if "\u3400" <= runs[0] <= "\u9fff" else OTHER
    if other > latin:
        return OTHER
    best = max(counts)
    if elsewhere and elsewhere >= best:
        return OTHER
    if best == 0:
        return OTHER if latin >= _ENOUGH else fallback
    if counts.count(best) > 1:
        tied = [language for language, count in zip(SPACED, counts, strict=True) if count == best]
        return fallback if fallback in tied else tied[0]
    return SPACED[counts.index(best)]
