"""Generations: a next state is built aside and takes the place of the published one by a rename.

A crash at any point leaves the published generation whole: `CURRENT` names it until the very last step. What
lies in `building/` the next writer drops; a generation that was verified, made durable and renamed, but that
`CURRENT` does not name yet, it publishes.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from schemas.errors import DiskFull, IntegrityError, VaultEmpty
from schemas.generation import EmbedderBinding, Generation
from vault.edge import EdgeIndex
from vault.files import copy_tree, sync_folder, sync_tree, tree_size, write_text_durably
from vault.integrity import differences, expected_digest
from vault.layout import INDEX_FOLDER, LEDGER_FILE, MANIFEST_FILE, VaultLayout
from vault.ledger import Ledger

KEPT_GENERATIONS = 3
"""The published one and two to go back to."""

SPARE_BYTES = 256 * 1024 * 1024
"""Room asked for beyond a copy of the current generation, before any work starts."""

JOURNAL_SEQ, EMBEDDER = "journal_seq", "embedder"


def published_number(layout: VaultLayout) -> int | None:
    """The number that `CURRENT` names; None in a vault where nothing is published.

    Raises IntegrityError where `CURRENT` is not a number or names a generation that is not there.
    """
    have = _finished(layout)
    try:
        text = layout.current.read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        if have in ([], [1]):
            return None  # nothing, or a first publication that was interrupted at its last step
        text = ""
    if not text.isascii() or not text.isdigit() or int(text) not in have:
        raise IntegrityError(
            "CURRENT does not name a published generation",
            where=str(layout.current),
            why=f"it says {text[:40]!r}; there are {have or 'none'}",
            remedy="Write the newest number that is there into CURRENT, or restore a backup",
        )
    return int(text)


def _finished(layout: VaultLayout) -> list[int]:
    """Numbers of the generations that lie there whole, in order."""
    if not layout.generations.is_dir():
        return []
    return sorted(
        int(path.name)
        for path in layout.generations.iterdir()
        if path.name.isascii() and path.name.isdigit() and (path / MANIFEST_FILE).exists()
    )


def recover(layout: VaultLayout) -> None:
    """Finish or clear away what a killed writer left. Hold the writer's lock.

    Raises IntegrityError, and touches nothing, where generations follow that no interrupted publication
    explains: then `CURRENT` was lost or set back, and they may be the owner's newest.
    """
    if layout.building.exists():
        shutil.rmtree(layout.building)
    current = published_number(layout) or 0
    later = [number for number in _finished(layout) if number > current]
    if later == [current + 1] and read_manifest(layout.generation(later[0])).number == later[0]:
        write_text_durably(layout.current, f"{later[0]}\n")
    elif later:
        raise IntegrityError(
            "there are generations newer than the published one",
            where=str(layout.current),
            why=f"it says {current}; there are also {later}",
            remedy="Write the newest number that is there into CURRENT, or move those folders away",
        )


def read_manifest(folder: Path) -> Generation:
    """The manifest of a generation's folder."""
    return Generation.model_validate_json((folder / MANIFEST_FILE).read_text(encoding="utf-8"))


@dataclass(slots=True)
class Building:
    """The next generation while it is the writer's alone."""

    layout: VaultLayout
    number: int
    ledger: Ledger
    index: EdgeIndex
    embedder: EmbedderBinding

    def publish(self, run: str, at: datetime) -> Generation:
        """Verify, close, make durable, and let readers have it.

        Raises IntegrityError, and publishes nothing, where ledger and index disagree.
        """
        self.index.flush()
        self._verify()
        points, digest = expected_digest(self.ledger)
        manifest = Generation(
            number=self.number,
            published_at=at,
            run=run,
            journal_seq=int(self.ledger.setting(JOURNAL_SEQ) or 0),
            embedder=self.embedder,
            points=points,
            points_digest=digest,
            accounts=self.ledger.accounts(),
            rows=self.ledger.row_counts(),
        )
        self.ledger.query("CHECKPOINT")
        self.ledger.close()
        self.index.close()
        write_text_durably(self.layout.building / MANIFEST_FILE, manifest.model_dump_json(indent=2) + "\n")
        sync_tree(self.layout.building)
        self.layout.building.rename(self.layout.generation(self.number))
        sync_folder(self.layout.generations)
        write_text_durably(self.layout.current, f"{self.number}\n")
        _drop_old(self.layout, self.number)
        return manifest

    def _verify(self) -> None:
        found = differences(self.index, self.ledger)
        if found:
            raise IntegrityError(
                "ledger and index disagree, so nothing was published",
                where=str(self.layout.building),
                why="; ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else ""),
                remedy="Run the ingest again; the published generation is untouched",
            )


@contextmanager
def building(layout: VaultLayout, embedder: EmbedderBinding) -> Iterator[Building]:
    """Build the next generation from a copy of the published one. Hold the writer's lock.

    Raises DiskFull where the copy would not fit, and IntegrityError where the published
    vectors come from another embedder.
    """
    check_room(layout)
    current = published_number(layout)
    folder = layout.building
    if current is None:
        folder.mkdir()
        index = EdgeIndex.create(folder / INDEX_FOLDER, embedder.dimension)
    else:
        _check_binding(read_manifest(layout.generation(current)).embedder, embedder)
        copy_tree(layout.generation(current), folder)
        index = EdgeIndex.open(folder / INDEX_FOLDER)
    ledger = Ledger.open(folder / LEDGER_FILE, read_only=False)
    try:
        yield Building(layout, (current or 0) + 1, ledger, index, embedder)
    finally:
        ledger.close()
        index.close()
        if folder.exists():
            shutil.rmtree(folder)


def _check_binding(published: EmbedderBinding, ours: EmbedderBinding) -> None:
    if published != ours:
        there, here = (f"{one.name} {one.weights_hash[:12]}" for one in (published, ours))
        raise IntegrityError(
            "the index was built with another embedding model",
            why=f"{there} there, {here} here",
            remedy="Use the model the vault was built with, or ingest into a new vault",
        )


def check_room(layout: VaultLayout) -> None:
    """Raises DiskFull where a copy of the published generation would not fit."""
    current = published_number(layout)
    wanted = SPARE_BYTES + (tree_size(layout.generation(current)) if current is not None else 0)
    free = shutil.disk_usage(layout.root).free
    if free < wanted:
        raise DiskFull(
            "not enough room to build the next generation",
            where=str(layout.root),
            why=f"{wanted // 2**20} MiB are needed, {free // 2**20} MiB are free",
            remedy="Free some space and run again; nothing was changed",
        )


def _drop_old(layout: VaultLayout, current: int) -> None:
    for path in layout.generations.iterdir():
        if path.name.isdigit() and int(path.name) <= current - KEPT_GENERATIONS:
            shutil.rmtree(path)


def require_published(layout: VaultLayout) -> int:
    """The published generation's number. Raises VaultEmpty where there is none."""
    number = published_number(layout)
    if number is None:
        raise VaultEmpty(
            "the vault is empty",
            where=str(layout.root),
            remedy="Run `mnemic ingest ARCHIVE`, or name another vault with --vault",
        )
    return number
