"""The fit-gate without a model: is a note about what is asked, or does it only share its words?

Words that a note shares with the question say nothing on that: whoever writes of kernels and pressure may
pop corn. So they are set aside, and two things are asked of the rest of the question: is the place that the
note comes from about it (title, summary, headings, opening words), and is the rest of the note? Each is a
mean over words of the cosine to the nearest word of the rest (`retrieval.search.word_vectors`). A third
thing counts, company: how many of the candidates come from the same conversation. So a note from an
unexpected conversation can pass by what else it says, and one whose own words say little by where it stands.

`data/fit.json` holds the weights of the three and the least sum that passes, with the run that made them.
What cannot be judged is kept: a question of two words, a language that the word table does not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

from retrieval.search.word_vectors import UNKNOWN, ContentWords, Rows, Terms, table, words_of
from schemas.base import Noun

COMPANY_OF_THREE = 13
"""Candidates among which three of one conversation are full company; the number grows with the cube root, so
it is seven of 180. Chosen so that the gate costs RealMem's pool of 200 nothing (`docs/retrieval.md`)."""


LEAST_BEYOND = 3
"""Words of the question that a note does not share, for the note to be judged by them: with fewer, nearly all
that was asked is in it."""

INTENT_SHARE = 0.3
"""The intent has few words, and general ones."""


class FitWeights(Noun):
    """What the gate learned, and from which run."""

    place: float
    rest: float
    company: float
    bias: float
    least: float
    """A note fits from this sum on."""
    unknown: float
    """Stands for a part that cannot be judged: the mean of a part over all candidates of the run."""
    run: str


@cache
def learned() -> FitWeights:
    """The weights in use."""
    stored = resources.files("retrieval").joinpath("data/fit.json").read_text(encoding="utf-8")
    return FitWeights.model_validate_json(stored)


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note and where it stands."""

    text: str
    place: str
    """Title, summary, headings, opening words: what is known of where the note comes from."""
    conversation: str
    """Notes with equal values here are each other's company."""
    at_home: bool = False
    """Whether the conversation as a whole is one of the nearest, or one's thread goes on in it."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What the gate measured of a note. Parts are cosines, -1 to 1; None where nothing can be compared."""

    place: float | None
    rest: float | None
    company: float
    """0-1: share of full company."""

    def total(self, weights: FitWeights) -> float | None:
        """The weighted sum; None where neither the place nor the rest of the note can be judged."""
        if self.place is None:
            return None
        rest = weights.unknown if self.rest is None else self.rest
        return (
            weights.place * self.place + weights.rest * rest + weights.company * self.company + weights.bias
        )


def fits(
    query: str, intent: str | None, notes: Sequence[PlacedNote], among: Sequence[PlacedNote] | None = None
) -> list[Fit]:
    """What the gate measures of each note, in order.

    `intent` says at which altitude to judge, if anybody said it: the subject's domain. It counts INTENT_SHARE
    of what the question itself counts. `among`: all candidates, where the notes are some of them.
    """
    crowd = notes if among is None else among
    full = 3 * (max(len(crowd), 1) / COMPANY_OF_THREE) ** (1 / 3)
    company = Counter(one.conversation for one in crowd)
    said, placed = Laid([one.text for one in notes]), Laid([one.place for one in notes])
    places, rests = _nearness(words_of(query), said, placed)
    if intent:
        general = _nearness(words_of(intent), said, placed)
        places, rests = _joined(places, general[0]), _joined(rests, general[1])
    return [
        Fit(place, rest, min(company[note.conversation] / full, 1.0))
        for note, place, rest in zip(notes, places, rests, strict=True)
    ]


def _joined(asked: Sequence[float | None], general: Sequence[float | None]) -> list[float | None]:
    """By the question and by the intent, as far as either is known."""
    joined = []
    for one, other in zip(asked, general, strict=True):
        if one is None or other is None:
            joined.append(other if one is None else one)
        else:
            joined.append((one + INTENT_SHARE * other) / (1 + INTENT_SHARE))
    return joined


class Laid:
    """The words of several texts in one row, so that all texts are compared at once."""

    def __init__(self, texts: Sequence[str]) -> None:
        words = [words_of(text).packed for text in texts]
        self.texts = len(texts)
        self.text_of: Rows = np.repeat(np.arange(len(words)), [len(one) for one in words])
        """Of each word, the number of its text."""
        row = ContentWords(np.concatenate(words) if words else np.empty(0, np.int64))
        self.rows: Rows = row.rows
        self.terms: Terms = row.terms


def _nearness(
    asked: ContentWords, said: Laid, placed: Laid
) -> tuple[Sequence[float | None], Sequence[float | None]]:
    """Of each note, how near its place, and what it says beyond the question's words, come to what the
    question asks beyond the note's words."""
    known = np.flatnonzero(asked.rows != UNKNOWN)
    beyond = np.ones((said.texts, len(known)), np.bool_)
    word, column = np.nonzero(said.terms[:, None] == asked.terms[known])
    beyond[said.text_of[word], column] = False
    unasked = ~np.isin(said.terms, asked.terms)
    vectors = table()[asked.rows[known]].T

    asks_enough = np.count_nonzero(beyond, axis=1) >= LEAST_BEYOND
    # a column a word, so that the nearest of all words is found in a few passes over long rows
    beyond_by_word = np.ascontiguousarray(beyond.T)

    def means(laid: Laid, of: npt.NDArray[np.bool_]) -> Sequence[float | None]:
        compared = np.flatnonzero(of & (laid.rows != UNKNOWN))
        text_of = laid.text_of[compared]
        cosines = _cosines(laid.rows[compared], vectors)
        nearest = np.where(beyond_by_word[:, text_of], cosines, -1.0).max(axis=0, initial=-1.0)
        words = np.bincount(text_of, minlength=laid.texts)
        sums = np.bincount(text_of, nearest, laid.texts)
        judged = (words > 0) & asks_enough
        return [
            float(total / count) if known else None
            for total, count, known in zip(sums, words, judged, strict=True)
        ]

    return means(placed, np.ones(len(placed.rows), np.bool_)), means(said, unasked)


ONE_THREAD = 1 << 18
"""Multiplications up to which OpenBLAS stays on one core. Beyond, its threads spin on all cores after each
product, beside the embedder and the index: a recall took a third longer
(`benchmarks/speed/recall_latency.py`)."""


def _cosines(rows: Rows, vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(asked, words): to each of `vectors`, (128, asked), of each word of the table, each computed once."""
    seen = np.zeros(len(table()), np.bool_)
    seen[rows] = True
    words = np.flatnonzero(seen)
    block = max(1, ONE_THREAD // max(1, vectors.size))
    products = np.empty((len(words), vectors.shape[1]), np.float32)
    for start in range(0, len(words), block):
        products[start : start + block] = table()[words[start : start + block]] @ vectors
    return np.take(np.ascontiguousarray(products.T), (np.cumsum(seen) - 1)[rows], axis=1)
