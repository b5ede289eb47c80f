"""Files that are written outside the vault: for their owner alone, whole or not at all, and remembered.

What is not finished lies in a private folder beside the target. The vault remembers the folder for as long as
it is there, and whoever writes holds a lock on it: one that a killed process left is found again and removed.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from vault.files import sync_file, sync_folder
from vault.layout import VaultLayout
from vault.readonly import may_write
from vault.tombstones import forget_part, parts, remember_part

PRIVATE = 0o600
_PART = re.compile(r"\..+\.[0-9a-f]{8}\.part")


@contextmanager
def beside(layout: VaultLayout, target: Path) -> Iterator[Path]:
    """A private folder beside `target`, gone in the end. A vault that may only be read remembers nothing."""
    clear_parts(layout)
    folder = target.absolute().with_name(f".{target.name}.{uuid4().hex[:8]}.part")
    folder.mkdir(mode=0o700)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remember_part(layout, folder)
        yield folder
    finally:
        shutil.rmtree(folder)
        forget_part(layout, folder)
        os.close(descriptor)


def put_in_place(made: Path, target: Path) -> None:
    """Let a file that lies beside `target` take its place, durably and at once, for its owner alone."""
    made.chmod(PRIVATE)
    sync_file(made)
    made.replace(target)
    sync_folder(target.absolute().parent)


def unfinished(layout: VaultLayout) -> list[Path]:
    """The remembered folders that are still there, and that nobody writes to."""
    try:
        return [folder for folder in parts(layout.journal) if _abandoned(folder)]
    except sqlite3.DatabaseError:
        return []  # whoever asks for acts hears that the journal is damaged


def clear_parts(layout: VaultLayout) -> list[Path]:
    """Remove what killed processes left beside their targets; returns the folders."""
    if not may_write(layout.root):
        return []
    left = unfinished(layout)
    for folder in left:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
    for folder in parts(layout.journal):
        if not folder.exists():
            forget_part(layout, folder)
    return left


def _abandoned(folder: Path) -> bool:
    """Whether it is one of ours that nobody holds. The journal may come from elsewhere, so a folder that
    another would hold, by its name or by what is in it, is none."""
    if not _PART.fullmatch(folder.name) or folder.is_symlink() or not folder.is_dir():
        return False
    if any(not one.is_file() or one.is_symlink() for one in folder.iterdir()):
        return False
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
