"""Learns how likely a package holds the answer, and prints how far that is to be believed.

    python benchmarks/calibration/confidence_weights.py VAULT REALMEM_FOLDER [--measured FILE.npy]
                                                        [--most 500] [--least 0.2] [--write]

VAULT holds what `mnemic eval realmem REALMEM_FOLDER --vault VAULT` ingested. The questions are those of
`abstention_weights.py`: each memory is asked its person's own queries and as many of the others', and small
memories are. The package of 2,000 tokens is made without abstention; it holds the answer where it names one
of the conversations that the set has for it, and never for a question on somebody else's life. A second pass
asks by words alone. Prints, with the person that is judged left out of the learning of both the evidence's
weights and these: reliability in ten parts, the expected calibration error, and what several least
confidences leave empty. `--measured` keeps the measurements and goes on from there, `--most` stops after so
many; `--write` stores the weights of all people in `retrieval/data/confidence.json`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt

from benchmarks.calibration.abstention_weights import AskedQuery, Matrix, askings, learn, rarities
from evals.ranking import asked
from evals.realmem import Person, read_person
from inference import load_embedder
from retrieval.funnel import package_of
from retrieval.question import Mode
from retrieval.rank.thresholds import above_floor
from retrieval.relevance.abstention import MANY_CONVERSATIONS, SAID
from retrieval.relevance.answer_chance import judged
from retrieval.relevance.confidence import Basis, ConfidenceWeights, ResultOutline, outline_of
from retrieval.relevance.evidence import EVIDENCE
from retrieval.search.hybrid import gather
from vault.reader import open_vault

TARGET = Path("retrieval/data/confidence.json")
SCRIPT = "benchmarks/calibration/confidence_weights.py"
NAMES = tuple(ResultOutline(0, 0, 0, 0, 0).values)
RIDGE = 1e-3
WORDS_EVERY = 4
"""One question in so many is asked by words alone too."""


def measured(
    vault: Path, people: Sequence[Person], every: Sequence[AskedQuery], kept: Path | None, most: int | None
) -> dict[str, Matrix]:
    """By name, a row an asking: its `number`; `evidence` with 1 at its end (NaN where it is not judged),
    `outline` and `holds` (0 or 1); and the same by words alone (NaN where it was not asked).

    The askings come in a random order that never changes, so that the first `most` of them are a sample.
    What `kept` has already is not measured again.
    """
    rows = _stored(kept)
    order = np.random.default_rng(3).permutation(len(every))[:most]
    left = [number for number in order.tolist() if number not in rows]
    if not left:
        return _columns([rows[number] for number in order.tolist()])
    embedder, rare, began = load_embedder(), rarities(people), perf_counter()
    with open_vault(vault) as reader:
        for done, number in enumerate(left, 1):
            one = every[number]
            person = people[one.person]
            question = asked(one.query.query, person.account, one.query.before)
            bounded = replace(question, where=replace(question.where, conversations=one.conversations))
            gold = {home for home, own in person.natives.items() if own in one.query.gold_conversations}
            modes = (Mode.HYBRID, Mode.BM25) if number % WORDS_EVERY == 0 else (Mode.HYBRID,)
            found = [float(number), *[np.nan] * WIDTH]
            for mode in modes:
                inside = replace(bounded, mode=mode)
                candidates = gather(inside, reader.index, embedder if mode is Mode.HYBRID else None)
                came, _ = above_floor(inside, candidates)
                package = package_of(inside, candidates, abstains=False)
                holds = one.own and any(hit.conversation_id in gold for hit in package.hits)
                at = 1 if mode is Mode.HYBRID else 2 + len(NAMES)
                found[at : at + len(NAMES) + 1] = [*outline_of(inside, came).values.values(), float(holds)]
                if mode is Mode.HYBRID:
                    told = judged(question, came, rare[frozenset((one.person, one.asker))])
                    if told:
                        found[-len(EVIDENCE) :] = told.values
            rows[number] = found
            if done % 25 == 0 or done == len(left):
                print(f"{done} of {len(left)} in {perf_counter() - began:.0f} s", flush=True)
                if kept is not None:
                    np.save(kept, np.array(list(rows.values())))
    return _columns([rows[number] for number in order.tolist()])


WIDTH = 2 * (len(NAMES) + 1) + len(EVIDENCE)


def _stored(kept: Path | None) -> dict[int, list[float]]:
    if kept is None or not kept.is_file():
        return {}
    return {int(row[0]): row.tolist() for row in np.load(kept)}


def _columns(rows: Sequence[Sequence[float]]) -> dict[str, Matrix]:
    table, wide = np.array(rows), len(NAMES) + 1
    return {
        "number": table[:, 0],
        "outline": table[:, 1:wide],
        "holds": table[:, wide],
        "words": table[:, wide + 1 : 2 * wide],
        "words_hold": table[:, 2 * wide],
        "evidence": np.column_stack([table[:, 2 * wide + 1 :], np.ones(len(table))]),
    }


def fit(rows: Matrix, holds: Matrix, weight: Matrix) -> Matrix:
    """The weights and, last, the bias: a logistic regression by Newton's method on standardised values."""
    mean, scale = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-9)
    given = np.column_stack([(rows - mean) / scale, np.ones(len(rows))])
    weight = weight / weight.sum()
    ridge = RIDGE * np.diag([1.0] * rows.shape[1] + [1e-4])
    learned = np.zeros(given.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-given @ learned))
        slope = given.T @ (weight * (chance - holds)) + ridge @ learned
        curve = (given * (weight * chance * (1 - chance))[:, None]).T @ given + ridge
        learned = learned - np.linalg.solve(curve, slope)
    plain = learned[:-1] / scale
    return np.append(plain, learned[-1] - plain @ mean)


def chance_of(rows: Matrix, weights: Matrix) -> Matrix:
    """The chance of each row."""
    return np.asarray(1 / (1 + np.exp(-np.clip(rows @ weights[:-1] + weights[-1], -50, 50))), np.float64)


class Calibration:
    """The askings with what was measured of them, and the learning from some for others."""

    def __init__(self, every: Sequence[AskedQuery], found: dict[str, Matrix]) -> None:
        self.found = found
        self.own = np.array([one.own for one in every])
        self.of = np.array([one.person for one in every])
        self.small = np.array([one.size > 0 for one in every])
        self.judged = ~np.isnan(found["evidence"][:, 0])
        self.worded = ~np.isnan(found["words_hold"])
        side = np.where(self.small, 0.5, 1.0)
        # own and foreign weigh the same, the small memories together half as much as the whole ones
        for own in (False, True):
            for small in (False, True):
                those = (self.own == own) & (self.small == small)
                side[those] /= max(those.sum(), 1)
        self.weight = side

    def rows_of(self, basis: Basis, evidence: Matrix) -> Matrix:
        """Values of every asking for a basis; `evidence` are the weights of the evidence."""
        if basis is Basis.WORDS:
            return self.found["words"]
        if basis is Basis.OUTLINE:
            return self.found["outline"]
        return np.column_stack([self.found["outline"], self.found["evidence"] @ evidence])

    def learned(self, among: npt.NDArray[np.bool_]) -> tuple[Matrix, dict[Basis, Matrix]]:
        """The evidence's weights and those of each basis, from some of the askings."""
        numbers = (self.found["evidence"], self.own.astype(float), self.small.astype(float))
        evidence = learn(*(one[among] for one in numbers))
        weights = dict[Basis, Matrix]()
        for basis in Basis:
            holds = self.found["words_hold" if basis is Basis.WORDS else "holds"]
            there = among & {Basis.WORDS: self.worded, Basis.EVIDENCE: self.judged}.get(basis, among)
            weights[basis] = fit(self.rows_of(basis, evidence)[there], holds[there], self.weight[there])
        return evidence, weights

    def left_out(self) -> dict[Basis, Matrix]:
        """The chance of every asking by each basis, with the asked memory's person left out."""
        chances = {basis: np.full(len(self.of), np.nan) for basis in Basis}
        for person in np.unique(self.of):
            theirs = self.of == person
            evidence, weights = self.learned(~theirs)
            for basis in Basis:
                rows = self.rows_of(basis, evidence)
                chances[basis][theirs] = chance_of(rows[theirs], weights[basis])
        return chances


def print_reliability(name: str, chance: Matrix, holds: Matrix, weight: Matrix) -> None:
    """Ten parts of equal width, and the expected calibration error: the mean distance of their confidence
    from how often the answer is there, by their weight."""
    print(f"\n| {name}: confidence | packages | their mean confidence | hold the answer |\n|---|---|---|---|")
    error = 0.0
    for low in range(10):
        inside = (chance >= low / 10) & ((chance < (low + 1) / 10) | (low == 9))
        if inside.any():
            mean, there = (float(np.average(one[inside], weights=weight[inside])) for one in (chance, holds))
            error += float(weight[inside].sum() / weight.sum()) * abs(mean - there)
            print(f"| {low / 10:.1f}-{(low + 1) / 10:.1f} | {inside.sum()} | {mean:.3f} | {there:.3f} |")
    print(f"\nExpected calibration error of {name}: {error:.3f} ({len(chance)} packages)")


def main() -> None:
    """Measure, leave each person out, print, store on request."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", type=Path)
    parser.add_argument("realmem", type=Path)
    parser.add_argument("--measured", type=Path)
    parser.add_argument("--most", type=int)
    parser.add_argument("--least", type=float, default=0.2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    people = [read_person(path) for path in sorted(options.realmem.glob("*.zip"))]
    every = list(askings(people))
    found = measured(options.vault, people, every, options.measured, options.most)
    every = [every[number] for number in found["number"].astype(int).tolist()]
    report(Calibration(every, found), [one.account for one in people], options.least)
    write(Calibration(every, found), options)


def report(calibration: Calibration, accounts: Sequence[str], least: float) -> None:
    """Reliability of each basis where it is used, and of all together; what several bounds leave empty."""
    chances, found, whole = calibration.left_out(), calibration.found, ~calibration.small
    parts = {
        Basis.EVIDENCE: whole & calibration.judged,
        Basis.OUTLINE: whole,
        Basis.WORDS: whole & calibration.worded,
    }
    for basis, inside in parts.items():
        holds = found["words_hold" if basis is Basis.WORDS else "holds"]
        print_reliability(basis, chances[basis][inside], holds[inside], calibration.weight[inside])
    used = np.where(calibration.judged, chances[Basis.EVIDENCE], chances[Basis.OUTLINE])
    print_reliability("as used", used[whole], found["holds"][whole], calibration.weight[whole])
    small = calibration.small
    print_reliability("small memories", used[small], found["holds"][small], calibration.weight[small])
    print("\n| least confidence | foreign empty | own empty | own empty whose package held the answer |")
    print("|---|---|---|---|")
    silent = used * _spared(found)
    own, held = calibration.own & whole, found["holds"] > 0
    for bound in sorted({0.05, 0.1, 0.15, 0.2, 0.25, 0.3, least}):
        empty = calibration.judged & (silent < bound)
        shares = [empty[inside].mean() for inside in (whole & ~calibration.own, own, own & held)]
        print(f"| {bound} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")
    print(f"\n| person, least {least} | foreign empty | own empty |\n|---|---|---|")
    empty = calibration.judged & (silent < least)
    for number, account in enumerate(accounts):
        theirs = whole & (calibration.of == number)
        shares = [empty[theirs & side].mean() for side in (~calibration.own, calibration.own)]
        print(f"| {account} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")
    print(f"\nPackages of own questions that hold the answer: {found['holds'][own].mean():.3f}")


def _spared(found: dict[str, Matrix]) -> Matrix:
    """What a confidence is multiplied by before it is held against the least: more where the conversations
    are few, without end where one note has most of the question."""
    few = np.minimum(np.exp(np.nan_to_num(found["evidence"][:, -2])) / MANY_CONVERSATIONS, 1.0)
    return np.where(found["outline"][:, NAMES.index("said")] >= SAID, np.inf, 1 / few)


def write(calibration: Calibration, options: argparse.Namespace) -> None:
    """The weights of all people: printed, and stored where that was asked."""
    names = {Basis.EVIDENCE: (*NAMES, "logit"), Basis.OUTLINE: NAMES, Basis.WORDS: NAMES}
    _, weights = calibration.learned(np.ones(len(calibration.of), np.bool_))
    sample = f" --most {options.most}" if options.most else ""
    made = ConfidenceWeights(
        weights={
            basis: dict(
                zip((*names[basis], "bias"), (round(float(one), 3) for one in weights[basis]), strict=True)
            )
            for basis in Basis
        },
        least=options.least,
        run=f"python {SCRIPT} VAULT realmem{sample} --least {options.least} --write",
    )
    print(made.model_dump_json())
    if options.write:
        TARGET.write_text(made.model_dump_json(indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
