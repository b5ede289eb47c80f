"""A disk that fills up while a command works: a small one, and ballast that grows at a random moment."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
from vault.generations import SPARE_BYTES

TALKS = 3
ROOM = 256 * 1024 * 1024
LEFT_FREE = 64 * 1024


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[bool]:
    """A file system of `size` bytes, in a file, mounted on `folder`; False where this process may not.

    Not a tmpfs: there a shard's holes turn into pages as soon as they are read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    image = folder.with_suffix(".image")
    with image.open("wb") as stream:
        stream.truncate(size)
    made = (
        ["mkfs.ext4", "-q", "-F", "-O", "^has_journal", str(image)],
        ["mount", "-o", "loop", str(image), str(folder)],
    )
    mounted = os.geteuid() == 0 and shutil.which("mkfs.ext4") is not None
    for command in made:
        mounted = mounted and subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)
        image.unlink()


def fill(disk: Path) -> Path:
    """Take all but a little of what is free."""
    ballast = disk / "ballast"
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    with ballast.open("wb") as stream:
        os.posix_fallocate(stream.fileno(), 0, max(1, free - LEFT_FREE))
    return ballast


def full_disk(folder: Path, count: int, seed: int) -> Drill:
    """Fill the disk `count` times, at a random moment of an ingest, a keep, a rollback or a backup."""
    drill = Drill("full disk")
    chance = random.Random(seed)
    disk = folder / "disk"
    archive = write_archive(folder / "archives", TALKS)
    with small_disk(disk, SPARE_BYTES + ROOM) as mounted:
        if not mounted:
            drill.count("not run: no permission to mount a disk")
            return drill
        vault, calm = disk / "vault", folder / "calm"
        first = write_archive(folder / "first", 1)
        for one in (calm, vault):
            began = time.monotonic()
            drill.expect(run(one, "ingest", str(first))[0] == 0, "the first ingest")
            seconds = time.monotonic() - began
        for number in range(count):
            operation = _operation(number, vault, archive, disk)
            process = start(vault, *operation)
            time.sleep(chance.uniform(0.0, 1.0) * seconds)
            ballast = fill(disk)
            process.communicate()
            drill.count(f"{operation[0]}: {'done' if process.returncode == 0 else 'stopped'}")
            kept = operation[1] if operation[0] == "keep" and process.returncode == 0 else None
            ballast.unlink()
            drill.expect(is_sound(vault), f"sound after a full disk in {operation[0]}")
            drill.expect(kept is None or kept in kept_units(vault), "an acknowledged keep is there")
        converges(drill, calm, vault, archive)
    return drill


def _operation(number: int, vault: Path, archive: Path, disk: Path) -> list[str]:
    return (
        ["ingest", str(archive)],
        ["keep", some_units(vault, 1)[0]],
        ["vault", "rollback", str(_newest(vault))],
        ["vault", "backup", str(disk / f"backup-{number}.zip")],
    )[number % 4]


def _newest(vault: Path) -> int:
    return max(int(path.name) for path in (vault / "generations").iterdir())
