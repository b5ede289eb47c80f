"""Batches handed out to workers over shared storage, and taken back into the vault's staging."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curation.gate_settings import read_settings
from flows.batches.batch_stages import READ
from flows.engines.engine_choice import EngineChoice
from flows.ingest.batch_job import BatchJob, write_beside
from flows.intake.staging import ReadingPlan
from inference.language_model import PROVIDERS
from schemas.deferred import deferred
from schemas.errors import UsageError
from vault.generations import published_ledger
from vault.layout import VaultLayout

if TYPE_CHECKING:
    import fsspec
else:
    fsspec = deferred("fsspec")


NEEDS_VAULT = (*PROVIDERS, "recorded")
"""Engines that read the vault's folder: answers of a model, or the ledger."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """Where workers find batches. None: in the vault's folder, which they then share."""

    layout: VaultLayout
    url: str | None = None


def jobs_of(sharing: Sharing, engine: EngineChoice, plan: ReadingPlan) -> Iterator[BatchJob]:
    """One job a batch, with what it needs to know beside it; copied to the shared place where there is one.

    Raises UsageError for an engine that needs the vault's folder where workers see only a share.
    """
    taught = engine.name == "offline" and sharing.layout.taught_reader.exists()
    if sharing.url is not None and (engine.name in NEEDS_VAULT or taught):
        alone = "batches alone are on the shared storage"
        raise UsageError(
            f"the engine {engine.name} needs the vault's own folder",
            why="the reader that it taught lies there" if taught else alone,
            remedy="Let the workers share the vault's folder, and leave the URL out",
        )
    gate = read_settings(sharing.layout.gate)
    with published_ledger(sharing.layout) as ledger:
        for batch in plan.batches:
            write_beside(batch, ledger, list(batch.manifest(READ) or {}), gate)
            place = str(batch.folder)
            if sharing.url is not None:
                files, root = fsspec.core.url_to_fs(sharing.url)
                files.put(f"{batch.folder}/", f"{root}/{batch.folder.name}/", recursive=True)
                place = f"{sharing.url.rstrip('/')}/{batch.folder.name}"
            yield BatchJob(place=place, vault=sharing.layout.root, engine=engine)


def collected(sharing: Sharing, job: BatchJob) -> None:
    """Take a batch that is done back into staging; the one writer loads it from there."""
    if sharing.url is None:
        return

    files, place = fsspec.core.url_to_fs(job.place)
    target = sharing.layout.staging / Path(place).name
    files.get(place + "/", f"{target}/", recursive=True)
    files.rm(place, recursive=True)
