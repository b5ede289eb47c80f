"""First step: archives in, staged batches of conversations out, with every record accounted for."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from archives import Archive, open_archive
from flows.progress import Progress
from flows.quarantine import Quarantine
from flows.summary import ArchiveOutcome, ArchiveResult
from flows.working import READ
from schemas.base import Instant, sha256_text
from schemas.conversation import Conversation
from schemas.errors import InputError
from schemas.report import ImportReport
from vault.batch import Batch
from vault.layout import VaultLayout

BATCH_SIZE = 50
"""Conversations a batch: large enough that a Prefect task's 6-80 ms do not count."""

Done = dict[str, tuple[str, Instant | None]]
"""(work key, time of last update) by conversation id."""


@dataclass(slots=True)
class ReadingPlan:
    """What the archives of a run come to."""

    batches: list[Batch] = field(default_factory=list)
    """In the order in which they are to be loaded: a later one holds the newer form of a conversation."""
    results: list[ArchiveResult] = field(default_factory=list)
    reports: list[ImportReport] = field(default_factory=list)
    """Of archives that the ledger has no report of yet."""
    pipeline: str = ""
    """Hash of every version that the work depends on."""


class Reading:
    """Reads archives one after the other against what is already done."""

    def __init__(
        self,
        layout: VaultLayout,
        versions: Mapping[str, str],
        done: Done,
        imported: set[tuple[str, str, str]],
    ) -> None:
        self.pipeline = sha256_text(json.dumps(dict(versions), sort_keys=True))
        self.plan = ReadingPlan(pipeline=self.pipeline)
        self._layout = layout
        self._done = dict(done)
        self._imported = imported
        self._staged = _staged_work(layout, done)

    def read(self, path: Path, account: str | None, format_id: str | None, progress: Progress) -> None:
        """Stage what is new in the archive; a bad archive is reported and does not stop the others."""
        quarantine = Quarantine(self._layout, path)
        try:
            with open_archive(
                path, account=account, format_id=format_id, rejects=quarantine.record
            ) as archive:
                self._read(archive, path, progress)
        except InputError as error:
            quarantine.archive(error)
            self.plan.results.append(
                ArchiveResult(archive=str(path), outcome=ArchiveOutcome.FAILED, error=str(error))
            )

    def _read(self, archive: Archive, path: Path, progress: Progress) -> None:
        if (archive.archive_hash, archive.account, self.pipeline) in self._imported:
            self.plan.results.append(ArchiveResult(archive=str(path), outcome=ArchiveOutcome.UNCHANGED))
            return
        counts: Counter[str] = Counter()
        waiting: list[Conversation] = []
        keys: dict[str, str] = {}
        for conversation in archive.conversations():
            progress.advance(1)
            key = self._work_key(conversation)
            verdict = self._compare(conversation, key)
            counts[verdict] += 1
            if verdict in ("new", "updated"):
                self._done[conversation.id] = (key, conversation.updated_at)
                keys[conversation.id] = key
                if not self._resume(key):
                    waiting.append(conversation)
            if len(waiting) == BATCH_SIZE:
                self._stage(waiting, keys, archive.archive_hash)
                waiting = []
        if waiting:
            self._stage(waiting, keys, archive.archive_hash)
        report = archive.report()
        outcome = ArchiveOutcome.IMPORTED if report.complete else ArchiveOutcome.PARTLY
        self.plan.reports.append(report)
        self.plan.results.append(
            ArchiveResult(archive=str(path), outcome=outcome, report=report, **dict(counts))
        )

    def _work_key(self, conversation: Conversation) -> str:
        """What the work on a conversation depends on: its content, and every version upstream of the load."""
        return sha256_text(f"{conversation.content_hash}\n{self.pipeline}")

    def _compare(self, conversation: Conversation, key: str) -> str:
        """How the conversation stands to the newest form that is known of it."""
        known = self._done.get(conversation.id)
        if known is None:
            return "new"
        known_key, known_update = known
        if known_key == key:
            return "unchanged"
        update = conversation.updated_at
        return "older" if known_update and update and update < known_update else "updated"

    def _resume(self, key: str) -> bool:
        """Use the batch of an earlier, interrupted run if it holds this very work."""
        batch = self._staged.get(key)
        if batch is None:
            return False
        if batch not in self.plan.batches:
            self.plan.batches.append(batch)
        return True

    def _stage(self, conversations: list[Conversation], keys: Mapping[str, str], archive_hash: str) -> None:
        work = {one.id: keys[one.id] for one in conversations}
        name = hashlib.sha256("\n".join(sorted(work.values())).encode()).hexdigest()[:32]
        batch = Batch(self._layout.staging / name)
        batch.folder.mkdir(exist_ok=True)
        batch.write_conversations(conversations, work, archive_hash)
        batch.finish(READ, work)
        self.plan.batches.append(batch)


def _staged_work(layout: VaultLayout, done: Done) -> dict[str, Batch]:
    """Batch by work key, for every batch that an interrupted run finished reading and did not publish."""
    published = {key for key, _ in done.values()}
    found: dict[str, Batch] = {}
    for folder in sorted(layout.staging.iterdir()):
        batch = Batch(folder)
        keys = set((batch.manifest(READ) or {}).values())
        if keys <= published:
            # half-written, or published by a run that was killed before it could tidy up
            shutil.rmtree(folder)
        found.update(dict.fromkeys(keys - published, batch))
    return found
