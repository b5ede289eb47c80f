"""Text folded so that ways of writing one name are equal, with the way back to the text as it was.

Folded are case, accents, letters with a stroke (`ø`, `ł`), ligatures, and the forms of apostrophes and
hyphens. What is found in the folded text is cut out of the other by `FoldedText.place_of`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from schemas.words import UNSPACED

HANGUL = "\uac00-\ud7a3"
HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_BRAHMIC = (*range(0x0900, 0x10A0), *range(0x1780, 0x1800))
"""Scripts from Devanagari to Burmese, and Khmer: their marks are vowels, and part two words."""
_VOWELS = frozenset(chr(one) for one in _BRAHMIC if unicodedata.category(chr(one)).startswith("M"))
_WHOLE = re.compile(f"[\u3040-\u30ff{HANGUL}]")
"""Letters that are more than a base and its accents: taken apart, `은` would be `으` and `が` be `か`."""
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "þ": "th", "æ": "ae", "œ": "oe"}
    | {"\u0640": ""}  # lengthens a line of Arabic
    | dict.fromkeys("’‘‛ʼʻʽ`´′", "'")
    | dict.fromkeys("‐‑‒–—−", "-")
)

LETTERS = re.compile(rf"(?:[^\W\d_]|[{''.join(sorted(_VOWELS))}])++")
"""A run of letters, with marks that are vowels."""
_SPACED_VOWELS = "".join(sorted(one for one in _VOWELS if not re.match(f"[{UNSPACED}]", one)))
NO_LETTER_BEFORE = rf"(?<![^\W\d_{UNSPACED}{HANGUL}])(?<![{_SPACED_VOWELS}])"
NO_LETTER_AFTER = rf"(?![^\W\d_{UNSPACED}{HANGUL}])(?![{_SPACED_VOWELS}])"
"""Where a word may end. Letters of scripts that write no blanks between words, or write particles to them,
say nothing of that."""


def plainly_written(text: str) -> str:
    """The text with composed letters and without marks that are not seen: keyboards differ in these."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(one for one in composed if unicodedata.category(one) != "Cf").replace("’", "'")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A folded text, and where each of its characters stood."""

    text: str
    places: tuple[int, ...]
    """As many as `text` has characters, and the length of the original."""

    def place_of(self, start: int, end: int) -> tuple[int, int]:
        """The run of the original that `text[start:end]` came from, with the marks on its last letter."""
        return self.places[start], max(self.places[end], self.places[end - 1] + 1)


def folded(text: str) -> FoldedText:
    """Fold a text, one character after the other."""
    letters: list[str] = []
    places: list[int] = []
    for place, one in enumerate(text):
        kept = fold_letter(one)
        letters.append(kept)
        places.extend([place] * len(kept))
    return FoldedText("".join(letters), (*places, len(text)))


@lru_cache(maxsize=4096)
def fold_letter(one: str) -> str:
    """A character's plain form: none for an accent that stands by itself, two for a ligature."""
    if _WHOLE.match(one):
        return one
    apart = unicodedata.normalize("NFD", one.casefold())
    bare = "".join(part for part in apart if part in _VOWELS or unicodedata.category(part) != "Mn")
    return bare.translate(_PLAIN)
