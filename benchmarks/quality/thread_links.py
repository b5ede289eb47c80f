"""Threads found in a vault's conversations, each account linked anew, and random links to judge by reading.

    python benchmarks/quality/thread_links.py VAULT [--links 30] [--seed 1]

A link is a pair of conversations of one thread. Pairs are drawn from all threads' pairs, so large threads are
drawn from more.
"""

from __future__ import annotations

import argparse
import json
import random
from itertools import combinations
from pathlib import Path

from extract.threads.linking import link
from flows.generation.thread_linking import likened
from vault.reader import VaultReader, open_vault
from vault.threads import sessions_of


def main() -> None:
    """Print one JSON object an account, then the links."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--links", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    pairs: list[tuple[str, str]] = []
    with open_vault(options.vault) as reader:
        for account in reader.ledger.accounts():
            found = linked(reader, account)
            pairs += [pair for thread in found for pair in combinations(thread, 2)]
        for first, second in random.Random(options.seed).sample(pairs, options.links):
            print(json.dumps({"a": opening(reader, first), "b": opening(reader, second)}, ensure_ascii=False))


def linked(reader: VaultReader, account: str) -> list[tuple[str, ...]]:
    """The account's threads, found as if none were there; prints their sizes."""
    talks, vectors = likened(reader.ledger, reader.index, sessions_of(reader.ledger, account))
    threads = [group.conversation_ids for group in link(account, talks, vectors)]
    largest = max(map(len, threads), default=0)
    print(
        json.dumps(
            {
                "account": account, "conversations": len(talks), "threads": len(threads),
                "in_threads": sum(map(len, threads)), "largest": largest,
                "largest_share": round(largest / len(talks), 4),
            }
        )
    )  # fmt: skip
    return threads


def opening(reader: VaultReader, conversation: str) -> str:
    """What the owner said first, and then."""
    found = reader.ledger.query(
        """SELECT text FROM messages WHERE conversation_id = ? AND role = 'user' AND NOT hidden
           ORDER BY position LIMIT 2""",
        [conversation],
    )
    return " / ".join(" ".join(str(text).split())[:220] for (text,) in found)


if __name__ == "__main__":
    main()
