"""A vault made of a backup: unpacked and checked aside, and put in its place only when it is whole.

Aside is a folder beside the vault's, which takes its place by one rename. Where the vault's own folder cannot
be replaced (a mounted volume, or a parent that may not be written to) it is a folder inside, whose content
moves up, `CURRENT` last. What a killed process left there, the next restore clears away.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from filelock import FileLock, Timeout

from schemas.errors import UsageError, VaultLocked
from schemas.generation import Generation
from vault.backup import COPY_BYTES, BackupRecord, check_room, damaged, read_record, stored
from vault.current import write_current
from vault.files import sync_folder, sync_tree
from vault.generations import read_manifest
from vault.layout import VaultLayout
from vault.readonly import may_write
from vault.sums import file_sum

INSIDE = ".restoring.part"


def restore(backup: Path, root: Path) -> Generation:
    """Make a vault of a backup. Every member is checked before the vault is declared one.

    Raises DamagedArchive where the file is not a whole backup, UsageError where it was made by a newer
    mnemic or `root` holds something already, VaultLocked where another process restores to it, DiskFull.
    """
    root = root.resolve()
    _require_empty(root)
    aside = root / INSIDE if _irreplaceable(root) else root.with_name(f".{root.name}{INSIDE}")
    try:
        with zipfile.ZipFile(backup) as packed:
            record = read_record(packed, backup)
            check_room(aside, sum(one.file_size for one in stored(packed)))
            with _emptied(aside):
                layout = VaultLayout(aside / "vault")
                layout.create()
                _unpack(packed, record, layout, backup)
                sync_tree(layout.root)
                write_current(layout, record.generation.number)
                _put_in_place(layout, root, aside)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise damaged(backup, str(error)) from error
    return read_manifest(VaultLayout(root).generation(record.generation.number))


def _irreplaceable(root: Path) -> bool:
    return root.is_dir() and (root.is_mount() or not may_write(root.parent))


def _require_empty(root: Path) -> None:
    """Raises UsageError where the folder holds more than what a killed restore left of itself."""
    if not root.exists():
        return
    there = {path.name for path in root.iterdir()} if root.is_dir() else {root.name}
    left = INSIDE in there and not VaultLayout(root).current.exists()
    if there - (_placed(root / INSIDE) | {INSIDE} if left else set()):
        raise UsageError(
            "the folder is not empty",
            where=str(root),
            remedy="Name a new folder with --vault, or an empty one",
        )


def _placed(aside: Path) -> set[str]:
    """What a restore inside has moved up, by its own list."""
    try:
        return set((aside / "names").read_text(encoding="utf-8").splitlines())
    except FileNotFoundError:
        return set()


@contextmanager
def _emptied(aside: Path) -> Iterator[None]:
    """The folder aside, held against other restores and without what a killed one left; gone in the end."""
    aside.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(aside / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise VaultLocked(
            "another process is restoring to this folder", where=str(aside), remedy="Wait for it to end"
        ) from None
    try:
        if aside.name == INSIDE:
            for name in _placed(aside):
                _remove(aside.parent / name)
        for name in ("names", "vault"):
            _remove(aside / name)
        yield
    finally:
        shutil.rmtree(aside)
        lock.release()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _put_in_place(layout: VaultLayout, root: Path, aside: Path) -> None:
    if aside.name != INSIDE:
        layout.root.rename(root)
        sync_folder(root.parent)
        return
    names = sorted(path.name for path in layout.root.iterdir() if path != layout.current)
    (aside / "names").write_text("\n".join(names), encoding="utf-8")
    sync_folder(aside)
    for name in (*names, layout.current.name):
        (layout.root / name).rename(root / name)
        sync_folder(root)


def _unpack(packed: zipfile.ZipFile, record: BackupRecord, layout: VaultLayout, backup: Path) -> None:
    for name, wanted in record.members.items():
        target = _target(layout, record, PurePosixPath(name), backup)
        target.parent.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        with packed.open(name) as member, target.open("wb") as stream:
            while part := member.read(COPY_BYTES):
                digest.update(part)
                if part.count(0) == len(part):
                    stream.seek(len(part), 1)  # a shard is mostly holes: they stay holes
                else:
                    stream.write(part)
            stream.truncate()
        if digest.hexdigest() != wanted:
            raise damaged(backup, f"{name} is not what was written")
    folder = layout.generation(record.generation.number)
    for name, wanted in record.generation.files.items():
        if file_sum(folder / name, wanted) != wanted:
            raise damaged(backup, f"{name} was damaged before it was backed up")
    read_manifest(folder)


def _target(layout: VaultLayout, record: BackupRecord, name: PurePosixPath, backup: Path) -> Path:
    """Where a member goes; a name that leaves the vault is refused."""
    if name.is_absolute() or ".." in name.parts:
        raise damaged(backup, f"{name} is no name inside a vault")
    if name.parts[0] == "generation":
        return layout.generation(record.generation.number).joinpath(*name.parts[1:])
    return layout.root.joinpath(*name.parts)
