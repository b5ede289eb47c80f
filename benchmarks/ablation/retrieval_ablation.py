"""What each part of the retrieval brings: the ablation table of `docs/retrieval.md`.

    python benchmarks/ablation/retrieval_ablation.py VAULT SUITES [--every 1] [--only PART] [--people |
    --cosines]

VAULT holds what `mnemic eval realmem SUITES/realmem --vault VAULT` and the same for locomo ingested. Prints a
Markdown table: RealMem by conversation, LoCoMo by message (categories 1-4), both ranked over a pool of 200,
and by session. `--every` asks one query in so many, `--only` names the variants to run by a part of their
names. With `--people`, RealMem as shipped, person by person; with `--cosines`, what the floor is set by.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from evals.locomo import SpeakerPair, read_pair, score_pairs
from evals.ranking import TIMELESS, FoundIds, Metrics, asked, find, found_among
from evals.realmem import Person, read_person, score_people
from inference import load_embedder
from inference.embedder import Embedder
from retrieval.assembly import DroppedCandidate
from retrieval.funnel import FUNNEL, ranked
from retrieval.funnel_step import Step
from retrieval.question import Fusion, Question, Weights
from retrieval.search.decomposition import gather_decomposed
from retrieval.search.hybrid import Candidate, gather
from retrieval.search.query_spelling import corrected
from vault.index import Index, Where
from vault.points import PointKind
from vault.reader import open_vault

Change = Callable[[Question], Question]
PACKAGE = 1000


def as_it_is(question: Question) -> Question:
    """No change."""
    return question


def weighted(*weights: float) -> Change:
    """The question with other weights: meaning, words, and both of the conversation."""
    return lambda question: replace(question, weights=Weights(*weights))


def only(*kinds: PointKind) -> Change:
    """The question asked of some kinds of notes alone."""
    return lambda question: replace(question, where=replace(question.where, kinds=kinds))


def nothing(_: Question, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """A step that is switched off."""
    return list(candidates), []


def all_equal(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """The rank, where every tier weighs the same."""
    level = [replace(one, payload=one.payload.model_copy(update={"weight": 1.0})) for one in candidates]
    return ranked(question, level)


def timeless(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """The rank, where nothing ages: neither by time nor by newer sessions."""
    return ranked(replace(question, as_of=TIMELESS), [replace(one, newer=0) for one in candidates])


def threadless(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """The rank, where no note is in a thread."""
    return ranked(question, [replace(one, thread="", newer=0) for one in candidates])


def lending_nothing(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """The rank, where threads lend nothing; newer sessions count."""
    return ranked(question, [replace(one, thread="") for one in candidates])


@dataclass(frozen=True)
class Variant:
    """What is other than shipped: how the question is asked, and steps of the funnel."""

    change: Change = as_it_is
    steps: Mapping[str, Step] = field(default_factory=dict)
    spelled: bool = False
    """Whether misspelt words are read as near ones, as `recall` does."""
    abstains: bool = True
    """Whether a package is empty where the confidence is too small."""


VARIANTS: dict[str, Variant] = {
    "as shipped": Variant(),
    "without meaning (BM25 alone)": Variant(weighted(0, 1, 0, 1)),
    "without words (dense alone)": Variant(weighted(1, 0, 1, 0)),
    "ranks in place of scores (RRF)": Variant(lambda question: replace(question, fusion=Fusion.RRF)),
    "words count double": Variant(weighted(1, 2, 1, 2)),
    "meaning counts double": Variant(weighted(2, 1, 2, 1)),
    "without recency": Variant(steps={"rank": timeless}),
    "without threads": Variant(steps={"rank": threadless}),
    "threads lend nothing": Variant(steps={"rank": lending_nothing}),
    "without tier weights": Variant(steps={"rank": all_equal}),
    "with summaries and maps": Variant(only(*PointKind)),
    "conversations lend nothing": Variant(weighted(1, 1, 0, 0)),
    "without conversations as points": Variant(only(PointKind.UNIT, PointKind.CHUNK)),
    "without units": Variant(only(PointKind.CHUNK, PointKind.CONVERSATION)),
    "without chunks": Variant(only(PointKind.UNIT, PointKind.CONVERSATION)),
    "with spelling": Variant(spelled=True),
    "with variations (--decompose)": Variant(lambda question: replace(question, decomposed=True)),
    "without the similarity floor": Variant(steps={"similarity floor": nothing}),
    "without the fit-gate": Variant(steps={"fit-gate": nothing}),
    "without abstention": Variant(abstains=False),
    "without dedup": Variant(steps={"exact dedup": nothing}),
    "without spread": Variant(steps={"spread": nothing}),
    "a pool of 50": Variant(lambda question: replace(question, pool=50)),
}


class EachTextOnce:
    """An embedder that remembers: the variants ask the same queries."""

    def __init__(self) -> None:
        self._embedder = load_embedder()
        self.binding, self.dimension = self._embedder.binding, self._embedder.dimension
        self.max_tokens, self.count_tokens = self._embedder.max_tokens, self._embedder.count_tokens
        self.embed = self._embedder.embed
        self.embed_query = lru_cache(maxsize=None)(self._embedder.embed_query)


def main() -> None:
    """Score every variant on both suites."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", type=Path)
    parser.add_argument("suites", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--people", action="store_true")
    parser.add_argument("--cosines", action="store_true")
    options = parser.parse_args()
    people = [read_person(path) for path in sorted((options.suites / "realmem").glob("*.zip"))]
    pairs = [read_pair(path) for path in sorted((options.suites / "locomo").glob("*.transcript.jsonl"))]
    people = [replace(one, queries=one.queries[:: options.every]) for one in people]
    pairs = [replace(one, queries=one.queries[:: options.every]) for one in pairs]
    embedder = EachTextOnce()
    with open_vault(options.vault) as reader:
        if options.people:
            print_people(people, reader.index, embedder)
        elif options.cosines:
            print_cosines(people, reader.index, embedder)
        else:
            print_table(people, pairs, reader.index, embedder, options.only)


def print_people(people: Sequence[Person], index: Index, embedder: Embedder) -> None:
    """RealMem as shipped and BM25 beside it, person by person and together."""
    print(
        "| person | queries | R@1, 5, 10, MRR | with what floor and gate drop left out | dropped "
        "| packages of 1,000, 2,000 | BM25 |\n|---|---|---|---|---|---|---|"
    )

    @cache
    def rank(query: str, account: str, before: datetime | None) -> FoundIds:
        return find(asked(query, account, before), index, embedder)

    for name, some in (*((one.account, [one]) for one in people), ("all", people)):
        score = score_people(some, rank, "offline")
        gated = row(score.with_gate) if score.with_gate else ""
        packages = ", ".join(f"{share:.3f}" for share in score.recall_in_package.values())
        cells = (name, str(score.rows), row(score), gated, f"{score.gate_dropped:.3f}", packages)
        print(f"| {' | '.join(cells)} | {row(score.baseline)} |", flush=True)


def print_cosines(people: Sequence[Person], index: Index, embedder: Embedder) -> None:
    """Quantiles of a query's cosine: to each gold conversation's best passage, to all, to the best of all."""
    gold, every, best = list[float](), list[float](), list[float]()
    for person in people:
        for query in person.queries:
            where = Where(person.account, kinds=(PointKind.CHUNK,), before=query.before)
            found = index.search_dense(embedder.embed_query(query.query), where, 100_000)
            per_conversation: dict[str, float] = {}
            for hit in found:
                home = person.natives[str(hit.stored["conversation_id"])]
                per_conversation.setdefault(home, hit.score)
            gold += [per_conversation[one] for one in query.gold_conversations if one in per_conversation]
            every += [hit.score for hit in found]
            best.append(found[0].score)
    for name, values in (("gold", gold), ("all", every), ("best of all", best)):
        print(f"| {name} | " + " | ".join(f"{x:.2f}" for x in np.quantile(values, (0.01, 0.05, 0.5))) + " |")


def print_table(
    people: Sequence[Person],
    pairs: Sequence[SpeakerPair],
    index: Index,
    embedder: Embedder,
    parts: Sequence[str],
) -> None:
    """Every variant on both suites, or those that have one of the parts in their names."""

    @cache
    def plainly(text: str, where: Where, change: Change) -> list[Candidate]:
        question = change(replace(asked(text, where.whose, where.before), where=where))
        return (gather_decomposed if question.decomposed else gather)(question, index, embedder)

    def rank(query: str, account: str, before: datetime | None, variant: Variant) -> FoundIds:
        question = variant.change(asked(query, account, before))
        # what only changes how candidates are ordered or dropped asks for the same candidates
        moved = replace(question, as_of=asked(query, account, before).as_of)
        change = as_it_is if moved == asked(query, account, before) else variant.change
        where = asked(query, account, before).where
        candidates = plainly(question.text, where, change)
        if variant.spelled:
            said = (text for one in candidates for text in (one.home, one.payload.text))
            question = replace(question, text=corrected(question.text, said))
            candidates = plainly(question.text, where, change)
        steps = dict(FUNNEL) | dict(variant.steps)
        return found_among(
            question, candidates, steps, (PACKAGE,), steps["fit-gate"], abstains=variant.abstains
        )

    print(
        "| variant | RealMem R@1, 5, 10, MRR | R@10 with what floor and gate drop left out "
        f"| package of {PACKAGE} | LoCoMo R@1, 5, 10, MRR | sessions R@10 |\n|---|---|---|---|---|---|"
    )
    named = {name: one for name, one in VARIANTS.items() if not parts or any(part in name for part in parts)}
    for name, variant in named.items():

        def ask(query: str, account: str, before: datetime | None, variant: Variant = variant) -> FoundIds:
            return rank(query, account, before, variant)

        realmem, locomo = score_people(people, ask, "offline"), score_pairs(pairs, ask, "offline")
        gated = realmem.with_gate.recall_at_10 if realmem.with_gate else 0.0
        sessions = locomo.session.recall_at_10 if locomo.session else 0.0
        cells = [
            name,
            row(realmem),
            f"{gated:.3f}",
            f"{realmem.recall_in_package[PACKAGE]:.3f}",
            row(locomo),
            f"{sessions:.3f}",
        ]
        print("| " + " | ".join(cells) + " |", flush=True)
    baseline = locomo.session_baseline.recall_at_10 if locomo.session_baseline else 0.0
    print(f"| BM25 on raw texts | {row(realmem.baseline)} | | | {row(locomo.baseline)} | {baseline:.3f} |")
    print(f"\n{realmem.rows} queries of RealMem, {locomo.rows} of LoCoMo")


def row(metrics: Metrics) -> str:
    """Four figures in one cell."""
    return ", ".join(
        f"{value:.3f}"
        for value in (metrics.recall_at_1, metrics.recall_at_5, metrics.recall_at_10, metrics.mrr)
    )


if __name__ == "__main__":
    main()
