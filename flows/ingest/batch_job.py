"""The work on one staged batch wherever it is done: beside the vault, or on a machine that has only a share.

A job names the batch; what the work needs to know of the vault lies in the batch's folder.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pydantic import Field

from curation.gate_settings import DEFAULT_SETTINGS, GateSettings
from flows.batches.batch_stages import embed_batch, extract_batch, summarise_batch
from flows.engines.engine_choice import EngineChoice, opened_engine
from inference import load_embedder
from schemas.base import Noun
from schemas.deferred import deferred
from vault.acts import corrections
from vault.batch import Batch
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.stored import prefixes_of

if TYPE_CHECKING:
    import fsspec
else:
    fsspec = deferred("fsspec")


BESIDE = "beside.json"


class Beside(Noun):
    """What the work on a batch needs to know of the vault."""

    points: dict[str, str]
    """Content hash by id of the points that the published generation has of the batch's conversations."""
    corrected: dict[str, str]
    """Texts that the owner corrected, by unit id."""
    gate: GateSettings
    prefixes: dict[str, str] = Field(default_factory=dict)
    """Contextual prefixes on record, by chunk id."""


class BatchJob(Noun):
    """One batch for one worker."""

    place: str
    """Folder or URL of the batch."""
    vault: Path
    """Used by engines that need the vault's own folder; the offline engine does without."""
    engine: EngineChoice

    @property
    def name(self) -> str:
        """The batch's."""
        return PurePosixPath(self.place).name[:8]


def write_beside(
    batch: Batch, ledger: Ledger | None, conversations: Sequence[str], gate: GateSettings = DEFAULT_SETTINGS
) -> None:
    """Put what a worker needs to know of the vault into the batch's folder."""
    beside = Beside(points={}, corrected={}, gate=gate)
    if ledger is not None:
        found = ledger.query(
            "SELECT id FROM units WHERE conversation_id IN (SELECT unnest(?))", [list(conversations)]
        )
        beside = Beside(
            points={point: content for point, (content, _) in ledger.points_of(conversations).items()},
            corrected=corrections(ledger, [str(unit) for (unit,) in found]),
            gate=gate,
            prefixes=prefixes_of(ledger, conversations),
        )
    (batch.folder / BESIDE).write_text(beside.model_dump_json(), encoding="utf-8")


def work_on(job: BatchJob) -> int:
    """Extract, summarise and embed the batch; returns how many vectors were made.

    Done twice, as after a worker was lost, it gives the same files.
    """
    if "://" not in job.place:
        return _work(Batch(Path(job.place)), job)

    files, place = fsspec.core.url_to_fs(job.place)
    with tempfile.TemporaryDirectory(prefix="mnemic-batch-") as folder:
        here = Path(folder) / "batch"
        files.get(place + "/", str(here) + "/", recursive=True)
        made = _work(Batch(here), job)
        files.put(str(here) + "/", place + "/", recursive=True)
        return made


def _work(batch: Batch, job: BatchJob) -> int:
    beside = Beside.model_validate_json((batch.folder / BESIDE).read_bytes())
    with opened_engine(job.engine, VaultLayout(job.vault)) as opened:
        extract_batch(batch, opened.engine, beside.gate, beside.prefixes)
        summarise_batch(batch, opened.engine)
    return embed_batch(batch, load_embedder(), beside.points, lambda _: None, beside.corrected)
