"""A word in the place of its opposite: `include` for `exclude`, `raises` for `lowers`.

Opposites are known by form (prefixes and endings that turn a word round) and by the two poles of one
dimension, more and less. Opposites that neither shows, such as `buy` and `sell`, are out of reach.
"""

from __future__ import annotations

from functools import cache

from chunking.language import shared, stem, words_of
from extract.faithful.clauses import clauses, denies

_TURNED = (
    ("in", "ex"), ("im", "ex"), ("in", "de"), ("in", "out"), ("en", "dis"), ("a", "de"), ("up", "down"),
    ("over", "under"), ("pre", "post"), ("pro", "anti"), ("inter", "exter"), ("", "un"), ("", "dis"),
    ("", "in"), ("", "im"), ("", "ir"), ("", "il"), ("", "non"),
)  # fmt: skip
"""Beginnings that turn each other round before the same rest."""
_REST = 4
"""Letters of the rest at least."""
_POLES = {
    "en": (
        "raise rise rose risen increase grow grew high higher more above maximum most longer gain faster",
        "lower reduce decrease fall fell fallen drop shrink shrank less fewer below minimum least shorter "
        "loss slower",
    ),
    "de": (
        "steigen stieg gestiegen erhöhen mehr höher über",
        "sinken sank gesunken senken weniger niedriger unter",
    ),
    "es": ("subir sube aumentar mayor más", "bajar baja reducir disminuir menor menos"),
    "fr": ("augmenter monter hausse supérieur plus", "baisser diminuer réduire inférieur moins"),
}
"""Words of more and of less."""


def turned_round(text: str, quote: str, languages: tuple[str, ...]) -> str:
    """The word of a text that is the opposite of one in the clause that it tells, or "".

    Words that both have are no such pair, and a denial beside one of them turns it back.
    """
    said, told = set(words_of(quote)), set(words_of(text))
    for part in clauses(text, languages):
        own = set(words_of(part.text)) - said
        for clause in clauses(quote, languages) if own else ():
            others = set(words_of(clause.text)) - told
            if not shared(part.stems, clause.stems):
                continue
            if denies(part.text, languages) != denies(clause.text, languages):
                continue
            for word in sorted(own):
                if any(_opposed(word, other, languages[0]) for other in others):
                    return word
    return ""


def _opposed(one: str, other: str, language: str) -> bool:
    """Whether two words are of opposite poles, or turn round the same word."""
    stems = stem(one, language), stem(other, language)
    more, less = _pole(language, 0), _pole(language, 1)
    across = (stems[0] in more and stems[1] in less) or (stems[0] in less and stems[1] in more)
    return across or any(
        _turn(*pair) or _ends_apart(*words)
        for pair, words in ((stems, (one, other)), (stems[::-1], (other, one)))
    )


@cache
def _pole(language: str, which: int) -> frozenset[str]:
    return frozenset(stem(word, language) for word in _POLES.get(language, ("", ""))[which].split())


def _turn(one: str, other: str) -> bool:
    return any(
        one.startswith(first)
        and other.startswith(second)
        and len(one) - len(first) >= _REST
        and one[len(first) :] == other[len(second) :]
        for first, second in _TURNED
    )


def _ends_apart(one: str, other: str) -> bool:
    """`careful` and `careless`."""
    return one.endswith("ful") and other.endswith("less") and one[:-3] == other[:-4]
