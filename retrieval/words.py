"""What single words mean: a table of vectors, looked up and never computed when a question is asked.

`benchmarks/word_vectors.py` writes the table. It is independent of the embedder of the index, so everything
that uses it works in a search by words alone too.
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


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The content words of a text, each once, in order of appearance."""

    pairs: npt.NDArray[np.int64]
    """(words, 2): the row of each in the table, UNKNOWN where the table lacks it, and the term that it is
    matched by. Words of one stem share their term."""

    @property
    def rows(self) -> Rows:
        """The first column."""
        return self.pairs[:, 0]

    @property
    def terms(self) -> Terms:
        """The second column."""
        return self.pairs[:, 1]


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
    return entry is None or entry[0] != UNKNOWN


@lru_cache(maxsize=100_000)
def _entry(word: str) -> tuple[int, int] | None:
    """Row and term of a word; None of a stop word."""
    terms = encode_query(word).indices
    return (_stored()[0].get(word, UNKNOWN), terms[0]) if terms else None


@lru_cache(maxsize=20_000)
def words_of(text: str) -> Words:
    """The content words of a text; stop words, numbers and punctuation are none."""
    entries = filter(None, map(_entry, _WORD.findall(text.lower())))
    found = list(islice(dict.fromkeys(entries), MOST_WORDS))
    return Words(np.array(found, np.int64).reshape(-1, 2))
