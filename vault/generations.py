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
from typing import TYPE_CHECKING

from pydantic import ValidationError

from schemas.deferred import deferred
from schemas.errors import DiskFull, IntegrityError, UsageError, VaultEmpty
from schemas.generation import EmbedderBinding, Generation
from vault.current import current_text, number_said, write_current
from vault.edge import EdgeIndex
from vault.files import (
    copy_file,
    copy_tree,
    has_shared_files,
    sync_folder,
    sync_tree,
    tree_size,
    update_tree,
    write_text_durably,
)
from vault.integrity import differences, expected_digest, spot_check
from vault.layout import INDEX_FOLDER, LEDGER_FILE, MANIFEST_FILE, VaultLayout
from vault.ledger import Ledger
from vault.lock import is_being_written
from vault.occupancy import unoccupied
from vault.opening import open_ledger, require_whole
from vault.options import kept_generations
from vault.paths import publish_paths
from vault.queries import shared_ids
from vault.sums import tree_sums

if TYPE_CHECKING:
    from vault import name_graph
else:
    name_graph = deferred("vault.name_graph")  # only who publishes needs it, and what finds names

SPARE_BYTES = 256 * 1024 * 1024
"""Room asked for beyond a copy of the current generation, before any work starts."""

SMALL_CHANGE = 0.1
"""Share of the points that a run may write and still be checked by what it wrote, the counts and a sample:
the rest is a copy of what was checked whole. A larger change is compared point by point."""

JOURNAL_SEQ, EMBEDDER = "journal_seq", "embedder"

NOTHING = 0
"""What `CURRENT` says while the first generation is built: so that one generation without a `CURRENT` is one
whose `CURRENT` was lost, and not a publication that was interrupted."""


def published_number(layout: VaultLayout) -> int | None:
    """The number that `CURRENT` names; None in a vault where nothing is published.

    Raises IntegrityError where `CURRENT` is damaged or names a generation that is not there.
    """
    text = current_text(layout)
    while not _is_there(layout, text):
        again = current_text(layout)
        if again == text:
            break
        text = again  # a publication came between the two looks
    said = number_said(text)
    if said is not None and _is_there(layout, text):
        return said
    have = finished_numbers(layout)
    if (text is None and not have) or (said == NOTHING and have in ([], [1])):
        return None  # nothing, or a first publication that was interrupted at its last step
    raise IntegrityError(
        "CURRENT does not name a published generation",
        where=str(layout.current),
        why=_why_not(text, have),
        remedy=f"Run `mnemic vault rollback {have[-1]}`" if have else "Restore a backup",
    )


def _is_there(layout: VaultLayout, text: str | None) -> bool:
    said = number_said(text)
    return said is not None and (layout.generation(said) / MANIFEST_FILE).exists()


def _why_not(text: str | None, have: list[int]) -> str:
    damaged = "" if text is None or number_said(text) is not None else ", and its sum does not fit"
    return f"it says {(text or '').strip()[:40]!r}{damaged}; there are {have or 'none'}"


def finished_numbers(layout: VaultLayout) -> list[int]:
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
    have = finished_numbers(layout)
    _clear_half_dropped(layout, have)
    later = [number for number in have if number > current]
    if later == [current + 1] and read_manifest(layout.generation(later[0])).number == later[0]:
        write_current(layout, later[0])
    elif later:
        raise IntegrityError(
            "there are generations newer than the published one",
            where=str(layout.current),
            why=f"it says {current}; there are also {later}",
            remedy=f"Run `mnemic vault rollback {later[-1]}` to go on with the newest",
        )


def _clear_half_dropped(layout: VaultLayout, have: list[int]) -> None:
    """Remove what is left of old generations whose removal was interrupted."""
    for path in layout.generations.iterdir():
        if path.name.isascii() and path.name.isdigit() and have and int(path.name) < have[0]:
            shutil.rmtree(path)


def read_manifest(folder: Path) -> Generation:
    """The manifest of a generation's folder. Raises IntegrityError where it is damaged."""
    path = folder / MANIFEST_FILE
    try:
        manifest = Generation.model_validate_json(path.read_text(encoding="utf-8", errors="replace"))
    except ValidationError as error:
        raise _damaged_manifest(path, f"{error.error_count()} of its fields cannot be read") from error
    if manifest.seal and manifest.seal != manifest.expected_seal():
        raise _damaged_manifest(path, "its content does not match its seal")
    return manifest


def _damaged_manifest(path: Path, why: str) -> IntegrityError:
    return IntegrityError(
        "the generation's manifest is damaged",
        where=str(path),
        why=why,
        remedy="`mnemic vault list` names the generations that `mnemic vault rollback` can go back to",
    )


@dataclass(slots=True)
class Building:
    """The next generation while it is the writer's alone."""

    layout: VaultLayout
    number: int
    ledger: Ledger
    index: EdgeIndex
    embedder: EmbedderBinding
    source: int | None = None
    """The generation that this is a copy of; None for a first one."""
    whole: bool = False
    """Compare every point before publishing, however small the change."""

    def publish(self, run: str, at: datetime) -> Generation:
        """Verify, close, make durable, and let readers have it.

        Raises IntegrityError, and publishes nothing, where ledger and index disagree.
        """
        self.index.flush()
        self._verify(run)
        publish_paths(self.ledger)
        name_graph.publish_names(self.ledger)
        points, digest = expected_digest(self.ledger)
        journal_seq = int(self.ledger.setting(JOURNAL_SEQ) or 0)
        self.ledger.add_generation(self.number, at, run, journal_seq, self.source)
        accounts, rows = self.ledger.accounts(), self.ledger.row_counts()
        shared = shared_ids(self.ledger)
        self.ledger.query("CHECKPOINT")
        self.ledger.close()
        self.index.close()
        # at its next opening a shard works off the journals of its files and removes them (measured): that
        # must not be a reader's doing, who is one of many
        EdgeIndex.open(self.layout.building / INDEX_FOLDER).close()
        source = self.layout.generation(self.source) if self.source is not None and not self.whole else None
        manifest = Generation(
            number=self.number,
            published_at=at,
            run=run,
            journal_seq=journal_seq,
            embedder=self.embedder,
            points=points,
            points_digest=digest,
            accounts=accounts,
            rows=rows,
            shared_ids=shared,
            source=self.source if self.source != self.number - 1 else None,
            files=tree_sums(self.layout.building, source, read_manifest(source).files if source else {}),
        ).sealed()
        write_text_durably(self.layout.building / MANIFEST_FILE, manifest.model_dump_json(indent=2) + "\n")
        sync_tree(self.layout.building)
        self.layout.building.rename(self.layout.generation(self.number))
        sync_folder(self.layout.generations)
        write_current(self.layout, self.number)
        drop_old(self.layout, kept_generations())
        return manifest

    def reopen(self) -> None:
        """Open ledger and index again, after their files were written anew."""
        self.ledger = Ledger.open(self.layout.building / LEDGER_FILE, read_only=False)
        self.index = EdgeIndex.open(self.layout.building / INDEX_FOLDER)

    def _verify(self, run: str) -> None:
        written = self.ledger.points_of_run(run)
        small = self.source is not None and not self.whole
        if small and len(written) <= SMALL_CHANGE * self.index.count():
            found = spot_check(self.index, self.ledger, written)
        else:
            found = differences(self.index, self.ledger)
        if found:
            raise IntegrityError(
                "ledger and index disagree, so nothing was published",
                where=str(self.layout.building),
                why="; ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else ""),
                remedy="Run `mnemic vault verify --full`, and the remedy that it names;"
                " the published generation is untouched",
            )


@contextmanager
def building(
    layout: VaultLayout,
    embedder: EmbedderBinding,
    *,
    source: int | None = None,
    fresh_index: bool = False,
) -> Iterator[Building]:
    """Build the next generation from a copy of the published one, or of `source`. Hold the writer's lock.

    With `fresh_index` the index starts empty and the one of the source is never read.
    Raises DiskFull where the copy would not fit, and IntegrityError where what is copied is damaged, or its
    vectors come from another embedder.
    """
    base = source if source is not None else published_number(layout)
    check_room(layout)
    folder = layout.building
    if base is None:
        folder.mkdir()
        write_current(layout, NOTHING)
    else:
        published = layout.generation(base)
        manifest = read_manifest(published)
        require_whole(layout, manifest, LEDGER_FILE, *(() if fresh_index else (INDEX_FOLDER,)))
        if not fresh_index:
            _check_binding(manifest.embedder, embedder)
        _copy_generation(layout, published, fresh_index)
    number = max([*finished_numbers(layout), 0]) + 1
    ledger = Ledger.open(folder / LEDGER_FILE, read_only=False)
    if base is None or fresh_index:
        index = EdgeIndex.create(folder / INDEX_FOLDER, embedder.dimension)
    else:
        index = EdgeIndex.open(folder / INDEX_FOLDER)
    built = Building(layout, number, ledger, index, embedder, base, whole=fresh_index)
    try:
        yield built
    finally:
        built.ledger.close()
        built.index.close()
        if folder.exists():
            shutil.rmtree(folder)


def _copy_generation(layout: VaultLayout, published: Path, fresh_index: bool) -> None:
    if fresh_index:
        layout.building.mkdir()
        copy_file(published / LEDGER_FILE, layout.building / LEDGER_FILE)
        return
    if layout.spare.exists():
        # nobody reads it, and nearly all of it is what the copy would be
        layout.spare.rename(layout.building)
        update_tree(published, layout.building)
    else:
        copy_tree(published, layout.building)
    (layout.building / MANIFEST_FILE).unlink()


def _check_binding(published: EmbedderBinding, ours: EmbedderBinding) -> None:
    if published != ours:
        there, here = (f"{one.name} {one.weights_hash[:12]}" for one in (published, ours))
        raise IntegrityError(
            "the index was built with another embedding model",
            why=f"{there} there, {here} here",
            remedy="Use the model the vault was built with, or run `mnemic vault rebuild` to embed anew",
        )


def check_room(layout: VaultLayout) -> None:
    """Raises DiskFull where a copy of the published generation would not fit."""
    have = finished_numbers(layout)
    wanted = SPARE_BYTES + (tree_size(layout.generation(have[-1])) if have else 0)
    free = shutil.disk_usage(layout.root).free
    if free < wanted:
        raise DiskFull(
            "not enough room to build the next generation",
            where=str(layout.root),
            why=f"{wanted // 2**20} MiB are needed, {free // 2**20} MiB are free",
            remedy="Free some space (`mnemic vault prune` drops old generations) and run again;"
            " nothing was changed",
        )


def drop_old(layout: VaultLayout, kept: int) -> list[int]:
    """Drop all but the newest `kept` generations; one that is still being read stays until the next time.

    The newest of the dropped becomes the spare. Returns the numbers that were dropped.
    """
    dropped: list[int] = []
    for number in reversed(finished_numbers(layout)[:-kept]):
        folder = layout.generation(number)
        with unoccupied(folder) as free:
            if not free:
                continue
            if dropped:
                (folder / MANIFEST_FILE).unlink()  # first, so that half a folder is no generation
                shutil.rmtree(folder)
            else:
                drop_spare(layout)
                if has_shared_files(folder):  # the next generation would be written into a branch's files
                    (folder / MANIFEST_FILE).unlink()
                    shutil.rmtree(folder)
                else:
                    folder.rename(layout.spare)
            dropped.append(number)
    return dropped


def drop_all_but(layout: VaultLayout, number: int) -> None:
    """Remove every other generation and the spare, even where somebody reads them: they must not exist."""
    for other in finished_numbers(layout):
        if other != number:
            shutil.rmtree(layout.generation(other))
    drop_spare(layout)


def drop_spare(layout: VaultLayout) -> None:
    """Remove the spare; the next publication copies everything."""
    if layout.spare.exists():
        shutil.rmtree(layout.spare)


def require_published(layout: VaultLayout) -> int:
    """The published generation's number. Raises VaultEmpty where there is none."""
    number = published_number(layout)
    if number is None:
        first = is_being_written(layout)
        raise VaultEmpty(
            "the vault is empty",
            where=str(layout.root),
            why="its first ingest is under way" if first else "",
            remedy="Wait for it to end"
            if first
            else "Run `mnemic ingest ARCHIVE`, or name another vault with --vault",
        )
    return number


def require_kept(layout: VaultLayout, number: int) -> Generation:
    """The manifest of a generation that is still there. Raises UsageError where it is not."""
    have = finished_numbers(layout)
    if number not in have:
        raise UsageError(
            f"generation {number} is not there",
            where=str(layout.root),
            why=f"there are {', '.join(map(str, have)) or 'none'}",
            remedy="`mnemic vault list` shows them",
        )
    return read_manifest(layout.generation(number))


@contextmanager
def published_ledger(layout: VaultLayout) -> Iterator[Ledger | None]:
    """The published ledger, read-only; None in a vault where nothing is published."""
    number = published_number(layout)
    if number is None:
        yield None
        return
    with open_ledger(layout, read_manifest(layout.generation(number))) as ledger:
        yield ledger
