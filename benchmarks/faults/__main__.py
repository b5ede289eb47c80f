"""Run the fault suite and print what it came to.

    python -m benchmarks.faults [--kills 200] [--seed 1] [--only NAME] [--share 1/4]

`--share 2/4` damages the second of every four files; the four together are all.

Exit code 1 where anything was lost, wrong or unnamed. The full disk needs mkfs.ext4 and the right to mount.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from benchmarks.faults.clock import clock_set_back
from benchmarks.faults.concurrent_processes import PUBLICATIONS, reader_through_publications, two_writers
from benchmarks.faults.damage import damage
from benchmarks.faults.drill import Drill
from benchmarks.faults.full_disks import STAGES, full_disk
from benchmarks.faults.kills import kills

FILLINGS, PAIRS, ACTS = len(STAGES), 4, 3

Run = Callable[[Path, int], Drill]


def drills(kill_count: int, share: tuple[int, int] = (1, 1)) -> dict[str, Run]:
    """The drills by name, each a function of (folder, seed)."""
    return {
        "kills": lambda folder, seed: kills(folder, kill_count, seed),
        "full-disk": lambda folder, seed: full_disk(folder, FILLINGS, seed),
        "damage": lambda folder, seed: damage(folder, None, seed, share),
        "two-writers": lambda folder, _: two_writers(folder, PAIRS),
        "reader": lambda folder, _: reader_through_publications(folder, PUBLICATIONS),
        "clock": lambda folder, _: clock_set_back(folder, ACTS),
    }


def _share(said: str) -> tuple[int, int]:
    which, _, of = said.partition("/")
    return int(which), int(of)


def main() -> None:
    """Run the drills that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=list(drills(0)))
    parser.add_argument("--share", type=_share, default=(1, 1), metavar="K/N")
    options = parser.parse_args()
    failed = False
    for name, run in drills(options.kills, options.share).items():
        if options.only and name not in options.only:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            drill = run(Path(folder), options.seed)
        print(json.dumps({**asdict(drill), "seconds": round(time.monotonic() - began)}, indent=2), flush=True)
        failed = failed or bool(drill.failures)
    if failed:
        sys.exit("something was lost, wrong or unnamed: see the failures above")


if __name__ == "__main__":
    main()
