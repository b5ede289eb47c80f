"""To merge a branch: what was read into it, and what the owner did there, become the main line's, at once.

fork       the next branch is made of what is published; unfinished work is finished first
merge      the branch's newer conversations are staged and worked on as any batch, its acts are replayed,
and one
           generation is published with all of it
delete     the branch goes, and what was exported from it stays known
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curation.gate_settings import read_settings
from flows.batches.batch_stages import stage_versions
from flows.engines.engine_choice import BY_RULES, EngineChoice, OpenEngine
from flows.generation.merged_acts import (
    MERGE,
    ActReplay,
    Conflict,
    Strategy,
    numbered,
    replay,
    restore_merged,
)
from flows.ingest.reprocessing import staged
from flows.ingest.steps import IngestRequest, ingest, prepare
from flows.intake.staging import ReadingPlan
from flows.reports.progress import Progress, Silent
from inference.embedder import Embedder
from schemas.base import Noun
from schemas.report import ImportReport
from vault.branches import (
    Branch,
    branch_folder,
    branch_layout,
    create_branch,
    delete_branch,
    read_branch,
    require_main_line,
)
from vault.generations import published_ledger, recover, require_published
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.lock import writer_lock
from vault.sightings import Sighting
from vault.stored import Chosen, stored_work
from vault.tombstones import carry_copies


class Merged(Noun):
    """What a merge came to."""

    branch: str
    strategy: Strategy
    conversations: int
    """Conversations and documents that were new to the main line, or newer than there."""
    acts: int
    """Acts that came to the main line, those that `theirs` took to set a subject back included."""
    conflicts: tuple[Conflict, ...]
    published: bool
    generation: int | None
    """The published generation."""


def fork(vault: Path, name: str) -> Branch:
    """Make a branch. Where there is no vault, none is begun. Raises as `vault.branches.create_branch`, and
    VaultLocked."""
    layout = VaultLayout(vault)
    require_main_line(layout, "a branch is made")
    if not layout.generations.is_dir():
        require_published(layout)
    with writer_lock(layout):
        prepare(layout)
        return create_branch(layout, name)


def delete(vault: Path, name: str) -> None:
    """Remove a branch, merged or not, and one that has lost its record. Raises UnknownId, VaultLocked where
    somebody writes to either line."""
    layout = VaultLayout(vault)
    branch = branch_folder(layout, name)
    with writer_lock(layout), writer_lock(branch):
        delete_branch(layout, name)


@dataclass(slots=True)
class _Found:
    """What the source of a merge finds, for the account of it."""

    taken: int = 0
    replay: ActReplay = field(default_factory=lambda: ActReplay((), ()))


def merge(
    vault: Path,
    name: str,
    strategy: Strategy,
    progress: Progress | None = None,
    *,
    engine: EngineChoice = BY_RULES,
) -> Merged:
    """Publish on the main line what a branch has beyond it. Merging again changes nothing; the branch stays.

    Killed at any point, the main line is as before or merged as a whole. Raises UnknownId, VaultLocked where
    somebody writes to either line, and what `flows.ingest.steps.ingest` raises.
    """
    layout = VaultLayout(vault)
    require_main_line(layout, "branches are merged")
    branch = branch_layout(layout, name)
    began, found = read_branch(branch), _Found()

    def from_branch(
        _: VaultLayout, __: IngestRequest, embedder: Embedder, opened: OpenEngine, watch: Progress
    ) -> ReadingPlan:
        versions = stage_versions(embedder, opened.engine, read_settings(layout.gate))
        with ExitStack() as stack:
            there = stack.enter_context(published_ledger(branch))
            here = stack.enter_context(published_ledger(layout))
            assert there is not None  # a branch begins with a generation
            runs = _runs_since(there, began.generation)
            wanted = _newer(there, here, runs)
            plan = staged(layout, there, wanted, versions, watch)
            plan.reports_of_branch = tuple(_reports(there, here, runs))
            plan.sightings.extend(_sightings(there, runs) if plan.reports_of_branch else ())
        found.taken = len(wanted)
        with Journal(layout.journal) as ours, Journal(branch.journal) as theirs:
            found.replay = replay(ours, theirs, began.act, strategy, name)
            plan.acts = numbered(ours, found.replay.acts)
        return plan

    with writer_lock(branch):
        recover(branch)
        carry_copies(branch.journal, layout)
        request = IngestRequest(layout.root, (), engine=engine, command=MERGE)
        run = ingest(request, progress or Silent(), source=from_branch)
        with writer_lock(layout):
            restore_merged(layout)
    return Merged(
        branch=name,
        strategy=strategy,
        conversations=found.taken,
        acts=len(found.replay.acts),
        conflicts=found.replay.conflicts,
        published=run.published,
        generation=run.generation,
    )


def _runs_since(branch: Ledger, generation: int) -> list[str]:
    """The runs that published the branch's own generations."""
    found = branch.query("SELECT run FROM generations WHERE number > ?", [generation])
    return [str(run) for (run,) in found]


_CHANGED = """
    SELECT conversation_id AS id, content_hash, updated_at FROM conversations WHERE run IN (SELECT
    unnest($runs)) UNION ALL SELECT id, content_hash, NULL FROM resources WHERE run IN (SELECT
    unnest($runs))
"""


def _newer(branch: Ledger, main: Ledger | None, runs: Sequence[str]) -> set[str]:
    """What the branch's own runs wrote, less what the main line has as it is, or has in a newer form."""
    changed = {str(row["id"]): row for row in branch.rows(_CHANGED, {"runs": list(runs)})}
    if main is None or not changed:
        return set(changed)
    for have in stored_work(main, Chosen(conversations=tuple(changed))):
        if have.content_hash == changed[have.id]["content_hash"]:
            del changed[have.id]
    times = main.query(
        "SELECT conversation_id, updated_at FROM conversations WHERE conversation_id IN (SELECT unnest(?))",
        [list(changed)],
    )
    for one, ours in times:
        theirs = changed[str(one)]["updated_at"]
        if ours is not None and theirs is not None and str(theirs) < str(ours):
            del changed[str(one)]
    return set(changed)


def _reports(branch: Ledger, main: Ledger | None, runs: Sequence[str]) -> list[tuple[ImportReport, str]]:
    """The reports of archives that were read into the branch and are not on record here, each with its
    work."""
    rows = branch.rows("SELECT * FROM imports WHERE run IN (SELECT unnest(?))", [list(runs)])
    have = main.query("SELECT archive_hash, account FROM imports") if main else []
    known = {(str(archive), str(account)) for archive, account in have}
    return [
        (_report(row), str(row["work"]))
        for row in rows
        if (str(row["archive_hash"]), str(row["account"])) not in known
    ]


def _report(row: dict[str, object]) -> ImportReport:
    return ImportReport.model_validate(
        {name: row[name] for name in ImportReport.model_fields if name in row}, strict=False
    )


def _sightings(branch: Ledger, runs: Sequence[str]) -> list[Sighting]:
    """What the archives that were read into the branch hold, as far as it has a time."""
    seen: list[dict[str, Any]] = branch.rows(
        """SELECT c.account, c.provider, s.last_as_of AS as_of, list(s.conversation_id ORDER BY ALL) AS ids
           FROM sightings s JOIN conversations c USING (conversation_id)
           WHERE s.run IN (SELECT unnest(?)) GROUP BY ALL""",
        [list(runs)],
    )
    exports: list[dict[str, Any]] = branch.rows(
        "SELECT * EXCLUDE (run) FROM whole_exports WHERE run IN (SELECT unnest(?))", [list(runs)]
    )
    each = [
        Sighting(row["account"], row["provider"], "", row["as_of"], row["as_of"], False, tuple(row["ids"]))
        for row in seen
    ]
    return each + [Sighting(**row, whole=True, conversations=()) for row in exports]
