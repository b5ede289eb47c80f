"""Fifteen questions on one of RealMem's people whose answers are known from the talk, and five without any.

    python -m benchmarks.quality.known_answers VAULT [--account kenta_tanaka]

The questions were written from sixty of his messages, drawn by a seed, before any was asked. A package has an
answer whole where every piece of it stands in its text, as the talk puts it; a foreign question should come
back empty. Packages are those of `mnemic recall` (2,000 tokens), of notes alone, and of the MCP tool.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from inference import load_embedder
from interfaces.mcp.open_memory import Memory
from retrieval import Options, Package, Question, recall
from retrieval.rank.relevance_judge import load_relevance_judge
from vault.index import Where
from vault.points import PointKind
from vault.reader import VaultReader

KNOWN: dict[str, tuple[str, ...]] = {
    "How much more do I earn each month since my promotion?": ("30,000",),
    "Which fund did I choose to invest in?": ("eMAXIS",),
    "Which ryokan did I choose in Ohara, and for which night?": ("Sazanami", "June 5"),
    "What excuse did I use to leave the nomikai, and when did I leave?": ("early morning meeting", "9:30"),
    "What are my deal-breakers for a new job?": ("45 min", "nomikai", "20%"),
    "What salary did my counter-offer to Acme Corp name?": ("480,000",),
    "For which months did I lower my monthly investment?": ("August", "November"),
    "Which thought helps me when the Dragon puts pressure on everyone?": ("not personal",),
    "Which story will I tell about a significant challenge in the interview?": ("Crisis Management",),
    "What can a night in Kyoto cost at most?": ("50,000",),
    "Which hotel did I book in Kyoto?": ("Kanra",),
    "What does the Chameleon at work do to me?": ("Chameleon", "responsib"),
    "How much did we first say the children's university fund needs, before 16 million?": ("10 million",),
    "Where did the app lose its signal?": ("subway",),
    "Which three special gardens in Kyoto did I want to reserve?": ("Saiho-ji", "Ruriko-in"),
}
FOREIGN = (
    "What is my dog called?",
    "Which car do I drive?",
    "What is my blood type?",
    "When is my sister's birthday?",
    "Which dentist do I go to?",
)
BUDGET = 2_000
SPELT = {"10,000,000": "10 million", "¥10M": "10 million", "5 June": "June 5"}
"""Other ways in which the talk puts a piece of an answer."""


def whole(text: str, pieces: tuple[str, ...]) -> bool:
    """Whether every piece stands in a package."""
    for other, one in SPELT.items():
        text = text.replace(other, one)
    return all(one.casefold() in text.casefold() for one in pieces)


def main() -> None:
    """Ask, and print a line a question and the sums."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("vault", type=Path)
    parser.add_argument("--account", default="kenta_tanaka")
    given = parser.parse_args()
    memory, embedder = Memory(given.vault, given.account), load_embedder()
    judge = load_relevance_judge()
    ways = (
        "recall", "judged", "notes", "notes judged", "400 tokens", "400 tokens judged", "MCP"
    )  # fmt: skip
    sums = dict.fromkeys(ways, 0)

    def asked(text: str, *kinds: PointKind, budget: int = BUDGET) -> Question:
        where = Where(given.account, kinds=kinds) if kinds else Where(given.account)
        return Question(text, where, options=Options(budget))

    def twice(question: Question, reader: VaultReader) -> list[Package]:
        """By recall's own order, and with the judge's second look."""
        looks = (question, replace(question, reranker=judge.scores))
        return [recall(one, reader.index, embedder) for one in looks]

    for text, pieces in KNOWN.items():
        with memory.now() as reader:
            packages = twice(asked(text), reader)
            notes = twice(asked(text, PointKind.UNIT), reader)
            short = twice(asked(text, budget=BUDGET // 5), reader)
        package = packages[0]
        texts = [*(one.render() for one in (*packages, *notes, *short)), memory.told(asked(text))]
        found = {way: whole(one, pieces) for way, one in zip(ways, texts, strict=True)}
        for way, right in found.items():
            sums[way] += right
        marks = " ".join("yes" if right else "no " for right in found.values())
        sys.stdout.write(f"{marks} {package.confidence:.2f} {text}\n")
    sys.stdout.write(f"whole, of {len(KNOWN)}: {sums}\n")
    silent = 0
    for text in FOREIGN:
        with memory.now() as reader:
            package = recall(asked(text), reader.index, embedder)
        silent += not package.hits
        sys.stdout.write(f"{len(package.hits):3} hits {package.confidence:.2f} {text}\n")
    sys.stdout.write(f"silent: {silent} of {len(FOREIGN)}\n")
    memory.close()


if __name__ == "__main__":
    main()
