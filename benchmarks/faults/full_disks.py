"""A disk that fills up while a command works: a small one, and ballast that grows at a random moment.

    python -m benchmarks.faults.full_disks FOLDER COUNT SEED

runs it in this process, which should have mounts of its own (`unshare --mount`).
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from benchmarks.faults.command_storm import brew, settle, strike
from benchmarks.faults.drill import REPOSITORY, Drill
from vault.generations import SPARE_BYTES

ROOM = 256 * 1024 * 1024
LEFT_FREE = 16 * 1024
LOOKED = 0.001
"""Seconds between two looks at how far a command has come."""

STAGES = (
    ("ingest", ""),
    ("ingest", "staging/*"),
    ("ingest", "staging/*/read.json"),
    ("ingest", "staging/*/extract.json"),
    ("ingest", "staging/*/embed.json"),
    ("ingest", "building"),
    ("ingest", "building/ledger.duckdb.wal"),
    ("ingest", "building/generation.json"),
    ("sweep", ""),
    ("sweep", "building"),
    ("sweep", "building/index/edge_config.json"),
    ("sweep", "building/generation.json"),
    ("keep", ""),
    ("keep", "journal.sqlite-wal"),
    ("publish", "building"),
    ("rollback", ""),
    ("rollback", "building"),
    ("rollback", "building/generation.json"),
    ("backup", ""),
    ("backup", "../.backup-*"),
    ("prune", ""),
)
"""When the disk is full: an operation, and the file whose appearance begins the stage; "": at any moment."""


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[bool]:
    """A file system of `size` bytes, in a file, mounted on `folder`; False where this process may not.

    Not a tmpfs: there a shard's holes turn into pages as soon as they are read. Nothing is reserved for root.
    """
    folder.mkdir(parents=True, exist_ok=True)
    image = folder.with_suffix(".image")
    with image.open("wb") as stream:
        stream.truncate(size)
    made = (
        ["mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", str(image)],
        ["mount", "-o", "loop", str(image), str(folder)],
    )
    mounted = True
    for command in made:
        mounted = mounted and subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        image.unlink()


def fill(disk: Path) -> Path:
    """Take all but a little of what is free."""
    ballast = disk / "ballast"
    with ballast.open("wb") as stream:
        while (left := os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize - LEFT_FREE) > 0:
            try:
                os.posix_fallocate(stream.fileno(), os.fstat(stream.fileno()).st_size, left)
            except OSError as error:
                if error.errno != errno.ENOSPC:  # the command was faster: look again at what is left
                    raise
    return ballast


def full_disk(folder: Path, count: int, seed: int) -> Drill:
    """Fill the disk `count` times, at each of STAGES in turn.

    In a process with mounts of its own: the kernel takes them away with it, however it ends.
    """
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "mkfs.ext4"))):
        return Drill("full disk", {"not run: no permission to mount a disk": 1})
    command = [
        *("unshare", "--mount", sys.executable, "-m", "benchmarks.faults.full_disks"),
        *(str(folder), str(count), str(seed)),
    ]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(command, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, check=True)
    return Drill(**json.loads(done.stdout))


def filled_in_turn(folder: Path, count: int, seed: int) -> Drill:
    """The drill itself, in this process."""
    drill = Drill("full disk")
    disk = folder / "disk"
    with small_disk(disk, SPARE_BYTES + ROOM) as mounted:
        if not mounted:
            drill.count("not run: no permission to mount a disk")
            return drill
        storm = brew(drill, folder, disk / "vault", seed)
        for name, stage in islice(cycle(STAGES), count):
            code: list[int] = []
            strike(storm, name, partial(_fill, storm.vault, stage, code))
            drill.count(f"{name} at {stage or 'a random moment'}: {'done' if code == [0] else 'stopped'}")
        settle(storm)
    return drill


def _fill(vault: Path, stage: str, code: list[int], process: subprocess.Popen[bytes], after: float) -> bool:
    """Fill the disk at the stage and let the process come to its end; its exit code goes into `code`."""
    if stage:
        while process.poll() is None and next(vault.glob(stage), None) is None:
            time.sleep(LOOKED)
    else:
        time.sleep(after)
    struck = process.poll() is None
    ballast = fill(vault.parent)
    process.communicate()
    code.append(process.returncode)
    ballast.unlink()
    return struck


if __name__ == "__main__":
    print(json.dumps(asdict(filled_in_turn(Path(sys.argv[1]), *map(int, sys.argv[2:])))))
