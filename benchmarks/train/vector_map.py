"""A linear map of vectors under which an archive's conversations of one thread are alike, and others are not.

It begins as what changes nothing and is trained for a few epochs only, one archive a step, on the
cross-entropy of all pairs. Some dimensions are left out at random in each step, so that no few of them
decide, and it is the mean of several runs, so that chance does not either.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

EPOCHS = 6
RATE, ODDS_RATE = 1e-3, 0.05
"""Of Adam, for the map and for the two numbers that make odds of a cosine; both fall to zero."""
LEFT_OUT = 0.3
RUNS = 4

Array = NDArray[np.float64]


def trained_turn(archives: Sequence[tuple[Array, NDArray[np.bool_]]]) -> Array:
    """The map (dimension, dimension).

    An archive is its centred vectors, and which pairs of them are one thread.
    """
    return np.asarray(np.mean([_run(archives, seed) for seed in range(RUNS)], axis=0), np.float64)


def _run(archives: Sequence[tuple[Array, NDArray[np.bool_]]], seed: int) -> Array:
    chance = np.random.default_rng(seed)
    params = [np.eye(archives[0][0].shape[1]), np.array([8.0, -3.5])]
    means = [np.zeros_like(one) for one in params]
    squares = [np.zeros_like(one) for one in params]
    order = [int(one) for _ in range(EPOCHS) for one in chance.permutation(len(archives))]
    for step, archive in enumerate(order, 1):
        vectors, same = archives[archive]
        kept = vectors * (chance.random(vectors.shape) > LEFT_OUT)
        pace = 1 - (step - 1) / len(order)
        slopes = _slopes(kept, same, params[0], params[1])
        for place, rate in enumerate((RATE, ODDS_RATE)):
            means[place] = 0.9 * means[place] + 0.1 * slopes[place]
            squares[place] = 0.99 * squares[place] + 0.01 * slopes[place] ** 2
            size = np.sqrt(squares[place] / (1 - 0.99**step)) + 1e-8
            params[place] = params[place] - pace * rate * means[place] / (1 - 0.9**step) / size
    return params[0]


def _slopes(vectors: Array, same: NDArray[np.bool_], turn: Array, odds: Array) -> tuple[Array, Array]:
    """Gradients of the mean cross-entropy by the map, and by (scale, shift) of a cosine's log-odds."""
    turned = vectors @ turn
    lengths = np.linalg.norm(turned, axis=1, keepdims=True)
    unit = turned / lengths
    cosine = unit @ unit.T
    apart = 1 - np.eye(len(unit))
    wrong = (1 / (1 + np.exp(-(odds[0] * cosine + odds[1]))) - same) * apart / apart.sum()
    by_unit = 2 * odds[0] * wrong @ unit
    by_turned = (by_unit - (by_unit * unit).sum(axis=1, keepdims=True) * unit) / lengths
    return vectors.T @ by_turned, np.array([(wrong * cosine).sum(), wrong.sum()])
