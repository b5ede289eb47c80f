"""How long a warm recall takes in process.

    python benchmarks/speed/recall_latency.py VAULT QUERIES... [--sample 200]

VAULT holds the archives of the realmem suite, each an account of its own (`mnemic ingest`); QUERIES are its
`<person>.queries.jsonl`. Prints one JSON line: wall and processor time of a recall in milliseconds, embedding
of the query included, as a library call (`recall`) and in a process that was made ready to serve, as
`mnemic mcp` is (`served`), and of the embedding alone. Each asks another sample of the queries, so that none
finds its answers read by the one before; the last asks as of each query's own date, so within bounds of time.
On a busy machine, go by the processor time.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import numpy as np

from evals.realmem import RealMemQuery
from inference import load_embedder
from interfaces.long_lived import settled
from retrieval import Question, recall
from retrieval.question import NOW
from vault.index import Where
from vault.reader import open_vault

Asked = tuple[str, RealMemQuery]
T = TypeVar("T")


def timed(ask: Callable[[T], object], queries: Iterable[T]) -> dict[str, float]:
    """Median and 95th percentile of wall and processor time, in milliseconds."""
    wall, processor = [], []
    for one in queries:
        began, used = time.perf_counter(), time.process_time()
        ask(one)
        wall.append(1000 * (time.perf_counter() - began))
        processor.append(1000 * (time.process_time() - used))
    return {
        "wall_p50": round(float(np.percentile(wall, 50)), 1),
        "wall_p95": round(float(np.percentile(wall, 95)), 1),
        "processor_p50": round(float(np.percentile(processor, 50)), 1),
        "processor_p95": round(float(np.percentile(processor, 95)), 1),
    }


def main() -> None:
    """Ask a sample of the queries once to warm up, then measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", type=Path)
    parser.add_argument("queries", type=Path, nargs="+")
    parser.add_argument("--sample", type=int, default=200)
    options = parser.parse_args()
    asked = [
        (path.name.removesuffix(".queries.jsonl"), RealMemQuery.model_validate_json(line))
        for path in options.queries
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    random.Random(0).shuffle(asked)
    first, second, third = (asked[at * options.sample : (at + 1) * options.sample] for at in range(3))
    embedder = load_embedder()
    with open_vault(options.vault) as reader:
        index = reader.index

        def ask(one: Asked) -> object:
            account, query = one
            return recall(Question(query.query, Where(account)), index, embedder)

        def ask_of_then(one: Asked) -> object:
            account, query = one
            question = Question(query.query, Where(account, before=query.before), query.before or NOW)
            return recall(question, index, embedder)

        for one in first[:10]:
            ask(one)
        result = {
            "points": index.count(),
            "queries": len(first),
            "embedding": timed(lambda one: embedder.embed_query(one[1].query), first),
            "recall": timed(ask, first),
        }
        reader.warm()
        with settled():
            result["served"] = timed(ask, second)
            result["served, as of its day"] = timed(ask_of_then, third)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
