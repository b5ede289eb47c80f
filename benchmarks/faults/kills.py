"""Kill -9 at random points of ingest, keep, publish, rollback, backup and prune."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.faults.ground import (
    Drill,
    converges,
    is_sound,
    kept_units,
    run,
    some_units,
    start,
    write_archive,
)
from vault.generations import finished_numbers
from vault.layout import VaultLayout

TALKS = 4

Arguments = Callable[[Path, random.Random], list[str]]


def _ingest(vault: Path, chance: random.Random) -> list[str]:
    return ["ingest", str(write_archive(vault.parent / "archives", chance.randint(1, TALKS)))]


def _publish(vault: Path, chance: random.Random) -> list[str]:
    """The whole archive, read another way: there is something to load and publish."""
    whole = write_archive(vault.parent / "archives", TALKS)
    return ["ingest", str(whole), "--timezone", chance.choice(ZONES)]


ZONES = ("UTC", "Europe/Berlin", "Asia/Tokyo")
"""How an archive is read is part of an import's identity, so another zone is another publication."""


def _keep(vault: Path, chance: random.Random) -> list[str]:
    return ["keep", chance.choice(some_units(vault, 50))]


def _rollback(vault: Path, chance: random.Random) -> list[str]:
    return ["vault", "rollback", str(chance.choice(finished_numbers(VaultLayout(vault))))]


def _backup(vault: Path, chance: random.Random) -> list[str]:
    return ["vault", "backup", str(vault.parent / f"backup-{chance.randrange(10**9)}.zip")]


def _prune(_: Path, chance: random.Random) -> list[str]:
    return ["vault", "prune", "--keep", str(chance.randint(1, 3))]


OPERATIONS: dict[str, Arguments] = {
    "ingest": _ingest,
    "publish": _publish,
    "keep": _keep,
    "rollback": _rollback,
    "backup": _backup,
    "prune": _prune,
}


def kills(folder: Path, count: int, seed: int) -> Drill:
    """Kill `count` processes, each after a random share of the time that its operation takes undisturbed."""
    drill = Drill("kill -9")
    chance = random.Random(seed)
    calm, stormy = folder / "calm", folder / "stormy"
    whole = write_archive(folder / "archives", TALKS)
    seconds = {}
    for vault in (calm, stormy):
        began = time.monotonic()
        drill.expect(run(vault, "ingest", str(whole))[0] == 0, "the first ingest")
        seconds["ingest"] = time.monotonic() - began
    acknowledged: set[str] = set()
    while drill.counts.get("kills", 0) < count:
        name = chance.choice(list(OPERATIONS))
        arguments = OPERATIONS[name](stormy, chance)
        process = start(stormy, *arguments)
        began = time.monotonic()
        try:
            process.wait(timeout=chance.uniform(0.1, 1.0) * seconds.get(name, seconds["ingest"]))
            seconds[name] = time.monotonic() - began
            drill.count("ended before the kill")
            if name == "keep" and process.returncode == 0:
                acknowledged.add(arguments[1])
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            drill.count("kills")
            drill.count(f"kills in {name}")
        drill.expect(is_sound(stormy), f"sound after {name}")
        drill.expect(acknowledged <= kept_units(stormy), f"every acknowledged keep is there after {name}")
    converges(drill, calm, stormy, whole)
    return drill
