"""Which language a text is in, where its sentences end, and which of its words carry content.

Languages are told by py3langid, sentences end where nupunkt says, words are stemmed by Snowball.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from chunking.stop_words import STOP_WORDS
from schemas.deferred import deferred
from schemas.words import UNSPACED

if TYPE_CHECKING:
    import nupunkt
    import snowballstemmer
    from nupunkt import PunktSentenceTokenizer
    from py3langid import langid
else:
    langid = deferred("py3langid.langid")
    nupunkt = deferred("nupunkt")
    snowballstemmer = deferred("snowballstemmer")


ENGLISH = "en"

_KNOWN = [
    "en",
    "de",
    "fr",
    "es",
    "it",
    "pt",
    "nl",
    "da",
    "no",
    "sv",
    "fi",
    "pl",
    "cs",
    "ru",
    "uk",
    "tr",
    "ja",
    "zh",
    "ko",
    "ar",
    "hi",
]
"""Languages told apart. More of them make short texts less certain."""

_LEAST_LETTERS = 24
"""Letters from which on a text's language can be told; shorter ones take that of what stands around."""

_SHOWN = 4_000
"""Characters that a language is told from."""

_STEMMERS = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "da": "danish", "no": "norwegian", "sv": "swedish", "fi": "finnish", "ru": "russian",
}  # fmt: skip

_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(
    rf"[{UNSPACED}]+|\d+(?:[.,:/]\d+)*|[^\W\d_{UNSPACED}](?:[^\W_{UNSPACED}]|['’](?=[^\W\d_]))*"
)
_IN_UNSPACED = re.compile(f"[{UNSPACED}]")
_UNSPACED_STOP = re.compile(r"[。！？｡]+[」』）]?")
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s|$)")
_OPTION = re.compile(r"(?<=[a-z,] )[A-Z]\.(?=\s+[A-Z])")
"""`let's go with B. Thanks`: a letter that no name stands before is an option, not an initial."""
_LINE = re.compile(r"[^\r\n]+")


@lru_cache(maxsize=1)
def _identifier() -> Any:
    langid.set_languages(_KNOWN)
    return langid


@lru_cache(maxsize=1)
def _segmenter() -> PunktSentenceTokenizer:
    return nupunkt.load_default_model()


def language_of(text: str, around: str = ENGLISH) -> str:
    """The ISO 639-1 code of a text's language; `around` where it is too short to tell."""
    shown = text[:_SHOWN]
    if len(_LETTER.findall(shown)) < _LEAST_LETTERS:
        return around
    return _told_of(shown)


@lru_cache(maxsize=2048)
def _told_of(text: str) -> str:
    # every criterion of the gate asks again of the same note
    return str(_identifier().classify(text)[0])


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """(start, end) of the sentences of `text[start:end]`, blanks left out; a line break always ends one."""
    for line in _LINE.finditer(text, start, len(text) if end is None else end):
        begun = line.start()
        for stop in _stops(line.group()):
            yield from _trimmed(text, begun, line.start() + stop)
            begun = line.start() + stop
        yield from _trimmed(text, begun, line.end())


def _stops(line: str) -> list[int]:
    """Offsets after the sentences of one line, the last left out."""
    found = {match.end() for match in _UNSPACED_STOP.finditer(line)}
    marks = {match.end(): match.group() for match in _STOP.finditer(line)}
    found |= {end for end, mark in marks.items() if mark[0] in "!?"}
    if any(mark[0] not in "!?" and end < len(line) for end, mark in marks.items()):
        found |= {end for _, end in _segmenter().span_tokenize(line)}
        found |= {match.end() for match in _OPTION.finditer(line)}
    return sorted(end for end in found if end < len(line))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    end -= len(part) - len(part.rstrip())
    if start < end:
        yield start, end


def words_of(text: str) -> list[str]:
    """Words and numbers, lower case, apostrophes straight; of scripts without spaces, pairs of characters."""
    found: list[str] = []
    for match in _WORD.finditer(text):
        word = match.group().lower().replace("’", "'")
        if len(word) > 1 and _IN_UNSPACED.match(word):
            found.extend(word[place : place + 2] for place in range(len(word) - 1))
        else:
            found.append(word)
    return found


def content_words(text: str) -> list[str]:
    """The words of a text that may say what it is about."""
    return [word for word in words_of(text) if word not in STOP_WORDS]


@lru_cache(maxsize=1 << 16)
def stem(word: str, code: str = ENGLISH) -> str:
    """A word's stem; the word itself in a language without a stemmer."""
    bare = word.partition("'")[0] or word
    # a stemmer holds the word it is at: one that threads share gives one thread's word another's stem
    return str(snowballstemmer.stemmer(_STEMMERS[code]).stemWord(bare)) if code in _STEMMERS else bare


def content_stems(text: str, code: str = ENGLISH) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(stem(word, code) for word in content_words(text))


_LEAST_STEM = 4
"""Letters that two words share at least where one begins the other."""


def shared(stems: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """Those of the stems that are among the others, or begin one or with one: `move` and `moves`."""
    close = (one for one in stems - others if any(_alike(one, other) for other in others))
    return (stems & others).union(close)


def _alike(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= _LEAST_STEM and (one.startswith(other) or other.startswith(one))
