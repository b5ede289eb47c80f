"""Learns when a memory should say that it holds no answer, and prints what that is worth on other people.

    python benchmarks/calibration/abstention_weights.py VAULT REALMEM_FOLDER [--least 0.2] [--write]

VAULT holds what `mnemic eval realmem REALMEM_FOLDER --vault VAULT` ingested. Every memory is asked all
queries of its own person and FOREIGN of the others together, each as of its own date; and small memories,
drawn from each person's conversations (4, 8, 15 or 30 of them, with the answer for own queries), are asked
SMALL of either. How rare words are (`retrieval.relevance.word_rarity`) is counted over the conversations of
the people that neither ask nor are asked. A logistic regression over `retrieval.relevance.evidence`, own and
foreign weighing the same, the small memories together half as much as the whole ones. Prints, with the
person that is judged left out of the learning: the share of foreign questions that come back empty and of
own ones that wrongly do, for several least chances, person by person and by the size of the small memories
for the one that is chosen, and how often an answer is there where the chance says so. `--write` stores the
weights of all people in `retrieval/data/abstention.json`, and what all of them together say of words in
`retrieval/data/rarity.npz`.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evals.abstention import spread
from evals.ranking import asked
from evals.realmem import Person, RealMemQuery, read_person
from inference import load_embedder
from inference.sparse import encode_query
from retrieval.rank.thresholds import above_floor
from retrieval.relevance.abstention import MANY_CONVERSATIONS, SAID
from retrieval.relevance.answer_chance import AnswerWeights, judged
from retrieval.relevance.evidence import EVIDENCE, best_share
from retrieval.relevance.word_rarity import Rarity, counted, store
from retrieval.search.hybrid import gather
from vault.reader import open_vault

TARGET, WORDS = Path("retrieval/data/abstention.json"), Path("retrieval/data/rarity.npz")
FOREIGN = 137
SMALL, SIZES, SMALL_WEIGHS = 70, (4, 8, 15, 30), 0.5
RIDGE = 1e-2
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """A query asked of a memory: of all of a person's, or of `size` conversations of it."""

    person: int
    asker: int
    query: RealMemQuery
    size: int = 0
    conversations: tuple[str, ...] | None = None

    @property
    def own(self) -> bool:
        """Whether it is a question on the memory's own person."""
        return self.person == self.asker


def askings(people: Sequence[Person]) -> Iterator[AskedQuery]:
    """Of whole memories first, then of small ones."""
    draw = random.Random(3)
    asker = {query: number for number, person in enumerate(people) for query in person.queries}
    for number, person in enumerate(people):
        others = [query for other in people if other is not person for query in other.queries]
        whole = (*person.queries, *spread(others, FOREIGN))
        yield from (AskedQuery(number, asker[query], query) for query in whole)
        for own, queries in ((True, person.queries), (False, others)):
            for query in spread(queries, SMALL):
                size = draw.choice(SIZES)
                chosen = few(person, query if own else None, query, size, draw)
                yield AskedQuery(number, asker[query], query, size, chosen)


def few(
    person: Person, answered: RealMemQuery | None, query: RealMemQuery, size: int, draw: random.Random
) -> tuple[str, ...]:
    """Ids of so many of the conversations before the query, and of those with the answer."""
    seen = [one for one in person.conversations if one.created_at and one.created_at < query.before]
    gold = set(answered.gold_conversations) if answered else set()
    chosen = {one.id for one in draw.sample(seen, min(size, len(seen)))}
    return tuple(chosen | {one.id for one in person.conversations if one.native_id in gold})


def said_by(person: Person) -> tuple[Counter[int], int]:
    """How many of a person's conversations have each term, and how many there are."""
    having = Counter[int]()
    for one in person.conversations:
        having.update(frozenset[int]().union(*(encode_query(said.text).indices for said in one.messages)))
    return having, len(person.conversations)


def rarities(people: Sequence[Person]) -> dict[frozenset[int], Rarity]:
    """How rare words are to the others, by the one or two people who are left out; by nobody, to all."""
    said = [said_by(person) for person in people]
    numbers = range(len(people))
    left_out = {frozenset((one, other)) for one in numbers for other in numbers} | {frozenset[int]()}
    return {
        without: counted([one for number, one in enumerate(said) if number not in without])
        for without in left_out
    }


def measured(
    vault: Path, people: Sequence[Person], every: Sequence[AskedQuery], rare: Mapping[frozenset[int], Rarity]
) -> tuple[Matrix, Matrix]:
    """(askings, values) evidence and 1; of each the best share of its terms in one note.

    Askings that are not judged, and are answered whatever the weights, have NaN for evidence.
    """
    embedder = load_embedder()
    rows, shares = list[tuple[float, ...]](), list[float]()
    with open_vault(vault) as reader:
        for one in every:
            question = asked(one.query.query, people[one.person].account, one.query.before)
            bounded = replace(question, where=replace(question.where, conversations=one.conversations))
            came, _ = above_floor(bounded, gather(bounded, reader.index, embedder))
            evidence = judged(question, came, rare[frozenset((one.person, one.asker))])
            rows.append((*(evidence.values if evidence else (np.nan,) * len(EVIDENCE)), 1.0))
            shares.append(best_share(question.text, came))
    return np.array(rows), np.array(shares)


def learn(rows: Matrix, wanted: Matrix, small: Matrix) -> Matrix:
    """The weights and the bias, by Newton's method on standardised evidence."""
    known = ~np.isnan(rows[:, 0])
    rows, wanted, small = rows[known], wanted[known], small[known]
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    mean[-1], scale[-1] = 0.0, 1.0
    rows = (rows - mean) / scale
    share = np.zeros(len(rows))
    for side in (0, 1):
        for size, weighs in ((0, 1.0), (1, SMALL_WEIGHS)):
            of = (wanted == side) & (small == size)
            share[of] = weighs / max(of.sum(), 1)
    weights, ridge = np.zeros(rows.shape[1]), RIDGE * np.diag([1.0] * len(EVIDENCE) + [1e-4])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (share * (chance - wanted)) + ridge @ weights
        curve = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + ridge
        weights = weights - np.linalg.solve(curve, slope)
    plain = weights / scale
    plain[-1] = weights[-1] - (weights[:-1] * mean[:-1] / scale[:-1]).sum()
    return np.asarray(plain, np.float64)


def chances(rows: Matrix, shares: Matrix, weights: Matrix) -> Matrix:
    """Of an answer, over the memory's share of the least chance; 1 where the question is answered anyway."""
    few = np.minimum(np.exp(np.nan_to_num(rows[:, -2])) / MANY_CONVERSATIONS, 1.0)
    chance = np.nan_to_num(1 / (1 + np.exp(-rows @ weights)) / few, nan=1.0)
    return np.where(shares >= SAID, 1.0, np.minimum(chance, 1.0))


def print_worth(
    chance: Matrix, every: Sequence[AskedQuery], people: Sequence[Person], shares: Matrix, least: float
) -> None:
    """Four tables: least chances, people, small memories, reliability."""
    own, of = np.array([one.own for one in every]), np.array([one.person for one in every])
    size = np.array([one.size for one in every])
    whole = size == 0

    def cells(which: npt.NDArray[np.bool_], bound: float = least) -> str:
        empty = chance < bound
        return f"{empty[which & ~own].mean():.3f} | {empty[which & own].mean():.3f} |"

    print("| least chance | foreign empty | own empty |\n|---|---|---|")
    for bound in sorted({0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, least}):
        print(f"| {bound} | {cells(whole, bound)}")
    print(f"\n| person, least {least} | foreign empty | own empty |\n|---|---|---|")
    for number, person in enumerate(people):
        print(f"| {person.account} | {cells(whole & (of == number))}")
    print(f"\n| conversations, least {least} | foreign empty | own empty |\n|---|---|---|")
    for count in SIZES:
        print(f"| {count} | {cells(size == count)}")
    said = shares >= SAID
    print(f"\nSaid in one note: foreign {said[whole & ~own].mean():.3f}, own {said[whole & own].mean():.3f}")
    print("\n| chance | askings | their mean chance | own, both sides weighing the same |\n|---|---|---|---|")
    weight = np.where(own, 1 / (whole & own).sum(), 1 / (whole & ~own).sum())
    for low in np.arange(0, 1, 0.1):
        inside = whole & (chance >= low) & (chance < low + 0.1)
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
    every = list(askings(people))
    rare = rarities(people)
    rows, shares = measured(options.vault, people, every, rare)
    own, of, small = (
        np.array(one, np.float64)
        for one in zip(*((one.own, one.person, one.size > 0) for one in every), strict=True)
    )
    held_out = np.empty(len(rows))
    for number in range(len(people)):
        others = of != number
        weights = learn(rows[others], own[others], small[others])
        held_out[~others] = chances(rows[~others], shares[~others], weights)
    print_worth(held_out, every, people, shares, options.least)
    *learned, bias = (round(float(one), 3) for one in learn(rows, own, small))
    run = (
        f"python benchmarks/calibration/abstention_weights.py VAULT {options.realmem.name} "
        f"--least {options.least} --write"
    )
    named = dict(zip(EVIDENCE, learned, strict=True))
    made = AnswerWeights(weights=named, bias=bias, run=run)
    print(made.model_dump_json())
    if options.write:
        TARGET.write_text(made.model_dump_json(indent=2) + "\n", encoding="utf-8")
        store(rare[frozenset()], WORDS)


if __name__ == "__main__":
    main()
