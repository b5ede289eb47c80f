"""What reading word for word brings beside vectors, on LoCoMo's questions: messages by themselves, no vault.

    python -m benchmarks.quality.word_for_word LOCOMO_FOLDER [--every 1]

Of each pair's messages the fifty nearest to a question by the embedder's vectors are a pool; it is put into
order by the vectors, by reading alone (`retrieval.deep.word_for_word`), and by both as deep search does.
Nothing was fitted on LoCoMo. Prints R@1, R@5, R@10 of the gold messages, and MRR.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np

from inference import load_embedder
from inference.token_states import tokens_in_place
from retrieval.deep.expansion import POOL
from retrieval.deep.word_for_word import READ_COUNTS
from retrieval.rank.late_interaction import NOTE_TOKENS, QUESTION_TOKENS, found_in
from retrieval.rank.reranking import spread


def main() -> None:
    """Ask, order, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("locomo", type=Path)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    embedder, sums, count = load_embedder(), defaultdict[str, list[float]](lambda: [0.0] * 4), 0
    for path in sorted(options.locomo.glob("*.queries.jsonl")):
        pair = path.name.removesuffix(".queries.jsonl")
        sessions = map(json.loads, (path.parent / f"{pair}.transcript.jsonl").read_text("utf-8").splitlines())
        said = {one["id"]: f"{one['name']}: {one['text']}" for each in sessions for one in each["messages"]}
        ids, vectors = list(said), embedder.embed(list(said.values()))
        read_once = cache(tokens_in_place)  # a message is in the pools of many questions
        for query in map(json.loads, path.read_text("utf-8").splitlines()[:: options.every]):
            cosines = vectors @ embedder.embed_query(query["query"])
            pool = np.argsort(-cosines, kind="stable")[:POOL]
            notes = [read_once(said[ids[place]], NOTE_TOKENS) for place in pool]
            read = found_in(tokens_in_place(query["query"], QUESTION_TOKENS), notes)
            near = cosines[pool].astype(np.float64)
            ways = {
                "vectors": near,
                "reading": read,
                "both": spread(near) + READ_COUNTS * spread(read),
            }
            gold, count = set(query["gold_messages"]), count + 1
            for way, worth in ways.items():
                ranked = [ids[pool[place]] for place in np.argsort(-worth, kind="stable")]
                first = next((1 / rank for rank, one in enumerate(ranked, 1) if one in gold), 0.0)
                shares = [len(gold.intersection(ranked[:most])) / len(gold) for most in (1, 5, 10)]
                sums[way] = [old + new for old, new in zip(sums[way], (*shares, first), strict=True)]
    for way, own in sums.items():
        figures = {
            name: round(one / count, 3) for name, one in zip(("R@1", "R@5", "R@10", "MRR"), own, strict=True)
        }
        print(json.dumps({"order": way, "questions": count, **figures}))


if __name__ == "__main__":
    main()
