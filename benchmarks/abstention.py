"""Learns when a memory should say that it holds no answer, and prints what that is worth on other people.

    python benchmarks/abstention.py VAULT REALMEM_FOLDER [--least 0.2] [--write]

VAULT holds what `mnemic eval realmem REALMEM_FOLDER --vault VAULT` ingested. Every memory is asked all
queries of its own person and FOREIGN of the others together, each as of its own date. A logistic
regression over `retrieval.evidence`, both sides weighing the same. Prints, with the person that is judged
left out of the learning: the share of foreign questions that come back empty and of own ones that wrongly do,
for several least chances, person by person for the one that is chosen, and how often an answer is there where
the chance says so. `--write` stores the weights of all people in
`retrieval/data/abstention.json`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evals.abstention import spread
from evals.ranking import asked
from evals.realmem import Person, read_person
from inference import load_embedder
from retrieval.abstention import AnswerWeights, judged
from retrieval.candidates import gather
from retrieval.funnel import above_floor
from vault.reader import open_vault

TARGET = Path("retrieval/data/abstention.json")
FOREIGN = 137
RIDGE = 1e-2
Matrix = npt.NDArray[np.float64]


def askings(people: Sequence[Person]) -> Iterator[tuple[int, bool, object]]:
    """(number of the person whose memory is asked, whether the query is theirs, query)."""
    for number, person in enumerate(people):
        others = [query for other in people if other is not person for query in other.queries]
        yield from ((number, True, query) for query in person.queries)
        yield from ((number, False, query) for query in spread(others, FOREIGN))


def measured(vault: Path, people: Sequence[Person]) -> tuple[Matrix, Matrix, Matrix]:
    """(askings, 7) evidence and 1; 1 where the query is the person's own; the person's number.

    Askings that are not judged, and are answered whatever the weights, have NaN for evidence.
    """
    embedder = load_embedder()
    rows, own, of = list[tuple[float, ...]](), list[bool](), list[int]()
    with open_vault(vault) as reader:
        index = reader.index
        for number, theirs, query in askings(people):
            question = asked(query.query, people[number].account, query.before)  # type: ignore[attr-defined]
            came, _ = above_floor(question, gather(question, index, embedder))
            evidence = judged(question, came)
            rows.append((*(evidence.values if evidence else (np.nan,) * 6), 1.0))
            own.append(theirs)
            of.append(number)
    return np.array(rows), np.array(own, np.float64), np.array(of, np.float64)


def learn(rows: Matrix, wanted: Matrix) -> Matrix:
    """The seven weights, by Newton's method on standardised evidence."""
    known = ~np.isnan(rows[:, 0])
    rows, wanted = rows[known], wanted[known]
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    mean[-1], scale[-1] = 0.0, 1.0
    rows = (rows - mean) / scale
    share = np.where(wanted == 1, 1 / wanted.sum(), 1 / (1 - wanted).sum())
    weights, ridge = np.zeros(rows.shape[1]), RIDGE * np.diag([1.0] * 6 + [1e-4])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (share * (chance - wanted)) + ridge @ weights
        curve = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + ridge
        weights = weights - np.linalg.solve(curve, slope)
    plain = weights / scale
    plain[-1] = weights[-1] - (weights[:-1] * mean[:-1] / scale[:-1]).sum()
    return np.asarray(plain, np.float64)


def chances(rows: Matrix, weights: Matrix) -> Matrix:
    """Of an answer; 1 where the question is not judged."""
    return np.nan_to_num(1 / (1 + np.exp(-rows @ weights)), nan=1.0)


def print_worth(chance: Matrix, own: Matrix, of: Matrix, people: Sequence[Person], least: float) -> None:
    """Three tables: least chances, people, reliability."""
    print("| least chance | foreign empty | own empty |\n|---|---|---|")
    for bound in sorted({0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, least}):
        empty = chance < bound
        print(f"| {bound} | {empty[own == 0].mean():.3f} | {empty[own == 1].mean():.3f} |")
    print(f"\n| person, least {least} | foreign empty | own empty |\n|---|---|---|")
    for number, person in enumerate(people):
        empty, theirs = chance[of == number] < least, own[of == number]
        print(f"| {person.account} | {empty[theirs == 0].mean():.3f} | {empty[theirs == 1].mean():.3f} |")
    print("\n| chance | askings | their mean chance | own, both sides weighing the same |\n|---|---|---|---|")
    weight = np.where(own == 1, 1 / own.sum(), 1 / (1 - own).sum())
    for low in np.arange(0, 1, 0.1):
        inside = (chance >= low) & (chance < low + 0.1)
        if inside.any():
            mean, theirs = (float(np.average(one[inside], weights=weight[inside])) for one in (chance, own))
            print(f"| {low:.1f}-{low + 0.1:.1f} | {inside.sum()} | {mean:.2f} | {theirs:.2f} |")


def main() -> None:
    """Measure, leave each person out, print, store on request."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", type=Path)
    parser.add_argument("realmem", type=Path)
    parser.add_argument("--least", type=float, default=0.2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    people = [read_person(path) for path in sorted(options.realmem.glob("*.zip"))]
    rows, own, of = measured(options.vault, people)
    held_out = np.empty(len(rows))
    for number in range(len(people)):
        others = of != number
        held_out[~others] = chances(rows[~others], learn(rows[others], own[others]))
    print_worth(held_out, own, of, people, options.least)
    parts = [round(float(one), 3) for one in learn(rows, own)]
    names = ("nearness", "words", "agreement", "covered", "unknown", "strangers", "bias")
    run = f"python benchmarks/abstention.py VAULT {options.realmem.name} --least {options.least} --write"
    made = AnswerWeights(**dict(zip(names, parts, strict=True)), least=options.least, run=run)
    print(made.model_dump_json())
    if options.write:
        TARGET.write_text(made.model_dump_json(indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
