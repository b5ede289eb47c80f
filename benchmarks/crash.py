"""Kill -9 an ingest at random moments, and show that nothing was lost and that the rerun ends the same.

    python benchmarks/crash.py ARCHIVE... [--kills 10] [--seed 1]

The archives are ingested once without interruption, to have the time to spread the kills over and the rows
to compare with. Then, in a second vault, an ingest is started and killed after a random share of that time,
again and again; each start goes on from what the killed ones left. After each kill the published generation,
if there is one, must open and verify. At the end the rows of the two vaults must be equal apart from run ids
and clock columns, and their vectors must point the same way.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vault.generations import published_number
from vault.integrity import differences
from vault.layout import VaultLayout
from vault.reader import VaultReader, open_vault

CLOCK_AND_RUN = {
    "imports": "imported_at, run",
    "conversations": "run",
    "messages": "run",
    "segments": "run",
    "units": "run",
    "unit_events": '"at", run',
    "chunks": "run",
    "points": "run",
}
"""Columns that two runs of the same work may differ in, by table."""

LEAST_COSINE = 0.99999
FRESH_STARTS = 0.3
"""Share of the kills that begin with an empty vault."""


@dataclass(frozen=True, slots=True)
class Drill:
    """What a drill came to."""

    kills: int
    """Kills that hit a running ingest (one that had already ended is not counted)."""
    killed_by_stage: dict[str, int]
    tables_equal: bool
    least_cosine: float
    uninterrupted_seconds: float


def start(vault: Path, archives: list[Path], log: Path) -> subprocess.Popen[bytes]:
    """An ingest in a process of its own, its progress lines in `log`."""
    code = "from interfaces.main import run; run()"
    command = [sys.executable, "-c", code, "ingest", "--vault", str(vault), *map(str, archives)]
    with log.open("wb") as stream:
        return subprocess.Popen(command, stdout=stream, stderr=stream, cwd=Path(__file__).parents[1])


def rows(reader: VaultReader) -> dict[str, list[tuple[object, ...]]]:
    """Every row that work determines, by table."""
    return {
        table: reader.ledger.query(f"SELECT * EXCLUDE ({columns}) FROM {table} ORDER BY ALL")
        for table, columns in CLOCK_AND_RUN.items()
    }


def least_cosine(one: VaultReader, other: VaultReader) -> float:
    """The smallest cosine between the two vectors of one point."""
    ids = [point.id for point in one.index.scan()]
    least = 1.0
    for begin in range(0, len(ids), 1000):
        part = ids[begin : begin + 1000]
        here, there = (reader.index.fetch(part, with_vectors=True) for reader in (one, other))
        least = min(least, *(float(np.dot(here[point].vector, there[point].vector)) for point in part))
    return least


def verified(vault: Path) -> bool:
    """The published generation opens, and its index agrees with its ledger; true where none is published."""
    layout = VaultLayout(vault)
    if not layout.generations.exists() or published_number(layout) is None:
        return True
    with open_vault(vault) as reader:
        return differences(reader.index, reader.ledger) == []


def drill(archives: list[Path], kills: int, seed: int, folder: Path) -> Drill:
    """Run the drill in `folder`. Raises AssertionError where a killed ingest left a broken vault."""
    calm, stormy, log = folder / "calm", folder / "stormy", folder / "log"
    began = time.monotonic()
    if start(calm, archives, log).wait() != 0:
        raise AssertionError(log.read_text(encoding="utf-8"))
    seconds = time.monotonic() - began
    chance = random.Random(seed)
    by_stage: dict[str, int] = {}
    for _ in range(kills):
        # finished work accumulates, so without a fresh start now and then only the load would be hit
        if chance.random() < FRESH_STARTS:
            shutil.rmtree(stormy, ignore_errors=True)
        process = start(stormy, archives, log)
        try:
            process.wait(timeout=chance.uniform(0.05, 1.0) * seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            done = [
                line.split(":")[0] for line in log.read_text(encoding="utf-8").splitlines() if " in " in line
            ]
            stage = f"after {done[-1]}" if done else "at the start"
            by_stage[stage] = by_stage.get(stage, 0) + 1
        if not verified(stormy):
            raise AssertionError("a killed ingest left a generation that does not verify")
    if start(stormy, archives, log).wait() != 0:
        raise AssertionError(log.read_text(encoding="utf-8"))
    with open_vault(calm) as one, open_vault(stormy) as other:
        return Drill(
            kills=sum(by_stage.values()),
            killed_by_stage=by_stage,
            tables_equal=rows(one) == rows(other),
            least_cosine=least_cosine(one, other),
            uninterrupted_seconds=seconds,
        )


def main() -> None:
    """Run the drill and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archives", nargs="+", type=Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archives = [path.resolve() for path in options.archives]
        result = drill(archives, options.kills, options.seed, Path(folder))
    print(json.dumps({name: getattr(result, name) for name in Drill.__slots__}, indent=2))
    if not result.tables_equal or result.least_cosine < LEAST_COSINE:
        sys.exit("the rerun did not end where an uninterrupted run does")


if __name__ == "__main__":
    main()
