"""What a deep search's pool holds of the answers that recall misses.

    python benchmarks/quality/deep_search_pools.py VAULT REALMEM_FOLDER [--every 5] [--no-names]

VAULT holds what `mnemic eval realmem REALMEM_FOLDER --vault VAULT` ingested. Of one query in so many, each in
its own person's memory as of its own date: a gold conversation that the package of 2,000 tokens (made without
abstention) does not name is a miss. Prints how many misses the pool of 50 holds, how many of them only the
neighbours in it bring and how many recall's own first 50 would, how many the offline order puts into the
package, and how long recall and deep search take.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np

from evals.ranking import asked
from evals.realmem import read_person
from inference import load_embedder
from retrieval.deep.expansion import POOL, pool_of
from retrieval.deep.merging import blended, steps_after
from retrieval.deep.offline_judge import compared_offline
from retrieval.funnel import FUNNEL, package_of
from retrieval.search.hybrid import gather
from vault.name_graph import NameGraph
from vault.reader import open_vault


def main() -> None:
    """Ask, count, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", type=Path)
    parser.add_argument("realmem", type=Path)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--no-names", action="store_true", help="neighbours in time alone")
    options = parser.parse_args()
    embedder, counted, times = load_embedder(), np.zeros(6, np.int64), list[tuple[float, float]]()
    with open_vault(options.vault) as reader:
        names = None if options.no_names else NameGraph(reader.ledger)
        for path in sorted(options.realmem.glob("*.zip")):
            person = read_person(path)
            for query in person.queries[:: options.every]:
                question = asked(query.query, person.account, query.before)
                gold = {home for home, own in person.natives.items() if own in query.gold_conversations}
                began = perf_counter()
                candidates = gather(question, reader.index, embedder)
                primary = package_of(question, candidates, abstains=False)
                between = perf_counter()
                pool = pool_of(question, candidates, reader.index, embedder, names)
                compared = compared_offline(question.text, pool)
                merged = package_of(
                    question, blended(candidates, pool, compared), steps=steps_after(FUNNEL, compared),
                    abstains=False,
                )  # fmt: skip
                times.append((between - began, perf_counter() - between))
                missed = gold - {hit.conversation_id for hit in primary.hits}
                homes = [(one.candidate.payload.conversation_id, one.why) for one in pool]
                first = sorted(candidates, key=lambda one: (-one.relevance, one.id))[:POOL]
                counted += (
                    len(gold),
                    len(missed),
                    len(missed & {home for home, _ in homes}),
                    len(
                        missed
                        & ({home for home, why in homes if why} - {home for home, why in homes if not why})
                    ),
                    len(missed & {one.payload.conversation_id for one in first}),
                    len(gold & {hit.conversation_id for hit in merged.hits}) - (len(gold) - len(missed)),
                )
            print(person.account, counted.tolist(), flush=True)
    columns = ("gold", "missed", "in the pool", "by neighbours alone", "in recall's first 50", "gained")
    print(", ".join(f"{name} {count}" for name, count in zip(columns, counted.tolist(), strict=True)))
    for name, spent in zip(("recall", "deep search"), np.array(times).T, strict=True):
        middle, late = 1000 * np.quantile(spent, (0.5, 0.95))
        print(f"{name}: p50 {middle:.0f} ms, p95 {late:.0f} ms")


if __name__ == "__main__":
    main()
