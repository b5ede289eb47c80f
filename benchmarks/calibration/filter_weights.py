"""Learns the weights of the offline fit-gate and prints what they are worth on queries that they did not see.

    python benchmarks/calibration/filter_weights.py FUNNEL_JSONL [--least -0.5] [--write]

A logistic regression over the three parts of `retrieval.relevance.relevance_filter`, relevant notes against
contaminants, both sides weighing the same, without the intents. Prints contamination and retention with the
row that is judged left out, with and without the intents, for several thresholds. `--write` stores them in
`retrieval/data/fit.json`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evals.funnel import FunnelRow, placed_of
from evals.ranking import read_rows
from retrieval.relevance.relevance_filter import FitWeights, fits

TARGET = Path("retrieval/data/fit.json")
RIDGE = 1e-3
Matrix = npt.NDArray[np.float64]


def parts(row: FunnelRow, intent: str | None) -> Matrix:
    """(candidates, 4): place, rest, company, 1; NaN where a part cannot be judged."""
    measured = fits(row.query, intent, [placed_of(one) for one in row.candidates])
    return np.array([(one.place, one.rest, one.company, 1.0) for one in measured], dtype=np.float64)


def labels(row: FunnelRow) -> Matrix:
    """1 relevant, 0 contaminant, NaN neither."""
    value = dict.fromkeys(row.relevant, 1.0) | dict.fromkeys(row.contaminants, 0.0)
    return np.array([value.get(one.id, np.nan) for one in row.candidates])


def learn(features: Sequence[Matrix], gold: Sequence[Matrix]) -> Matrix:
    """The four weights, by Newton's method."""
    rows, wanted = np.concatenate(features), np.concatenate(gold)
    rows, wanted = rows[~np.isnan(wanted)], wanted[~np.isnan(wanted)]
    share = np.where(wanted == 1, 1 / wanted.sum(), 1 / (1 - wanted).sum())
    weights, ridge = np.zeros(4), RIDGE * np.diag([1.0, 1.0, 1 / 9, 0.01])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (share * (chance - wanted)) + ridge @ weights
        curve = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + ridge
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Learn, print the table, store on request."""
    parser = argparse.ArgumentParser()
    parser.add_argument("funnel", type=Path)
    parser.add_argument("--least", type=float, default=-0.5)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = read_rows(options.funnel, FunnelRow)
    plain = [parts(row, None) for row in rows]
    unknown = float(np.nanmean(np.concatenate(plain)[:, 1]))
    plain = [np.nan_to_num(one, nan=unknown) for one in plain]
    meant = [np.nan_to_num(parts(row, row.intent), nan=unknown) for row in rows]
    gold = [labels(row) for row in rows]
    wanted = np.concatenate(gold)
    print("| least | contamination, retention | with intents |\n|---|---|---|")
    totals = []
    for features in (plain, meant):
        held_out = []
        for place in range(len(rows)):
            others = [number for number in range(len(rows)) if number != place]
            weights = learn([plain[number] for number in others], [gold[number] for number in others])
            held_out.append(features[place] @ weights)
        totals.append(np.concatenate(held_out))
    for floor in np.arange(-0.9, 0.2, 0.1):
        cells = [
            f"{(total[wanted == 0] >= floor).mean():.3f}, {(total[wanted == 1] >= floor).mean():.3f}"
            for total in totals
        ]
        print(f"| {floor:.1f} | {cells[0]} | {cells[1]} |")
    own, rest, company, bias = (round(float(one), 3) for one in learn(plain, gold))
    run = (
        f"python benchmarks/calibration/filter_weights.py {options.funnel.name} "
        f"--least {options.least} --write"
    )
    made = FitWeights(
        place=own,
        rest=rest,
        company=company,
        bias=bias,
        least=options.least,
        unknown=round(unknown, 3),
        run=run,
    )
    print(made.model_dump_json())
    if options.write:
        TARGET.write_text(made.model_dump_json(indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
