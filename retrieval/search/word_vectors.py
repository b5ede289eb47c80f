"""What single words mean: a table of vectors, looked up and never computed when a question is asked.

`benchmarks/calibration/word_table.py` writes the table. It is independent of the embedder of the index, so
everything that uses it works in a search by words alone too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import islice

import numpy as np
import numpy.typing as npt

from inference.sparse import encode_query

Rows = npt.NDArray[np.int64]
Terms = npt.NDArray[np.int64]

UNKNOWN = -1

MOST_WORDS = 200
"""Of a long passage; the beginning says what it is about."""

_WORD = re.compile(r"[^\W\d_]+")
_ASCII_LETTERS = {code: chr(code) if chr(code).isalpha() else " " for code in range(128)}
_TERM_BITS = 32
"""The engine's terms are hashes of so many bits."""


def runs_of_letters(text: str) -> list[str]:
    """Every run of letters, in small letters, in order. Plain ASCII needs half the time."""
    small = text.lower()
    return small.translate(_ASCII_LETTERS).split() if small.isascii() else _WORD.findall(small)


@dataclass(frozen=True, slots=True, eq=False)
class ContentWords:
    """The content words of a text, each once, in order of appearance."""

    packed: npt.NDArray[np.int64]
    """(words,): of each the term that it is matched by, and above its bits its row in the table plus one.
    Words of one stem share their term."""

    @property
    def rows(self) -> Rows:
        """Of each word its row in the table, UNKNOWN where the table lacks it."""
        return (self.packed >> _TERM_BITS) + UNKNOWN

    @property
    def terms(self) -> Terms:
        """Of each word its term."""
        return self.packed & ((1 << _TERM_BITS) - 1)


@cache
def _stored() -> tuple[dict[str, int], npt.NDArray[np.float32]]:
    file = resources.files("retrieval").joinpath("data/words.npz")
    with file.open("rb") as stream, np.load(stream) as stored:
        words = stored["words"].tobytes().decode().split("\n")
        vectors = stored["vectors"].astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {word: row for row, word in enumerate(words)}, vectors


def table() -> npt.NDArray[np.float32]:
    """Vectors of unit length, one row a word: shape (words, 128)."""
    return _stored()[1]


def is_known(word: str) -> bool:
    """Whether the table has the word, in small letters, or it is a stop word."""
    entry = _entry(word)
    return entry == STOP_WORD or entry >> _TERM_BITS != 0


STOP_WORD = 0


@lru_cache(maxsize=100_000)
def _entry(word: str) -> int:
    """Row and term of a word, packed; STOP_WORD of a stop word."""
    terms = encode_query(word).indices
    return (_stored()[0].get(word, UNKNOWN) - UNKNOWN) << _TERM_BITS | terms[0] if terms else STOP_WORD


@lru_cache(maxsize=20_000)
def words_of(text: str) -> ContentWords:
    """The content words of a text; stop words, numbers and punctuation are none."""
    entries = dict.fromkeys(map(_entry, runs_of_letters(text)))
    entries.pop(STOP_WORD, None)
    return ContentWords(np.array(list(islice(entries, MOST_WORDS)), np.int64))
