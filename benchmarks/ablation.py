"""What each part of the retrieval brings: the ablation table of `docs/retrieval.md`.

    python benchmarks/ablation.py VAULT SUITES [--people | --cosines]

VAULT holds what `mnemic eval realmem SUITES/realmem --vault VAULT` and the same for locomo ingested. Prints a
Markdown table: RealMem by conversation, LoCoMo by message (categories 1-4), both ranked over a pool of 200.
With `--people`, RealMem as shipped, person by person; with `--cosines`, what the similarity floor is set by.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

import numpy as np

from evals.locomo import Pair, read_pair, score_pairs
from evals.ranking import TIMELESS, Found, Metrics, asked, find
from evals.realmem import Person, read_person, score_people
from inference import load_embedder
from inference.embedder import Embedder
from retrieval.question import Question, Weights
from vault.index import Index, Where
from vault.points import PointKind
from vault.reader import open_vault

Change = Callable[[Question], Question]


def weighted(*weights: float) -> Change:
    """The question with other weights: meaning, words, and both of the conversation."""
    return lambda question: replace(question, weights=Weights(*weights))


def only(*kinds: PointKind) -> Change:
    """The question asked of some kinds of notes alone."""
    return lambda question: replace(question, where=replace(question.where, kinds=kinds))


VARIANTS: dict[str, Change] = {
    "as shipped": lambda question: question,
    "nothing fades": lambda question: replace(question, as_of=TIMELESS),
    "words only": weighted(0, 1, 0, 1),
    "meaning only": weighted(1, 0, 1, 0),
    "the passage only": weighted(1, 1, 0, 0),
    "the conversation only": weighted(0, 0, 1, 1),
    "the conversation counts half": weighted(1, 1, 0.5, 0.5),
    "words count double": weighted(1, 2, 1, 2),
    "meaning counts double": weighted(2, 1, 2, 1),
    "without units": only(PointKind.CHUNK, PointKind.CONVERSATION),
    "without chunks": only(PointKind.UNIT, PointKind.CONVERSATION),
    "a pool of 50": lambda question: replace(question, pool=50),
    "a pool of 800": lambda question: replace(question, pool=800),
}


class EachTextOnce:
    """An embedder that remembers: the variants ask the same queries."""

    def __init__(self) -> None:
        self._embedder = load_embedder()
        self.binding, self.dimension = self._embedder.binding, self._embedder.dimension
        self.max_tokens, self.count_tokens = self._embedder.max_tokens, self._embedder.count_tokens
        self._one = lru_cache(maxsize=None)(lambda text: self._embedder.embed([text]))

    def embed(self, texts):  # type: ignore[no-untyped-def]
        """The vector of one query."""
        return self._one(texts[0])


def main() -> None:
    """Score every variant on both suites."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", type=Path)
    parser.add_argument("suites", type=Path)
    parser.add_argument("--people", action="store_true")
    parser.add_argument("--cosines", action="store_true")
    options = parser.parse_args()
    people = [read_person(path) for path in sorted((options.suites / "realmem").glob("*.zip"))]
    pairs = [read_pair(path) for path in sorted((options.suites / "locomo").glob("*.transcript.jsonl"))]
    embedder = EachTextOnce()
    with open_vault(options.vault) as reader:
        if options.people:
            print_people(people, reader.index, embedder)
        elif options.cosines:
            print_cosines(people, reader.index, embedder)
        else:
            print_table(people, pairs, reader.index, embedder)


def print_people(people: Sequence[Person], index: Index, embedder: Embedder) -> None:
    """RealMem as shipped and BM25 beside it, person by person."""
    print("| person | queries | R@1, 5, 10, MRR | BM25 |\n|---|---|---|---|")
    for person in people:
        score = score_people([person], lambda *query: find(asked(*query), index, embedder), "offline")
        print(f"| {person.account} | {score.rows} | {row(score)} | {row(score.baseline)} |", flush=True)


def print_cosines(people: Sequence[Person], index: Index, embedder: Embedder) -> None:
    """Quantiles of a query's cosine: to each gold conversation's best passage, to all, to the best of all."""
    gold, every, best = list[float](), list[float](), list[float]()
    for person in people:
        for query in person.queries:
            where = Where(person.account, kinds=(PointKind.CHUNK,), before=query.before)
            found = index.search_dense(embedder.embed([query.query])[0], where, 100_000)
            per_conversation: dict[str, float] = {}
            for hit in found:
                home = person.natives[str(hit.stored["conversation_id"])]
                per_conversation.setdefault(home, hit.score)
            gold += [per_conversation[one] for one in query.gold_conversations if one in per_conversation]
            every += [hit.score for hit in found]
            best.append(found[0].score)
    for name, values in (("gold", gold), ("all", every), ("best of all", best)):
        print(f"| {name} | " + " | ".join(f"{x:.2f}" for x in np.quantile(values, (0.01, 0.05, 0.5))) + " |")


def print_table(people: Sequence[Person], pairs: Sequence[Pair], index: Index, embedder: Embedder) -> None:
    """Every variant on both suites."""
    print("| variant | RealMem R@1, 5, 10, MRR | package of 1,000 | LoCoMo R@1, 5, 10, MRR | sessions R@10 |")
    print("|---|---|---|---|---|")
    for name, change in VARIANTS.items():

        def rank(query: str, account: str, before: datetime | None, change: Change = change) -> Found:
            return find(change(asked(query, account, before)), index, embedder)

        realmem = score_people(people, rank, "offline")
        locomo = score_pairs(pairs, rank, "offline")
        sessions = locomo.session.recall_at_10 if locomo.session else 0.0
        cells = [name, row(realmem), realmem.recall_in_package[1000], row(locomo), sessions]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    print(f"| BM25 on raw texts | {row(realmem.baseline)} | | {row(locomo.baseline)} | |")


def row(metrics: Metrics) -> str:
    """Four figures in one cell."""
    return ", ".join(
        f"{value:.3f}"
        for value in (metrics.recall_at_1, metrics.recall_at_5, metrics.recall_at_10, metrics.mrr)
    )


if __name__ == "__main__":
    main()
