"""Who reads a generation: a reader holds a shared lock on its manifest for as long as it is open.

So a writer knows which old generation it may take apart. The kernel lets go when a process dies.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vault.layout import MANIFEST_FILE


class Occupancy:
    """A reader's hold on a generation's folder."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def holds(self, folder: Path) -> bool:
        """Whether the generation in the folder is the one that is held, and not another of its number. While
        it is held, no other file gets its manifest's place on the disk."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), (folder / MANIFEST_FILE).stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let the generation go."""
        os.close(self._descriptor)


def occupy(folder: Path) -> Occupancy | None:
    """Hold the generation for reading; None where it is gone, or was taken away meanwhile."""
    manifest = folder / MANIFEST_FILE
    try:
        descriptor = os.open(manifest, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        there = os.path.samestat(os.fstat(descriptor), manifest.stat())
    except (BlockingIOError, FileNotFoundError):
        there = False
    if not there:
        os.close(descriptor)
        return None
    return Occupancy(descriptor)


@contextmanager
def unoccupied(folder: Path) -> Iterator[bool]:
    """Whether nobody reads the generation; while this is open and true, nobody can begin to."""
    descriptor = os.open(folder / MANIFEST_FILE, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)
