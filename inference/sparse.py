"""BM25 as sparse vectors: one encoder for every index engine.

A document's vector holds, for each term, the saturated term frequency of BM25 (k1 1.2, b 0.75); a query's
holds 1 for each distinct term; the engine multiplies by the inverse document frequency when it searches, so
a score is the BM25 sum. Terms are split by Unicode rules (scripts without spaces by their own), lower-cased,
folded to ASCII (`Café` finds `cafe`), stripped of English stop words and stemmed as English: words of other
languages match in the form they were written in.

The engine's split has no terms for bare numbers: rule 7 and rule 8, error 502 and error 404 would be one. So
they are spelled as words before (`spelled`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from qdrant_edge import Bm25, Bm25Config, TokenizerType


class Terms(NamedTuple):
    """`values[i]` is the weight of the term hashed to `indices[i]`."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


AVERAGE_LENGTH = 256.0
"""Terms in a text of average length, where the caller does not know better."""


_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)*(?!\w|\.\d)")
"""Digits that stand alone, with separators of thousands and fractions; what has letters is a word already."""


def spelled(text: str) -> str:
    """The text with its bare numbers as words: `1,240.50` is `n1240p50`. Without any it is the same."""
    return _NUMBER.sub(lambda found: "n" + found[0].replace(",", "").replace(".", "p"), text)


@cache
def _model(average_length: float) -> Bm25:
    return Bm25(
        Bm25Config(
            k=1.2,
            b=0.75,
            avg_len=average_length,
            tokenizer=TokenizerType.Multilingual,
            language="english",
            ascii_folding=True,
        )
    )


def encode_document(text: str, average_length: float = AVERAGE_LENGTH) -> Terms:
    """A text of the corpus; empty when it holds no term.

    BM25 compares a text's length with the average, and a unit is twelve words long where a conversation is a
    thousand: state the average of the text's own kind.
    """
    vector = _model(average_length).embed_document(spelled(text))
    return Terms(tuple(vector.indices), tuple(vector.values))


def encode_query(text: str) -> Terms:
    """A search text, the same for every kind of document; empty when it holds no term."""
    vector = _model(AVERAGE_LENGTH).embed_query(spelled(text))
    return Terms(tuple(vector.indices), tuple(vector.values))


@lru_cache(maxsize=20_000)
def terms_in(text: str) -> frozenset[int]:
    """The terms of a text, for comparing texts with one another; a recall asks for those of a note four
    times, and the next recall on the subject again."""
    return frozenset(encode_query(text).indices)
