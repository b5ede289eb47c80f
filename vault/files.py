"""Writes that survive a crash: temporary name, fsync, rename, fsync of the folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make the folder's entries durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Make the file's bytes durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(root: Path) -> None:
    """Make everything below `root` durable, files before the folders that name them."""
    for folder, _, names in os.walk(root, topdown=False):
        for name in names:
            sync_file(Path(folder) / name)
        sync_folder(Path(folder))


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path to write to; on success it takes the place of `path`, durably and at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        sync_file(temporary)
        temporary.replace(path)
        sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_text_durably(path: Path, text: str) -> None:
    """Replace the file's content by `text`, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def copy_tree(source: Path, target: Path) -> None:
    """Copy a folder. Never by hard links: an embedded shard writes through them (measured)."""
    shutil.copytree(source, target)


def tree_size(root: Path) -> int:
    """Bytes of all files below `root`."""
    return sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
