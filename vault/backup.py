"""A backup: one zip file with a generation, the journal and the owner's rules, restorable anywhere.

    backup.json                 what it is: versions, the generation's manifest, the sum of every member
    generation/…                ledger and index as published
    journal.sqlite              the owner's acts, copied while others may be writing them
    exclusions.json  cache/…    where the vault has them

The zip's comment is the SHA-256 of `backup.json`, so that a flipped bit anywhere is found. Archives that lie
in the vault's inbox, processed and quarantine folders are the owner's files and stay where they are.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from pydantic import ValidationError

from schemas.base import Instant, Noun
from schemas.errors import DamagedArchive, DiskFull, UsageError
from schemas.generation import Generation
from vault.current import write_current
from vault.files import files_below, replacing, sync_tree, tree_size
from vault.generations import read_manifest, require_published
from vault.layout import VaultLayout
from vault.reader import hold_published
from vault.readonly import readable
from vault.sums import file_sum
from vault.tombstones import remember_copy

FORMAT = 1
"""Raised only when an older mnemic could misread a backup; every later version reads every earlier one."""

RECORD = "backup.json"
COPY_BYTES = 1024 * 1024
COMPRESSION_LEVEL = 1
"""Of deflate: text and payloads halve, and more effort gains little (vectors do not compress)."""


class BackupRecord(Noun):
    """What a backup says of itself."""

    format: int
    made_at: Instant
    vault: str
    generation: Generation
    members: dict[str, str]
    """SHA-256 of each member's content, in hex."""


def back_up(root: Path, target: Path) -> BackupRecord:
    """Write the published generation and the journal to `target`, whole or not at all.

    Works beside readers and the writer. Raises VaultEmpty; UsageError where `target` exists; DiskFull.
    """
    if target.exists():
        raise UsageError("the file is there already", where=str(target), remedy="Name a new file")
    layout = VaultLayout(root)
    require_published(layout)
    hold, number = hold_published(layout)
    try:
        folder = layout.generation(number)
        _check_room(target, tree_size(folder))
        with replacing(target) as temporary, TemporaryDirectory(dir=target.absolute().parent) as private:
            record = _write(temporary, layout, folder, Path(private))
        remember_copy(layout, target, "backup")
        return record
    finally:
        hold.release()


def _check_room(target: Path, wanted: int) -> None:
    folder = target.absolute().parent
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < wanted:
        raise DiskFull(
            "not enough room for the backup",
            where=str(folder),
            why=f"up to {wanted // 2**20} MiB are needed, {free // 2**20} MiB are free",
            remedy="Name a file on another disk",
        )


def _write(path: Path, layout: VaultLayout, folder: Path, private: Path) -> BackupRecord:
    members: dict[str, str] = {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=COMPRESSION_LEVEL) as packed:
        for name, source in _sources(layout, folder, private):
            members[name] = _add(packed, name, source)
        record = BackupRecord(
            format=FORMAT,
            made_at=datetime.now(UTC),
            vault=str(layout.root.absolute()),
            generation=read_manifest(folder),
            members=members,
        )
        text = record.model_dump_json(indent=2)
        packed.writestr(RECORD, text)
        packed.comment = hashlib.sha256(text.encode()).hexdigest().encode()
    return record


def _sources(layout: VaultLayout, folder: Path, private: Path) -> Iterator[tuple[str, Path]]:
    for path in files_below(folder):
        yield f"generation/{path.as_posix()}", folder / path
    if layout.journal.exists():
        yield layout.journal.name, _copy_database(layout.journal, private)
    if layout.exclusions.exists():
        yield layout.exclusions.name, layout.exclusions
    for path in files_below(layout.cache) if layout.cache.is_dir() else ():
        if path.suffix == ".sqlite":
            yield f"{layout.cache.name}/{path.as_posix()}", _copy_database(layout.cache / path, private)


def _copy_database(path: Path, private: Path) -> Path:
    """A copy of a database as it is between two transactions of whoever is writing to it."""
    copied = private / path.name
    with (
        readable(path) as file,
        closing(sqlite3.connect(file)) as here,
        closing(sqlite3.connect(copied)) as there,
    ):
        here.backup(there)
    return copied


def _add(packed: zipfile.ZipFile, name: str, source: Path) -> str:
    digest = hashlib.sha256()
    with source.open("rb") as stream, packed.open(name, "w", force_zip64=True) as member:
        while part := stream.read(COPY_BYTES):
            digest.update(part)
            member.write(part)
    return digest.hexdigest()


def restore(backup: Path, root: Path) -> Generation:
    """Make a vault of a backup. Every member is checked before the vault is declared one.

    Raises DamagedArchive where the file is not a whole backup, UsageError where it was made by a newer
    mnemic or `root` holds something already, DiskFull.
    """
    layout = VaultLayout(root)
    if root.exists() and any(root.iterdir()):
        raise UsageError(
            "the folder is not empty",
            where=str(root),
            remedy="Name a new folder with --vault, or an empty one",
        )
    try:
        with zipfile.ZipFile(backup) as packed:
            record = read_record(packed, backup)
            _check_room(root / "vault", sum(one.file_size for one in _stored(packed)))
            layout.create()
            _unpack(packed, record, layout, backup)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        shutil.rmtree(root, ignore_errors=True)
        raise _damaged(backup, str(error)) from error
    except DamagedArchive:
        shutil.rmtree(root, ignore_errors=True)
        raise
    number = record.generation.number
    sync_tree(root)
    write_current(layout, number)
    return read_manifest(layout.generation(number))


def _stored(packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [one for one in packed.infolist() if one.filename != RECORD]


def read_record(packed: zipfile.ZipFile, backup: Path) -> BackupRecord:
    """The backup's own record, checked against the zip's comment."""
    try:
        text = packed.read(RECORD)
        if hashlib.sha256(text).hexdigest().encode() != packed.comment:
            raise _damaged(backup, f"{RECORD} is not what was written")
        record = BackupRecord.model_validate_json(text)
    except (KeyError, ValidationError) as error:
        raise _damaged(backup, f"{RECORD} cannot be read") from error
    if record.format > FORMAT:
        raise UsageError("a newer mnemic made the backup", where=str(backup), remedy="Upgrade mnemic")
    if record.members.keys() != {one.filename for one in _stored(packed)}:
        raise _damaged(backup, "members are missing, or too many")
    return record


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
            raise _damaged(backup, f"{name} is not what was written")
    folder = layout.generation(record.generation.number)
    for name, wanted in record.generation.files.items():
        if file_sum(folder / name) != wanted:
            raise _damaged(backup, f"{name} was damaged before it was backed up")
    read_manifest(folder)


def _target(layout: VaultLayout, record: BackupRecord, name: PurePosixPath, backup: Path) -> Path:
    """Where a member goes; a name that leaves the vault is refused."""
    if name.is_absolute() or ".." in name.parts:
        raise _damaged(backup, f"{name} is no name inside a vault")
    if name.parts[0] == "generation":
        return layout.generation(record.generation.number).joinpath(*name.parts[1:])
    return layout.root.joinpath(*name.parts)


def _damaged(backup: Path, why: str) -> DamagedArchive:
    return DamagedArchive(
        "the backup is damaged",
        where=str(backup),
        why=why,
        remedy="Use another backup; nothing was restored",
    )
