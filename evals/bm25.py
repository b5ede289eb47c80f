"""BM25 on plain texts: the line that retrieval has to beat, scored in the same run."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from math import log

import numpy as np
import numpy.typing as npt
import snowballstemmer

from chunking.stop_words import STOP_WORDS

K1, B = 1.2, 0.75
"""Parameters that the evaluation sets' README states for the baseline."""

_WORD = re.compile(r"\w+")
_STEMMER = snowballstemmer.stemmer("english")


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))


def terms(text: str) -> list[str]:
    """Stemmed words in lower case, without stop words, in order."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


class Bm25:
    """An index of texts, numbered in the order given.

    Formula: Robertson and Zaragoza (2009) with Lucene's inverse document frequency, which is never negative.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(terms(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], np.float64)
        average = lengths.mean() if lengths.any() else 1.0
        self._texts = len(counts)
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, count in enumerate(counts):
            length_factor = K1 * (1 - B + B * lengths[number] / average)
            for term, frequency in count.items():
                weight = frequency * (K1 + 1) / (frequency + length_factor)
                self._postings[term].append((number, float(weight)))

    def scores(self, query: str) -> npt.NDArray[np.float64]:
        """A score for each text, 0 where it shares no term with the query."""
        scores = np.zeros(self._texts)
        for term in set(terms(query)):
            postings = self._postings.get(term, [])
            rarity = log(1 + (self._texts - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, weight in postings:
                scores[number] += rarity * weight
        return scores

    def ranking(self, query: str) -> list[int]:
        """Numbers of the texts that share a term with the query, best first; ties in the order given."""
        scores = self.scores(query)
        return [int(number) for number in np.argsort(-scores, kind="stable") if scores[number] > 0]
