"""The index made anew from the ledger. The old index is never opened."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from uuid import uuid4

from flows.batches.batch_stages import EMBED_AT_ONCE, embed_points, stage_versions, windows_for
from flows.generation.account_moves import settle_accounts
from flows.generation.index_points import points_from_ledger
from flows.generation.loading import apply_changes, fold_journal, point_changes
from flows.generation.note_filing import file_notes
from flows.generation.summary_rewrites import restate_summaries
from flows.generation.thread_linking import link_threads
from inference import load_embedder
from inference.embedder import Embedder
from schemas.generation import Generation
from vault.generations import Building, building, recover, require_kept, require_published
from vault.layout import VaultLayout
from vault.lock import writer_lock


def rebuild(vault: Path, advance: Callable[[int], None] = lambda _: None) -> Generation:
    """Compose and embed every point of the published ledger again, and publish.

    Raises VaultLocked, VaultEmpty, DiskFull; IntegrityError where what was written does not read back.
    """
    layout = VaultLayout(vault)
    if not layout.generations.is_dir():  # a misspelled path is no vault, and does not become one
        require_published(layout)
    with writer_lock(layout):
        recover(layout)
        source = require_published(layout)
        embedder = load_embedder()
        windows = windows_for(embedder)
        run = str(uuid4())
        with building(layout, embedder.binding, source=source, fresh_index=True) as next_generation:
            ledger = next_generation.ledger
            ledger.add_run(run, datetime.now(UTC), "vault rebuild", stage_versions(embedder))
            ledger.forget_points()
            drafts = points_from_ledger(ledger, windows)
            while part := list(islice(drafts, EMBED_AT_ONCE)):
                changes = point_changes(part, {}, embed_points(part, embedder), replaces=False)
                apply_changes(next_generation, changes, run)
                advance(len(part))
            return finish(next_generation, embedder, run)


def rollback(vault: Path, number: int) -> Generation:
    """Publish a new generation with the content of an old one, and what the owner did since.

    Mends a `CURRENT` that is lost, rubbish or set back: the generation is named, so it is not asked.
    Raises UsageError where the generation is not there, VaultLocked, DiskFull; IntegrityError where another
    model embedded it.
    """
    layout = VaultLayout(vault)
    with writer_lock(layout):
        require_kept(layout, number)
        if layout.building.exists():
            shutil.rmtree(layout.building)
        embedder = load_embedder()
        run = str(uuid4())
        with building(layout, embedder.binding, source=number) as next_generation:
            ledger = next_generation.ledger
            ledger.add_run(run, datetime.now(UTC), f"vault rollback {number}", {})
            return finish(next_generation, embedder, run)


def finish(next_generation: Building, embedder: Embedder, run: str) -> Generation:
    """Fold the owner's acts, tell anew what they touch, close the run, publish."""
    fold_journal(next_generation, embedder, run)
    settle_accounts(next_generation, run)
    restate_summaries(next_generation, embedder, run)
    link_threads(next_generation, embedder, run)
    file_notes(next_generation, embedder, run)
    next_generation.ledger.finish_run(run, datetime.now(UTC))
    return next_generation.publish(run, datetime.now(UTC))
