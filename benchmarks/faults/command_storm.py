"""A storm: commands on one vault are disturbed, again and again, while another vault lies calm beside it."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.faults.drill import (
    SWEPT,
    Drill,
    is_sound,
    kept_units,
    rows,
    run,
    some_units,
    start,
    write_archive,
    write_pair,
)
from vault.generations import finished_numbers
from vault.layout import VaultLayout

TALKS = 4
ZONES = ("UTC", "Europe/Berlin", "Asia/Tokyo")
"""How an archive is read is part of an import's identity, so another zone is another publication."""

Disturb = Callable[[subprocess.Popen[bytes], float], bool]
"""Disturbs a process after about so many seconds; whether it was still there to be disturbed."""


@dataclass(slots=True)
class Storm:
    """Two vaults that began alike, and what happened to the one in the storm."""

    drill: Drill
    calm: Path
    vault: Path
    chance: random.Random
    seconds: dict[str, float] = field(default_factory=dict)
    """What each operation took when nothing disturbed it."""
    acknowledged: set[str] = field(default_factory=set)
    """Notes whose keeping was acknowledged."""
    pairs: int = 0
    """Archives of two talks that came in, or tried to."""

    @property
    def archives(self) -> Path:
        """Folder of what is ingested."""
        return self.calm.parent / "archives"

    @property
    def backups(self) -> Path:
        """Folder that backups are written to, on the disk of the vault in the storm."""
        return self.vault.parent


def _ingest(storm: Storm) -> list[str]:
    """Talks that the vault does not have: there is something to read, extract, embed and load."""
    storm.pairs += 1
    return _pair_comes_in(storm, storm.pairs - 1)


def _publish(storm: Storm) -> list[str]:
    """The whole archive, read another way: there is something to load and publish."""
    return ["ingest", str(write_archive(storm.archives, TALKS)), "--timezone", storm.chance.choice(ZONES)]


def _pair_comes_in(storm: Storm, number: int) -> list[str]:
    return ["ingest", str(write_pair(storm.archives, number)), "--account", f"{SWEPT}-{number}"]


def _sweep(storm: Storm) -> list[str]:
    """A pair of notes that say the same comes in undisturbed, for the sweep to find."""
    storm.drill.expect(run(storm.vault, *_ingest(storm))[0] == 0, "a pair comes in")
    return ["clean", "duplicates"]


def _keep(storm: Storm) -> list[str]:
    return ["keep", storm.chance.choice(some_units(storm.vault, 50))]


def _rollback(storm: Storm) -> list[str]:
    return ["vault", "rollback", str(storm.chance.choice(finished_numbers(VaultLayout(storm.vault))))]


def _backup(storm: Storm) -> list[str]:
    return ["vault", "backup", str(storm.backups / f"backup-{storm.chance.randrange(10**9)}.zip")]


def _prune(storm: Storm) -> list[str]:
    return ["vault", "prune", "--keep", str(storm.chance.randint(1, 3))]


OPERATIONS: dict[str, Callable[[Storm], list[str]]] = {
    "ingest": _ingest,
    "sweep": _sweep,
    "keep": _keep,
    "publish": _publish,
    "rollback": _rollback,
    "backup": _backup,
    "prune": _prune,
}


def brew(drill: Drill, folder: Path, vault: Path, seed: int) -> Storm:
    """Two vaults with the same talks: a calm one in `folder`, and `vault`. Backups go beside the latter."""
    storm = Storm(drill, folder / "calm", vault, random.Random(seed))
    whole = write_archive(storm.archives, TALKS)
    for one in (storm.calm, storm.vault):
        began = time.monotonic()
        drill.expect(run(one, "ingest", str(whole))[0] == 0, "the first ingest")
        storm.seconds["ingest"] = time.monotonic() - began
    return storm


def strike(storm: Storm, name: str, disturb: Disturb) -> bool:
    """Start an operation, disturb it at a random moment of the time it takes; see that nothing is lost."""
    drill, usual = storm.drill, storm.seconds.get(name, storm.seconds["ingest"])
    arguments = OPERATIONS[name](storm)
    began = time.monotonic()
    process = start(storm.vault, *arguments)
    struck = disturb(process, storm.chance.uniform(0.1, 1.0) * usual)
    if not struck:
        storm.seconds[name] = time.monotonic() - began
    if name == "keep" and process.returncode == 0:
        storm.acknowledged.add(arguments[1])
    drill.expect(is_sound(storm.vault), f"sound after {name}")
    drill.expect(storm.acknowledged <= kept_units(storm.vault), f"acknowledged keeps are there after {name}")
    for backup in storm.backups.glob("*.zip"):
        backup.unlink()
    return struck


def settle(storm: Storm) -> None:
    """After the storm, the same archives, acts and sweeps come to the same rows in both vaults."""
    drill, journal = storm.drill, VaultLayout(storm.vault).journal
    steps = [["ingest", str(write_archive(storm.archives, TALKS))]]
    if storm.pairs:
        steps += [_pair_comes_in(storm, number) for number in range(storm.pairs)]
        steps.append(["clean", "duplicates"])
    for vault in (storm.vault, storm.calm):
        if vault is storm.calm and journal.exists():
            _copy_journal(journal, VaultLayout(vault).journal)
        for step in steps:
            drill.expect(run(vault, *step)[0] == 0, f"`{step[0]}` after it all")
    drill.expect_sound(storm.vault, "after it all")
    here, there = rows(storm.calm), rows(storm.vault)
    for name in here:
        drill.expect(here[name] == there[name], f"equal {name}")


def _copy_journal(source: Path, target: Path) -> None:
    """Give one vault the acts of another."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
