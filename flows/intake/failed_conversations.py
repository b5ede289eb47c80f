"""Conversations on which the work failed, in the account of the archives that brought them.

They are not loaded, and what the vault has of them stays as it is. Their archive counts as read in part: the
next run reads it again, and tries them again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from flows.batches.batch_stages import failed_in
from flows.intake.quarantine import Quarantine
from flows.intake.staging import ReadingPlan
from flows.reports.run_summary import ArchiveOutcome, ArchiveResult
from schemas.report import ImportNote, NoteKind
from vault.layout import VaultLayout

_REMEDY = "It is our defect: please report it, and ingest the archive again once it is mended"


def account_for_failures(layout: VaultLayout, plan: ReadingPlan) -> None:
    """Say of each archive on which of its conversations the work failed: in its report, and in quarantine."""
    failed = {one: reason for batch in plan.batches for one, reason in failed_in(batch).items()}
    plan.failed.update(failed)
    plan.results = [_told(layout, one, plan.brought, failed) for one in plan.results]


def _told(
    layout: VaultLayout,
    result: ArchiveResult,
    brought: Mapping[str, frozenset[str]],
    failed: Mapping[str, str],
) -> ArchiveResult:
    own = {one: failed[one] for one in sorted(brought.get(result.archive, frozenset()) & failed.keys())}
    if result.report is None or not own:
        return result
    first = {reason: one for one, reason in reversed(own.items())}
    notes = tuple(
        ImportNote(
            kind=NoteKind.REJECTED,
            reason=f"the extraction of a conversation failed: {reason}",
            where=f"conversation {first[reason]}",
            count=count,
            remedy=_REMEDY,
        )
        for reason, count in Counter(own.values()).items()
    )
    report = result.report.model_copy(update={"complete": False, "notes": (*result.report.notes, *notes)})
    Quarantine(layout, Path(result.archive)).conversations(report, own)
    outcome = ArchiveOutcome.WAITING if result.outcome is ArchiveOutcome.WAITING else ArchiveOutcome.PARTLY
    return result.model_copy(update={"report": report, "outcome": outcome})
