"""Random calls to the reading tools of the MCP server: does each answer keep to its budget and say something?

    python -m benchmarks.faults.tool_budgets VAULT [--account NAME] [--calls 200] [--seed 1]

Questions are words of the vault's own notes, ids are ids of its notes or none at all, budgets go from 1 to
2,000 tokens, estimated as everywhere, as many of them small as large. Nothing is written. Exit code 1 where
an answer failed, was empty or was longer than its budget.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp_types import TextContent

from chunking import estimate_tokens
from interfaces.mcp.mcp_server import make_server
from interfaces.mcp.open_memory import Memory

LEAST, MOST = 1, 2_000
BY_WORDS = (
    "recall",
    "look_around",
    "recall_pair",
    "recall_by_path",
    "search_decisions",
    "search_open_questions",
)
BY_BUDGET = ("recent", "people", "summarize", "diff")


TOOLS = (*BY_WORDS, "search_threads", *BY_BUDGET, "get", "blame")
"""Tools that read, and whose answer has a budget."""


def arguments_for(tool: str, notes: list[tuple[str, str]], chance: random.Random) -> dict[str, Any]:
    """Arguments that a hurried assistant could give."""
    given: dict[str, Any] = {"budget": int(LEAST * (MOST / LEAST) ** chance.random())}
    note, text = chance.choice(notes)
    if tool in BY_WORDS or tool == "search_threads":
        words = text.split()
        given["query"] = " ".join(chance.sample(words, min(len(words), chance.randint(1, 6))))
    if tool == "get":
        given["ids"] = [chance.choice([note, note[:8], "nothing"]) for _ in range(chance.randint(1, 4))]
    if tool == "blame":
        given["named"] = note
    if tool == "recall":
        given |= {"limit": chance.randint(1, 30), "output": chance.choice(["markdown", "json", "xml"])}
    return given


def main() -> int:
    """Ask, and print what it came to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("vault", type=Path)
    parser.add_argument("--account")
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    memory = Memory(given.vault, given.account)
    counts: Counter[str] = Counter()
    chance = random.Random(given.seed)

    async def ask() -> None:
        async with Client(make_server(memory, writable=False)) as client:
            for _ in range(given.calls):
                tool = chance.choice(TOOLS)
                asked = arguments_for(tool, notes, chance)
                result = await client.call_tool(tool, asked)
                (content,) = result.content
                text = content.text if isinstance(content, TextContent) else ""
                tokens = estimate_tokens(text)
                found = "failed" if result.is_error else "empty" if not text else ""
                counts[found or ("too long" if tokens > asked["budget"] else "right")] += 1
                if result.is_error or not 0 < tokens <= asked["budget"]:
                    sys.stdout.write(f"{tool} {asked}: {tokens} tokens: {text[:120]!r}\n")

    try:
        with memory.now() as reader:
            held = reader.ledger.query(
                "SELECT id, text FROM units WHERE account = ? ORDER BY hash(id) LIMIT 500",
                [memory.account],
            )
        notes = [(str(one), str(text)) for one, text in held]
        anyio.run(ask)
    finally:
        memory.close()
    sys.stdout.write(f"{given.calls} calls: {dict(counts)}\n")
    return 0 if counts["right"] == given.calls else 1


if __name__ == "__main__":
    raise SystemExit(main())
