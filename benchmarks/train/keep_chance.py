"""The chance that a careful reader keeps a note: a logistic regression fitted on notes that two people
judged.

`data/reading/verdicts.jsonl` holds notes of talk that the reader had not been taught, each with what the
reader made of it (`extract.reader.calibration.features`) and two independent verdicts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.train.labelled_windows import DATA

RIDGE = 3.0
"""Strength of the pull of every weight towards zero."""

_STEPS = 60

Row = dict[str, Any]


def rows() -> list[Row]:
    """The judged notes."""
    lines = (DATA / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def fitted(judged: Sequence[Row]) -> dict[str, float]:
    """The weights by feature, "bias" among them: Newton's method, to convergence."""
    names = sorted({name for row in judged for name in row["features"]})
    given = np.array([[row["features"].get(name, 0.0) for name in names] + [1.0] for row in judged])
    wanted = np.array([float(np.mean(row["good"])) for row in judged])
    pull = np.diag([RIDGE] * len(names) + [1e-3])
    weights = np.zeros(len(names) + 1)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (chance - wanted) + pull @ weights
        curve = (given * (chance * (1 - chance))[:, None]).T @ given + pull
        weights -= np.linalg.solve(curve, slope)
    return {name: round(float(weight), 5) for name, weight in zip([*names, "bias"], weights, strict=True)}


def chances(judged: Sequence[Row], weights: Mapping[str, float]) -> NDArray[np.float64]:
    """The chance of each note by these weights."""
    total = [
        weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in row["features"].items())
        for row in judged
    ]
    return np.asarray(1 / (1 + np.exp(-np.array(total))))


def held_out(judged: Sequence[Row], folds: int = 10) -> NDArray[np.float64]:
    """The chance of each note by weights fitted on notes of other conversations."""
    homes = sorted({row["conversation"] for row in judged})
    fold = {home: place % folds for place, home in enumerate(np.random.default_rng(18).permutation(homes))}
    found = np.zeros(len(judged))
    for number in range(folds):
        rest = [row for row in judged if fold[row["conversation"]] != number]
        own = [place for place, row in enumerate(judged) if fold[row["conversation"]] == number]
        if own:
            found[own] = chances([judged[place] for place in own], fitted(rest))
    return found


def table(judged: Sequence[Row]) -> str:
    """By bound: how many notes pass, and how many of them both readers, or either, would keep."""
    found = held_out(judged)
    both = np.array([min(row["good"]) for row in judged], bool)
    either = np.array([max(row["good"]) for row in judged], bool)
    lines = [f"{len(judged)} notes, kept by both {both.mean():.3f}, by either {either.mean():.3f}"]
    for bound in np.arange(0.2, 0.95, 0.05):
        passed = found >= bound
        if passed.any():
            lines.append(
                f"  from {bound:.2f}: {passed.mean():.3f} pass; kept by both {both[passed].mean():.3f}, "
                f"by either {either[passed].mean():.3f}"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(rows()))
