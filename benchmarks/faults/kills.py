"""Kill -9 at random points of ingest, sweep, keep, publish, rollback, backup and prune."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from benchmarks.faults.command_storm import OPERATIONS, brew, settle, strike
from benchmarks.faults.drill import Drill


def kills(folder: Path, count: int, seed: int, operations: tuple[str, ...] = tuple(OPERATIONS)) -> Drill:
    """Kill `count` processes, each after a random share of the time that its operation takes undisturbed."""
    drill = Drill("kill -9")
    storm = brew(drill, folder, folder / "stormy" / "vault", seed)
    while drill.counts.get("kills", 0) < count:
        name = storm.chance.choice(operations)
        if strike(storm, name, _kill):
            drill.count("kills")
            drill.count(f"kills in {name}")
        else:
            drill.count("ended before the kill")
    settle(storm)
    return drill


def _kill(process: subprocess.Popen[bytes], after: float) -> bool:
    try:
        process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return True
    return False
