"""What very many paths cost, beside `memoir-ai` at a thousand.

    python -m benchmarks.scale.paths FOLDER [--keys 1000000] [--ask 50] [--peer PYTHON]

Makes a vault whose ledger has so many notes, each at a path of its own, and publishes it: no vectors, for
paths need none. A second generation differs in a thousand notes. Then surveys it, gets five keys and tells
the two generations apart, cold (a new process, from its start to its end, by `mnemic` itself, and its
processor time) and warm (in one process); each answer is compared with the truth. With `--peer`, the Python
of an environment with memoir-ai, the same is asked of a store of its and of a vault of ours, of PEER_KEYS
keys each, cold calls in turns.
Prints a JSON line a figure; vaults and stores are removed.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from interfaces.history_answers import differing
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
CHANGED = 1_000
"""Notes in which the second generation differs."""
PEER_KEYS = 1_000
"""memoir-ai tells nothing of what lies above 1,024."""
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


def change(layout: VaultLayout, count: int) -> None:
    """Publish a generation in which so many notes are archived that the one before it had."""
    with writer_lock(layout), building(layout, BINDING) as made:
        made.ledger.add_run("changed", datetime.now(UTC), "generated", {})
        made.ledger.query(
            """INSERT INTO unit_events BY NAME
               SELECT row_number() OVER () + (SELECT max(event_no) FROM unit_events) AS event_no,
                      id AS unit_id, 'archived' AS state, 'generated' AS actor, '' AS reason,
                      now() AS "at", 'changed' AS run
               FROM (SELECT id FROM units ORDER BY id LIMIT ?)""",
            [count],
        )
        made.publish("changed", datetime.now(UTC))


def cold(vault: Path, *arguments: str) -> dict[str, object]:
    """A command in a process of its own; it must say what it is asked for."""
    command = [sys.executable, "-c", "from interfaces.main import run; run()"]
    subprocess.run([*command, *arguments, "--json", "--vault", str(vault)], check=True, capture_output=True)
    before = _processor_seconds()
    taken = timed(
        lambda: subprocess.run(
            [*command, *arguments, "--json", "--vault", str(vault)], check=True, capture_output=True
        ),
        5,
    )
    return {**taken, "processor_ms": round((_processor_seconds() - before) / 5 * 1000, 1)}


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class PrintedFigures(dict[str, object]):
    """Figures that are printed as they come, a JSON line each."""

    def __setitem__(self, name: str, value: object) -> None:
        super().__setitem__(name, value)
        print(json.dumps({name: value}), flush=True)


def made_vault(layout: VaultLayout, keys: int) -> float:
    """Make a vault of so many keys; seconds that its publication took."""
    layout.create()
    with writer_lock(layout), building(layout, BINDING) as made:
        made.ledger.add_run("r", datetime.now(UTC), "generated", {})
        fill(made.ledger, keys)
        start = time.perf_counter()
        made.publish("r", datetime.now(UTC))
        return round(time.perf_counter() - start, 1)


def ask(layout: VaultLayout, keys: int, times: int, figures: PrintedFigures) -> None:
    """Surveys and gets of the only generation that there is."""
    chance = random.Random(1)
    five = [key(chance.randrange(keys)) for _ in range(5)]
    with open_vault(layout.root) as reader:
        for depth in (1, 2):
            told = surveyed(reader, ACCOUNT, depth=depth)
            assert sum(one.keys for one in told.branches) == told.keys == told.notes == keys
            figures[f"summarize --depth {depth}, warm"] = timed(
                lambda depth=depth: surveyed(reader, ACCOUNT, depth=depth),  # type: ignore[misc]
                times,
            )
        globbed = surveyed(reader, ACCOUNT, depth=2, globs=("first3.second7.*",))
        figures["globbed keys"] = globbed.branches[0].keys
        figures["summarize --keys GLOB --depth 2, warm"] = timed(
            lambda: surveyed(reader, ACCOUNT, depth=2, globs=("first3.second7.*",)), times
        )
        items = items_of(reader, five, ACCOUNT)
        assert [item["found"] for item in items] == [True] * 5
        asked = [[key(chance.randrange(keys)) for _ in range(5)] for _ in range(times)]
        each = iter(asked)
        figures["get of 5, warm"] = timed(lambda: items_of(reader, next(each), ACCOUNT), times)
    figures["summarize --depth 1, cold"] = cold(layout.root, "summarize", "--depth", "1")
    figures["get of 5, cold"] = cold(layout.root, "get", *five)
    figures["path taxonomy (no ledger), cold"] = cold(layout.root, "path", "taxonomy")


def tell_apart(layout: VaultLayout, keys: int, times: int, figures: PrintedFigures) -> None:
    """Two generations that differ in CHANGED notes."""
    count = min(CHANGED, keys // 10)
    change(layout, count)
    with open_vault(layout.root) as reader:
        told = differing(reader, ACCOUNT, None, None)
        assert told["stat"] == {"added": 0, "removed": count, "changed": 0}
        figures[f"diff of {count} notes, warm"] = timed(
            lambda: differing(reader, ACCOUNT, None, None), min(times, 10)
        )
    figures[f"diff of {count} notes, cold"] = cold(layout.root, "diff")


def beside_memoir(folder: Path, python: Path, times: int) -> dict[str, object]:
    """The same of memoir-ai and of mnemic at PEER_KEYS keys, in turns: medians of five, milliseconds."""
    store, layout = folder / "memoir", VaultLayout(folder / "paths-peer")
    made_vault(layout, PEER_KEYS)
    change(layout, 100)
    script = Path(__file__).with_name("memoir_store.py")
    told = subprocess.run(
        [python, script, store, str(PEER_KEYS), str(times)], check=True, capture_output=True, text=True
    )
    memoir = json.loads(told.stdout.splitlines()[-1])
    five = memoir.pop("five")
    with open_vault(layout.root) as reader:
        ours = {
            "summarize --depth 1, warm": timed(lambda: surveyed(reader, ACCOUNT, depth=1), times)[
                "median_ms"
            ],
            "get of 5, warm": timed(lambda: items_of(reader, five, ACCOUNT), times)["median_ms"],
            "diff, warm": timed(lambda: differing(reader, ACCOUNT, None, None), min(times, 10))["median_ms"],
        }
    asked = {"summarize, cold": ["summarize", "--depth", "1"], "get of 5, cold": ["get", *five]}
    own = [sys.executable, "-c", "from interfaces.main import run; run()"]
    theirs = {**asked, "diff, cold": ["diff", "HEAD~1", "HEAD"]}
    for name, arguments in theirs.items():
        taken: dict[str, list[float]] = {"memoir": [], "mnemic": []}
        busy = dict.fromkeys(taken, 0.0)
        commands = {
            "memoir": [str(python.with_name("memoir")), "-s", str(store), "--json", *arguments],
            "mnemic": [*own, *asked.get(name, ["diff"]), "--json", "--vault", str(layout.root)],
        }
        for _ in range(5):
            for who, command in commands.items():
                before, start = _processor_seconds(), time.perf_counter()
                subprocess.run(command, check=True, capture_output=True)
                taken[who].append((time.perf_counter() - start) * 1000)
                busy[who] += (_processor_seconds() - before) / 5 * 1000
        for who, figures in (("memoir", memoir), ("mnemic", ours)):
            figures[name] = round(statistics.median(taken[who]), 1)
            figures[f"{name}, processor"] = round(busy[who], 1)
    return {"keys": PEER_KEYS, "memoir-ai": memoir, "mnemic": ours}


def main() -> None:
    """Make, publish, ask, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--ask", type=int, default=50)
    parser.add_argument("--peer", type=Path)
    options = parser.parse_args()
    layout = VaultLayout(options.folder / f"paths-{options.keys}")
    figures = PrintedFigures({"keys": options.keys})
    try:
        figures["publish_s"] = made_vault(layout, options.keys)
        ask(layout, options.keys, options.ask, figures)
        tell_apart(layout, options.keys, options.ask, figures)
        if options.peer:
            figures["beside memoir-ai"] = beside_memoir(options.folder, options.peer, options.ask)
    finally:
        for name in (layout.root.name, "paths-peer", "memoir"):
            shutil.rmtree(options.folder / name, ignore_errors=True)


if __name__ == "__main__":
    main()
