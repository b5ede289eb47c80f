"""What a second look by the small judge brings recall's own order, on LoCoMo or RealMem.

    python -m benchmarks.quality.second_look {locomo|realmem} SUITE_FOLDER VAULT [--every 1] [--counts 1.5]

The suite is scored as `mnemic eval` does, with and without `--rerank judge`. The look is taken right after
candidates were gathered, so that rankings show it as packages do. VAULT keeps the ingest for another run.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from evals import locomo, realmem
from evals.ranking import RankingScore
from inference.embedder import Embedder
from retrieval.question import Question
from retrieval.rank import reranking
from retrieval.rank.relevance_judge import load_relevance_judge
from retrieval.rank.reranking import second_look
from retrieval.search.hybrid import Candidate, gather
from vault.index import Index

SUITES = {
    "locomo": (locomo.run_locomo_eval, locomo, "read_pair"),
    "realmem": (realmem.run_realmem_eval, realmem, "read_person"),
}
"""Who scores it, and what reads one file of its queries."""


def looked_at(question: Question, index: Index, embedder: Embedder | None) -> list[Candidate]:
    """What is gathered, with the relevances that the judge deals."""
    return second_look(question.text, gather(question, index, embedder), load_relevance_judge().scores)


def told(way: str, score: RankingScore) -> str:
    """One line of JSON."""
    named = ("recall_at_1", "recall_at_5", "recall_at_10", "recall_at_20", "mrr", "recall_in_package")
    return json.dumps({"order": way, "rows": score.rows, **{name: getattr(score, name) for name in named}})


def main() -> None:
    """Score twice, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("suite", choices=tuple(SUITES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--every", type=int, default=1, help="one query of so many")
    parser.add_argument("--counts", type=float, default=reranking.SECOND_LOOK_COUNTS)
    options = parser.parse_args()
    run, module, name = SUITES[options.suite]
    read = getattr(module, name)

    def some(path: Path) -> Any:
        whole = read(path)
        return replace(whole, queries=whole.queries[:: options.every])

    with (
        patch.object(module, name, some),
        patch.object(reranking, "SECOND_LOOK_COUNTS", options.counts),
    ):
        print(told("recall", run(options.folder, vault=options.vault)), flush=True)
        with patch("evals.ranking.gather", looked_at):
            print(told("a second look by the judge", run(options.folder, vault=options.vault)))


if __name__ == "__main__":
    main()
