"""A backup: one zip file with a generation, the journal and the owner's rules, restorable anywhere.

    backup.json                 what it is: versions, the generation's manifest, the sum of every member
    generation/…                ledger and index as published
    journal.sqlite              the owner's acts, copied while others may be writing them
    web.sqlite  exclusions.json  gate.json  taxonomy.yaml  reader.safetensors  scorer.json  cache/…
                                where the vault has them

The zip's comment is the SHA-256 of `backup.json`, so that a flipped bit anywhere is found. Archives that lie
in the vault's inbox, processed and quarantine folders are the owner's files and stay where they are.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from schemas.base import Instant, Noun
from schemas.errors import DamagedArchive, DiskFull, UsageError
from schemas.generation import Generation
from vault.branches import branch_names
from vault.files import files_below, tree_size
from vault.generations import read_manifest, require_published
from vault.layout import VaultLayout
from vault.outside import PRIVATE, beside, put_in_place
from vault.reader import hold_published
from vault.readonly import copy_database
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
    branches_left_out: tuple[str, ...] = ()
    """Names of the vault's branches, none of which is in the backup."""


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
        check_room(target, tree_size(folder))
        with beside(layout, target) as private:
            made = private / "backup.zip"
            made.touch(PRIVATE)
            record = _write(made, layout, folder, private)
            put_in_place(made, target)
        remember_copy(layout, target, "backup")
        return record
    finally:
        hold.release()


def check_room(target: Path, wanted: int) -> None:
    """Make the target's folder, and raise DiskFull where it has no room for `wanted` bytes."""
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
            branches_left_out=tuple(branch_names(layout)),
        )
        text = record.model_dump_json(indent=2)
        packed.writestr(RECORD, text)
        packed.comment = hashlib.sha256(text.encode()).hexdigest().encode()
    return record


def _sources(layout: VaultLayout, folder: Path, private: Path) -> Iterator[tuple[str, Path]]:
    for path in files_below(folder):
        yield f"generation/{path.as_posix()}", folder / path
    for database in (layout.journal, layout.web):
        if database.exists():
            yield database.name, copy_database(database, private / database.name)
    for settings in (layout.exclusions, layout.gate, layout.taxonomy, layout.taught_reader, layout.scorer):
        if settings.exists():
            yield settings.name, settings
    for path in files_below(layout.cache) if layout.cache.is_dir() else ():
        if path.suffix == ".sqlite":
            yield (
                f"{layout.cache.name}/{path.as_posix()}",
                copy_database(layout.cache / path, private / path.name),
            )


def _add(packed: zipfile.ZipFile, name: str, source: Path) -> str:
    digest = hashlib.sha256()
    with source.open("rb") as stream, packed.open(name, "w", force_zip64=True) as member:
        while part := stream.read(COPY_BYTES):
            digest.update(part)
            member.write(part)
    return digest.hexdigest()


def stored(packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Its members, but for the record."""
    return [one for one in packed.infolist() if one.filename != RECORD]


def read_record(packed: zipfile.ZipFile, backup: Path) -> BackupRecord:
    """The backup's own record, checked against the zip's comment."""
    try:
        text = packed.read(RECORD)
        if hashlib.sha256(text).hexdigest().encode() != packed.comment:
            raise damaged(backup, f"{RECORD} is not what was written")
        record = BackupRecord.model_validate_json(text)
    except (KeyError, ValidationError) as error:
        raise damaged(backup, f"{RECORD} cannot be read") from error
    if record.format > FORMAT:
        raise UsageError("a newer mnemic made the backup", where=str(backup), remedy="Upgrade mnemic")
    if record.members.keys() != {one.filename for one in stored(packed)}:
        raise damaged(backup, "members are missing, or too many")
    return record


def damaged(backup: Path, why: str) -> DamagedArchive:
    """What to raise where a backup is not what was written."""
    return DamagedArchive(
        "the backup is damaged",
        where=str(backup),
        why=why,
        remedy="Use another backup; nothing was restored",
    )
