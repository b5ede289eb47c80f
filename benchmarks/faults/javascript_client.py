"""Random calls over stdio by a client in another language: the protocol's JavaScript SDK, from npm.

    python -m benchmarks.faults.javascript_client VAULT [--account NAME] [--calls 200] [--seed 1]

The calls are those of `tool_budgets`, and so is what is right: an answer, not empty, inside its budget. The
SDK is installed into a temporary folder; no script of a package is run. Needs `node`, `npm` and npm's
registry or its cache. Nothing is written to the vault. Exit code 1 where an answer was wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.faults.tool_budgets import TOOLS, arguments_for
from chunking import estimate_tokens
from interfaces.cli.lookup import account_of
from schemas.errors import MnemicError, UsageError
from vault.reader import open_vault

SDK = "@modelcontextprotocol/sdk@1.32.2"
INSTALLS_WITHIN, ANSWERS_WITHIN = 60, 900
"""Seconds."""

SERVER = "from interfaces.main import run; run()"
PROGRAM = Path(__file__).with_suffix(".mjs")
REPOSITORY = Path(__file__).parents[2]

ToolCall = dict[str, Any]
"""`name` of a tool, and its `arguments`."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What the client was told."""

    tools: tuple[str, ...]
    prompts: tuple[str, ...]
    resources: tuple[str, ...]
    answers: tuple[tuple[bool, str], ...]
    """One a call: whether it failed, and its text."""


def install(folder: Path) -> None:
    """Install the SDK into a folder, the client beside it. Raises UsageError where it cannot be had."""
    if missing := [one for one in ("node", "npm") if shutil.which(one) is None]:
        raise UsageError(f"{' and '.join(missing)} not found", remedy="Install Node.js 18 or newer")
    command = ["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--prefer-offline"]
    command += ["--fetch-retries=0", "--no-audit", "--no-fund", SDK]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=INSTALLS_WITHIN,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UsageError(
            f"{SDK} was not installed within {INSTALLS_WITHIN} s",
            remedy="Look at the connection to npm's registry",
        ) from error
    if done.returncode:
        raise UsageError(f"{SDK} was not installed", why="".join(done.stderr.splitlines()[:1]))
    shutil.copy(PROGRAM, folder)


def spoken_to(folder: Path, serving: Sequence[str], calls: Sequence[ToolCall]) -> Heard:
    """Have the client in a folder start `mnemic mcp` with these arguments and make the calls, one by one.

    Raises UsageError where it ended otherwise.
    """
    work = folder / "work.json"
    told = {
        "command": sys.executable,
        "args": ["-c", SERVER, "mcp", *serving],
        "cwd": str(REPOSITORY),
        "calls": list(calls),
    }
    work.write_text(json.dumps(told), encoding="utf-8")
    done = subprocess.run(
        ["node", str(folder / PROGRAM.name), str(work)],
        capture_output=True,
        text=True,
        timeout=ANSWERS_WITHIN,
        check=False,
    )
    if done.returncode:
        raise UsageError("the JavaScript client ended early", why=done.stderr.strip()[-600:])
    heard = json.loads(done.stdout)
    return Heard(
        tools=tuple(heard["tools"]),
        prompts=tuple(heard["prompts"]),
        resources=tuple(heard["resources"]),
        answers=tuple((bool(one["failed"]), str(one["text"])) for one in heard["answers"]),
    )


def random_calls(notes: list[tuple[str, str]], count: int, chance: random.Random) -> list[ToolCall]:
    """So many calls of the tools that read."""
    named = [chance.choice(TOOLS) for _ in range(count)]
    return [{"name": tool, "arguments": arguments_for(tool, notes, chance)} for tool in named]


def wrong_with(call: ToolCall, failed: bool, text: str) -> str:
    """What is wrong with an answer, or ""."""
    if failed:
        return "failed"
    if not text.strip():
        return "empty"
    return "too long" if estimate_tokens(text) > call["arguments"]["budget"] else ""


def main() -> int:
    """Ask, and print what it came to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("vault", type=Path)
    parser.add_argument("--account")
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with open_vault(given.vault) as reader:
        account = account_of(reader, given.account)
        held = reader.ledger.query(
            "SELECT id, text FROM units WHERE account = ? ORDER BY hash(id) LIMIT 500", [account]
        )
    notes = [(str(one), str(text)) for one, text in held]
    calls = random_calls(notes, given.calls, random.Random(given.seed))
    with tempfile.TemporaryDirectory(prefix="mnemic-javascript-") as folder:
        install(Path(folder))
        serving = ["--vault", str(given.vault.resolve()), "--account", account]
        heard = spoken_to(Path(folder), serving, calls)
    found = [wrong_with(call, *answer) for call, answer in zip(calls, heard.answers, strict=True)]
    for call, answer, wrong in zip(calls, heard.answers, found, strict=True):
        if wrong:
            sys.stdout.write(f"{call}: {wrong}: {answer[1][:120]!r}\n")
    sys.stdout.write(f"{given.calls} calls: {dict(Counter(one or 'right' for one in found))}\n")
    return int(any(found))


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except MnemicError as error:
        raise SystemExit(str(error)) from error
