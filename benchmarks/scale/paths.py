"""What very many paths cost.

    python -m benchmarks.scale.paths FOLDER [--keys 1000000] [--ask 50]

Makes a vault whose ledger has so many notes, each at a path of its own, and publishes it: no vectors, for
paths need none. Then surveys it and gets five keys, cold (a new process, from its start to its end, by
`mnemic` itself) and warm (in one process); each answer is compared with the truth. Prints one JSON line; the
vault is removed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from interfaces.path_survey import surveyed
from interfaces.record_items import items_of
from schemas.generation import EmbedderBinding
from vault.generations import building
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.lock import writer_lock
from vault.reader import open_vault

ACCOUNT = "scale"
FIRSTS, SECONDS = 12, 20
BINDING = EmbedderBinding(name="none", dimension=4, weights_hash="", tokenizer_hash="", graph_version=0)


def key(number: int) -> str:
    """The path of a note."""
    return f"first{number % FIRSTS}.second{number // FIRSTS % SECONDS}.third{number}"


def fill(ledger: Ledger, count: int) -> None:
    """Notes with a path each; ids in no order, as they come in a vault."""
    path = f"""'first' || (n % {FIRSTS}) || '.second' || (n // {FIRSTS} % {SECONDS}) || '.third' || n"""
    ledger.query(f"CREATE TEMP TABLE n AS SELECT range AS n, uuid()::VARCHAR AS id FROM range({count})")
    at = "TIMESTAMPTZ '2020-01-01 00:00:00+00' + to_minutes(n)"
    ledger.query(
        f"""INSERT INTO units BY NAME SELECT id, '{ACCOUNT}' AS account, 'c' || (n // 20) AS conversation_id,
            'fact' AS category, 'Note ' || n || ' says this and that of something.' AS text,
            'owner' AS speaker, [] AS evidence, [] AS context, {at} AS said_at, true AS active_branch,
            'generated/1' AS extractor, 'passed' AS gate_state, [] AS verdicts, 'r' AS run FROM n"""
    )
    ledger.query(
        f"""INSERT INTO unit_events BY NAME SELECT n AS event_no, id AS unit_id, 'passed' AS state,
            'gate:1' AS actor, '' AS reason, {at} AS "at", 'r' AS run FROM n"""
    )
    ledger.query(
        f"""INSERT INTO filed_paths BY NAME SELECT id AS unit_id, '{ACCOUNT}' AS account, {path} AS path,
            1.0 AS likeness, '' AS content_hash, 'r' AS run FROM n"""
    )
    ledger.query(
        f"""INSERT INTO conversations BY NAME SELECT 'c' AS conversation_id, '{ACCOUNT}' AS account,
            'generated' AS provider, 'c' AS native_id, true AS active_leaf_stated, 1 AS messages,
            '' AS content_hash, '' AS work_key, '' AS archive_hash, 'r' AS run"""
    )
    ledger.query("DROP TABLE n")


def timed(asked: Callable[[], object], times: int) -> dict[str, float]:
    """Least, median and slowest of so many calls, in milliseconds; on a busy machine the least tells most."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        asked()
        taken.append((time.perf_counter() - start) * 1000)
    figures = {"least_ms": min(taken), "median_ms": statistics.median(taken), "slowest_ms": max(taken)}
    return {name: round(value, 1) for name, value in figures.items()}


def cold(vault: Path, *arguments: str) -> dict[str, object]:
    """A command in a process of its own; it must say what it is asked for."""
    command = [sys.executable, "-c", "from interfaces.main import run; run()"]
    subprocess.run([*command, *arguments, "--json", "--vault", str(vault)], check=True, capture_output=True)
    return {
        **timed(
            lambda: subprocess.run(
                [*command, *arguments, "--json", "--vault", str(vault)],
                check=True,
                capture_output=True,
                env={**os.environ},
            ),
            5,
        )
    }


class PrintedFigures(dict[str, object]):
    """Figures that are printed as they come, a JSON line each."""

    def __setitem__(self, name: str, value: object) -> None:
        super().__setitem__(name, value)
        print(json.dumps({name: value}), flush=True)


def main() -> None:
    """Make, publish, ask, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--ask", type=int, default=50)
    options = parser.parse_args()
    layout = VaultLayout(options.folder / f"paths-{options.keys}")
    layout.create()
    figures = PrintedFigures({"keys": options.keys})
    try:
        with writer_lock(layout), building(layout, BINDING) as made:
            made.ledger.add_run("r", datetime.now(UTC), "generated", {})
            fill(made.ledger, options.keys)
            start = time.perf_counter()
            made.publish("r", datetime.now(UTC))
            figures["publish_s"] = round(time.perf_counter() - start, 1)
        chance = random.Random(1)
        five = [key(chance.randrange(options.keys)) for _ in range(5)]
        with open_vault(layout.root) as reader:
            for depth in (1, 2):
                told = surveyed(reader, ACCOUNT, depth=depth)
                assert sum(one.keys for one in told.branches) == told.keys == told.notes == options.keys
                figures[f"summarize --depth {depth}, warm"] = timed(
                    lambda depth=depth: surveyed(reader, ACCOUNT, depth=depth),  # type: ignore[misc]
                    options.ask,
                )
            globbed = surveyed(reader, ACCOUNT, depth=2, globs=("first3.second7.*",))
            figures["globbed keys"] = globbed.branches[0].keys
            figures["summarize --keys GLOB --depth 2, warm"] = timed(
                lambda: surveyed(reader, ACCOUNT, depth=2, globs=("first3.second7.*",)), 5
            )
            items = items_of(reader, five, ACCOUNT)
            assert [item["found"] for item in items] == [True] * 5
            asked = [[key(chance.randrange(options.keys)) for _ in range(5)] for _ in range(options.ask)]
            each = iter(asked)
            figures["get of 5, warm"] = timed(lambda: items_of(reader, next(each), ACCOUNT), options.ask)
        figures["summarize --depth 1, cold"] = cold(layout.root, "summarize", "--depth", "1")
        figures["get of 5, cold"] = cold(layout.root, "get", *five)
        figures["path taxonomy (no ledger), cold"] = cold(layout.root, "path", "taxonomy")
    finally:
        shutil.rmtree(layout.root, ignore_errors=True)


if __name__ == "__main__":
    main()
