"""The router's weights: which prompts ask for what only the web knows.

    .venv/bin/python -m benchmarks.calibration.web_router            # ten folds of the half to learn from
    .venv/bin/python -m benchmarks.calibration.web_router --write    # and the weights into web/routing/data
    .venv/bin/python -m benchmarks.calibration.web_router --kept     # the shipped weights on the other half

`data/web/router-prompts.jsonl` holds 300 prompts, written for this and labelled by reading: `live` where the
answer needs facts of the world outside (also about something of one's own), else what the owner said,
decided, plans or wrote. One half was drawn by hash and kept apart: nothing here looks at it but `--kept`.
`router-more-prompts.jsonl` has 1,719 more to learn from alone, since 150 were too few; those that were nearer
than a cosine of .85 to a prompt of the other half were left out.

The model is logistic over the embedder's vector and the counts of `web.routing.router.counts_of`, by Newton's
method under an L2 penalty that is chosen by ten folds; the threshold is the least at which at most WRONGLY of
the folds' prompts for the memory go outside. Prompts in other languages stay inside, and count so.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunking.language import ENGLISH, language_of
from inference import load_embedder
from inference.embedder import Embedder
from web.routing.router import RouterWeights, counts_of, learned

ROOT = Path(__file__).resolve().parents[2]
PROMPTS = ROOT / "data" / "web" / "router-prompts.jsonl"
MORE = ROOT / "data" / "web" / "router-more-prompts.jsonl"
WEIGHTS = ROOT / "web" / "routing" / "data" / "router.json"
PENALTIES = (0.03, 0.1, 0.3, 1.0)
FOLDS = 10
WRONGLY = 0.025
"""Somewhat below the bar (.03), since the folds are what the threshold is chosen on."""
STEPS = 12

Rows = npt.NDArray[np.float64]


class Half(NamedTuple):
    """What is measured of each prompt of one half, whether it asks for the web, and whether it is English."""

    measured: Rows
    live: Rows
    english: npt.NDArray[np.bool_]


def half(name: str, embedder: Embedder) -> Half:
    """The prompts of `learn` or `kept`; the last column of what is measured is 1."""
    rows = [row for row in _rows(PROMPTS) if row["half"] == name]
    rows += _rows(MORE) if name == "learn" else []
    prompts = [str(row["prompt"]) for row in rows]
    measured = [np.concatenate([embedder.embed_query(one), counts_of(one), [1.0]]) for one in prompts]
    live = np.array([float(bool(row["live"])) for row in rows])
    english = np.array([language_of(one) == ENGLISH for one in prompts])
    return Half(np.stack(measured).astype(np.float64), live, english)


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def fitted(measured: Rows, live: Rows, penalty: float) -> Rows:
    """Weights by Newton's method; the bias is not held down."""
    weights = np.zeros(measured.shape[1])
    hold = np.full(measured.shape[1], penalty)
    hold[-1] = 1e-6
    for _ in range(STEPS):
        chance = chances(measured, weights)
        gradient = measured.T @ (chance - live) + hold * weights
        curve = (measured * (chance * (1 - chance))[:, None]).T @ measured + np.diag(hold)
        weights -= np.linalg.solve(curve, gradient)
    return weights


def chances(measured: Rows, weights: Rows) -> Rows:
    """0-1 for each row."""
    return np.asarray(1 / (1 + np.exp(-np.clip(measured @ weights, -30, 30))))


def folded(learn: Half, penalty: float) -> Rows:
    """The chance of each prompt by weights that did not see it."""
    chance = np.zeros(len(learn.live))
    order = np.random.default_rng(6).permutation(len(chance))
    for fold in range(FOLDS):
        held = order[fold::FOLDS]
        seen = np.setdiff1d(order, held)
        chance[held] = chances(learn.measured[held], fitted(learn.measured[seen], learn.live[seen], penalty))
    return np.where(learn.english, chance, 0.0)


def threshold_of(chance: Rows, live: Rows) -> float:
    """The least threshold, in hundredths, at which at most WRONGLY of the prompts inside go outside."""
    inside = chance[live == 0]
    return next((at / 100 for at in range(30, 100) if np.mean(inside >= at / 100) <= WRONGLY), 1.0)


def told(name: str, chance: Rows, live: Rows, threshold: float) -> str:
    """Accuracy, and how many prompts for the memory go outside."""
    opened = chance >= threshold
    right, wrong = float(np.mean(opened == (live == 1))), float(np.mean(opened[live == 0]))
    missed = float(np.mean(~opened[live == 1]))
    return (
        f"{name}: accuracy {right:.3f}, wrongly opened {wrong:.3f} of {int((live == 0).sum())}, "
        f"missed {missed:.3f} of {int((live == 1).sum())}"
    )


def main() -> None:
    """Fit, or score the other half."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--kept", action="store_true")
    asked = parser.parse_args()
    embedder = load_embedder()
    if asked.kept:
        shipped, kept = learned(), half("kept", embedder)
        weights = np.array([*shipped.vector, *shipped.counts, shipped.bias])
        chance = np.where(kept.english, chances(kept.measured, weights), 0.0)
        print(told("kept apart", chance, kept.live, shipped.threshold))
        return
    learn = half("learn", embedder)
    by_penalty = {}
    for penalty in PENALTIES:
        chance = folded(learn, penalty)
        sure = np.clip(np.where(learn.live == 1, chance, 1 - chance)[learn.english], 1e-6, 1.0)
        loss = float(-np.mean(np.log(sure)))
        by_penalty[penalty] = loss
        print(f"penalty {penalty}: log loss {loss:.3f};", told("at .5", chance, learn.live, 0.5))
    penalty = min(by_penalty, key=by_penalty.__getitem__)
    chance = folded(learn, penalty)
    threshold = threshold_of(chance, learn.live)
    run = f"penalty {penalty}; " + told(f"ten folds at {threshold}", chance, learn.live, threshold)
    print(run)
    if asked.write:
        made_of = [round(float(one), 5) for one in fitted(learn.measured, learn.live, penalty)]
        counts = len(counts_of("one"))
        made = RouterWeights(
            embedder=embedder.binding.name,
            vector=tuple(made_of[: -counts - 1]),
            counts=tuple(made_of[-counts - 1 : -1]),
            bias=made_of[-1],
            threshold=threshold,
            run=run,
        )
        WEIGHTS.write_text(made.model_dump_json() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
