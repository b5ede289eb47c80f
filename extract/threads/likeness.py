"""How alike two conversations of one account are: four symmetric features, and the log-odds of one thread.

What all of an account's conversations have in common says nothing of two of them, so everything is taken
against the account: vectors without its mean, words by how few of its conversations have them, and each
likeness in standard deviations from that of its other pairs. A learned linear map turns the embedder's
vectors, in which tone and kind of question count too, towards what a conversation is about. A logistic
regression weighs the features. `benchmarks/train/likeness_training.py` trains both (`docs/threads.md`).

Features are computed for a block of rows at a time: memory grows with conversations, not with their pairs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from schemas.base import Instant, Noun
from schemas.thread import Profile

WEIGHTS = "likeness.json"
TURN = "likeness.safetensors"

FEATURES = ("standing", "neighbours", "words", "rarest")
"""In the order of the last axis of what `features` gives: likeness of the vectors, likeness to the same third
conversations, words shared, rare words shared."""

BLOCK_PAIRS = 2**21
"""Pairs in a block of rows: some 100 MB while they are computed."""

_UNSEEN = 30
_UNSEEN_SPREAD = 0.16
"""A handful of conversations cannot tell what is usual: so many unseen ones are counted beside them, whose
vectors average to nothing and whose likeness to any other spreads so far, as in the archives trained on."""

_UNSEEN_PAIRS = 45
_UNSEEN_WORDS = ((0.02, 0.023), (0.29, 0.37))
"""And so many pairs, with these means and standard deviations of words and rare words shared, from there."""
_SAMPLED = 512
"""Conversations whose shared words tell what is usual: all of them, or so many at even distances."""

_RARE_SHARE, _RARE_LEAST = 0.02, 3
"""Words that at most this share of the conversations have, or so many of them, are rare."""
_COMMON_SHARE = 0.125
"""Words that more have are multiplied as a matrix: following each to its conversations takes longer."""

Matrix = NDArray[np.float32]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Talk:
    """What is known of a conversation beside its vector."""

    id: str
    began: Instant | None
    profile: Profile | None


class Likeness(Noun):
    """A trained logistic regression, as `likeness.json` holds it. The tuples run beside `features`."""

    features: tuple[str, ...]
    means: tuple[float, ...]
    spreads: tuple[float, ...]
    weights: tuple[float, ...]
    """Of the features in standard deviations."""
    intercept: float
    conversations: float
    """Of the archives it was trained on, the usual number."""
    bound: float
    """Mean log-odds from which two groups are one thread."""


@cache
def load_turn() -> Matrix:
    """The linear map that comes with this module, for the embedder's vectors: (dimension, dimension)."""
    return load(files(__package__).joinpath(TURN).read_bytes())["turn"].astype(np.float32)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of conversations that may be one thread, as places; the first is before the second."""

    first: Places
    second: Places
    log_odds: Matrix


@cache
def load_likeness() -> Likeness:
    """The model that comes with this module."""
    return Likeness.model_validate_json(files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8"))


def likely_pairs(talks: Sequence[Talk], vectors: Matrix, least: float) -> Pairs:
    """The pairs whose log-odds exceed `least`. `vectors` has a row for each conversation."""
    model = load_likeness()
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))]
    for start, block in features(talks, vectors, load_turn()):
        odds = log_odds(block, len(talks), model)
        rows, columns = np.nonzero(odds > least)
        later = columns > rows + start
        rows, columns = rows[later], columns[later]
        found.append((rows + start, columns, odds[rows, columns]))
    first, second, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Pairs(first, second, values)


def log_odds(values: Matrix, conversations: int, model: Likeness) -> Matrix:
    """The log-odds of one thread for features (…, features) of an account with so many conversations.

    Threads grow with a young account, but not for ever: beyond the number of conversations that the model was
    trained on, the chance of any two falls as the account grows.
    """
    standard = (values - np.array(model.means, np.float32)) / np.array(model.spreads, np.float32)
    chance = model.intercept - math.log(max(conversations / model.conversations, 1))
    return np.asarray(standard @ np.array(model.weights, np.float32) + np.float32(chance), np.float32)


def features(talks: Sequence[Talk], vectors: Matrix, turn: Matrix) -> Iterator[tuple[int, Matrix]]:
    """Blocks of rows: (place of the first, (rows, conversations, features)), standardised by account.

    `vectors` (conversations, dimension) are of unit length; `turn` (dimension, dimension) is the learned map.
    What a conversation has with itself means nothing.
    """
    number = len(talks)
    vector_pairs, word_pairs = _Vectors.of(vectors, turn), _Words.of([one.profile for one in talks])
    usual = word_pairs.usual()
    rows = max(1, BLOCK_PAIRS // max(number, 1))
    for start in range(0, number, rows):
        places = range(start, min(start + rows, number))
        shared = [
            (one - mean) / spread
            for one, (mean, spread) in zip(word_pairs.shared(places), usual, strict=True)
        ]
        yield (
            start,
            np.stack([*vector_pairs.likeness(places), *shared], axis=-1).astype(np.float32, copy=False),
        )


@dataclass(frozen=True, slots=True)
class _Vectors:
    """The turned vectors of an account without their mean, and what is usual among their pairs."""

    rest: Matrix
    scatter: Matrix
    """(dimension, dimension): rest.T @ rest."""
    own: Matrix
    """Of each conversation, the sum of its squared likeness to all others, unseen ones too."""
    mean: float
    spread: float
    """Of the likeness of any two."""

    @classmethod
    def of(cls, vectors: Matrix, turn: Matrix) -> _Vectors:
        rest = _unit(centred(vectors) @ turn)
        scatter = rest.T @ rest
        own = ((rest @ scatter) * rest).sum(axis=1) - 1 + _UNSEEN * _UNSEEN_SPREAD**2
        return cls(rest, scatter, own, *usual_likeness(rest, scatter))

    def likeness(self, places: range) -> tuple[Matrix, Matrix]:
        """Of rows: likeness in standard deviations, and likeness to the same third conversations (-1 to 1).

        The second is a cosine over all third conversations: two sessions of a thread may have little in
        common but the others.
        """
        rows = self.rest[places.start : places.stop]
        near = rows @ self.rest.T
        through = (rows @ self.scatter) @ self.rest.T - 2 * near
        square = near**2
        size = (self.own[places.start : places.stop, None] - square) * (self.own[None] - square)
        alike = np.divide(through, np.sqrt(np.maximum(size, 0)), out=np.zeros_like(near), where=size > 1e-6)
        return (near - self.mean) / self.spread, np.clip(alike, -1, 1)


def centred(vectors: Matrix) -> Matrix:
    """Vectors of unit length without the mean of all of them. One that is the mean itself becomes zero."""
    return _unit(vectors - vectors.sum(axis=0) / (len(vectors) + _UNSEEN))


def _unit(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0), dtype=np.float32)


def usual_likeness(vectors: Matrix, scatter: Matrix) -> tuple[float, float]:
    """Mean and standard deviation of the likeness of any two vectors, from sums over dimensions."""
    number = len(vectors)
    total = (float(np.square(vectors.sum(axis=0)).sum()) - number) / 2
    squares = (float(np.square(scatter).sum()) - number) / 2
    return _with_unseen(
        number * (number - 1) / 2, total, squares, _UNSEEN * (_UNSEEN - 1) / 2, (0.0, _UNSEEN_SPREAD)
    )


def _with_unseen(
    pairs: float, total: float, squares: float, unseen: float, usual: tuple[float, float]
) -> tuple[float, float]:
    """Mean and standard deviation over pairs and unseen ones."""
    mean = (total + unseen * usual[0]) / (pairs + unseen)
    square = (squares + unseen * (usual[0] ** 2 + usual[1] ** 2)) / (pairs + unseen)
    return mean, math.sqrt(max(square - mean**2, 1e-9))


@dataclass(frozen=True, slots=True)
class _Words:
    """Which conversations of an account have which terms: common ones as a matrix, others as flat arrays."""

    common: Matrix
    """(conversations, common terms): of each, its weight in the conversation's vector of words."""
    begins: Places
    """Where each conversation's other terms begin, and the end."""
    terms: Places
    weights: Matrix
    """Beside the terms."""
    held_from: Places
    """Where each term's conversations begin, and the end."""
    holders: Places
    held: Matrix
    """Beside the holders: the term's weight there."""
    rarity: Matrix
    """Of each term, 0-1; zero where it is not rare."""

    @classmethod
    def of(cls, profiles: Sequence[Profile | None]) -> _Words:
        """A conversation's vector of words is of unit length. A term weighs by how often it is said there,
        and by how few conversations say it."""
        number = len(profiles)
        said = [dict(zip(one.terms, one.counts, strict=True)) if one else {} for one in profiles]
        spread = Counter(term for counts in said for term in counts)
        order = {term: place for place, term in enumerate(sorted(spread))}
        share = np.array([spread[term] for term in order], np.int64)
        rarity = np.asarray(np.log((number + 1) / share) / math.log(number + 1), np.float32)
        of = np.repeat(np.arange(number), [len(counts) for counts in said])
        terms = np.array([order[term] for counts in said for term in counts], np.int64)
        counted = np.array([count for counts in said for count in counts.values()], np.float32)
        weights = (1 + np.log(counted)) * rarity[terms]
        lengths = np.sqrt(np.bincount(of, weights**2, number))
        weights = np.asarray(weights / np.maximum(lengths, 1e-9)[of], np.float32)
        is_common = share > max(_RARE_LEAST, number * _COMMON_SHARE)
        dense = is_common[terms]
        common = np.zeros((number, int(is_common.sum())), np.float32)
        common[of[dense], (np.cumsum(is_common) - 1)[terms[dense]]] = weights[dense]
        of, terms, weights = of[~dense], terms[~dense], weights[~dense]
        by_term = np.argsort(terms, kind="stable")
        rare = (share > 1) & (share <= max(_RARE_LEAST, _RARE_SHARE * number))
        return cls(
            common, _edges(of, number), terms, weights,
            _edges(terms, len(order)), of[by_term], weights[by_term], rarity * rare,
        )  # fmt: skip

    def shared(self, places: Sequence[int]) -> Matrix:
        """(2, rows, conversations): cosine of the vectors of words, and log of the rarity of shared words."""
        number = len(self.common)
        found = np.zeros((2, len(places), number), np.float32)
        found[0] = self.common[places] @ self.common.T
        for row, place in enumerate(places):
            own = slice(self.begins[place], self.begins[place + 1])
            terms = self.terms[own]
            starts, sizes = self.held_from[terms], self.held_from[terms + 1] - self.held_from[terms]
            # the places of all holders of all the row's terms, one after the other
            at = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
            holders = self.holders[at]
            found[0, row] += np.bincount(holders, np.repeat(self.weights[own], sizes) * self.held[at], number)
            found[1, row] = np.bincount(holders, np.repeat(self.rarity[terms], sizes), number)
        np.log1p(found[1], out=found[1])
        return found

    def usual(self) -> list[tuple[float, float]]:
        """Mean and standard deviation of each that `shared` gives, over the pairs of some conversations."""
        number = len(self.common)
        sample = np.unique(np.linspace(0, number - 1, min(number, _SAMPLED)).astype(np.int64))
        sums = np.zeros((2, 2))
        for place in sample.tolist():
            values = np.delete(self.shared([place])[:, 0], place, axis=1).astype(np.float64)
            sums += [values.sum(axis=1), np.square(values).sum(axis=1)]
        pairs = len(sample) * (number - 1) / 2
        return [
            _with_unseen(pairs, total / 2, squares / 2, _UNSEEN_PAIRS, unseen)
            for total, squares, unseen in zip(*sums.tolist(), _UNSEEN_WORDS, strict=True)
        ]


def _edges(sorted_places: Places, number: int) -> Places:
    """Where each of so many places begins among them when they are in order, and the end."""
    return np.concatenate([[0], np.cumsum(np.bincount(sorted_places, minlength=number), dtype=np.int64)])
