"""What assistants keep on this machine, read into the vault: only what changed, as often as one likes.

What was read is written down once it is published. A run that is killed before reads the same again, and the
vault, which knows conversations by their ids, holds nothing twice.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from archives.places import places
from flows.engines.engine_choice import BY_RULES, EngineChoice, OpenEngine
from flows.ingest.steps import Asking, IngestRequest, Work, at_once, in_turn, ingest, read
from flows.intake.collected import (
    CollectAnswers,
    CollectedGroup,
    Snapshot,
    changed,
    keep_answers,
    kept_answers,
    take_snapshot,
    units_of,
)
from flows.intake.staging import ReadingPlan
from flows.reports.progress import Progress
from flows.reports.run_summary import ArchiveOutcome, RunSummary
from inference.embedder import Embedder
from schemas.errors import AccountNeeded
from vault.account_book import names_now
from vault.generations import published_ledger, published_number
from vault.layout import VaultLayout

FIRST_ACCOUNT = "me"
"""Whose the conversations are in a vault that knows nobody yet."""
_READ = frozenset({ArchiveOutcome.IMPORTED, ArchiveOutcome.PARTLY, ArchiveOutcome.UNCHANGED,
                   ArchiveOutcome.FORGOTTEN})  # fmt: skip
"""Outcomes after which the same bytes would come to the same."""


@dataclass(slots=True)
class Collected:
    """What a run of `collect` came to."""

    summary: RunSummary | None
    """None where nothing had changed."""
    unfinished: list[str] = field(default_factory=list)
    """Paths of what was being written: the next run reads it."""
    unreadable: list[str] = field(default_factory=list)
    """Files that may not be read, and why."""

    @property
    def exit_code(self) -> int:
        """As of an ingest; 3 too where a file may not be read."""
        code = self.summary.exit_code if self.summary else 0
        return code or (3 if self.unreadable else 0)


def found_units(tools: Collection[str] | None = None) -> list[CollectedGroup]:
    """What assistants keep on this machine for the person who runs this; None: every assistant."""
    there = places(Path.home(), sys.platform, os.environ)
    return units_of(place for place in there if tools is None or place.tool in tools)


def to_read(layout: VaultLayout, tools: Collection[str] = (), *, again: bool = False) -> list[CollectedGroup]:
    """What may be read, of the named assistants or of all, and is not as it was when it was read last."""
    answers = kept_answers(layout)
    allowed = answers.allowed() & set(tools) if tools else answers.allowed()
    return changed(found_units(allowed), {} if again else _still_read(layout, answers))


def account_of(layout: VaultLayout, named: str | None) -> str:
    """Whose the collected conversations are: as named, as answered before, the vault's only account, or the
    one that the owner made the default.

    Raises AccountNeeded where the vault has several and none was ever named.
    """
    if account := named or kept_answers(layout).account:
        return account
    with published_ledger(layout) as ledger:
        accounts = ledger.accounts() if ledger else []
        default = names_now(layout, ledger).default
    if len(accounts) > 1 and default is not None:
        return default
    if len(accounts) > 1:
        raise AccountNeeded(
            "the vault holds several accounts",
            why=f"there are: {', '.join(accounts)}",
            remedy="Name with --account whose the collected conversations are; it is asked once",
        )
    return accounts[0] if accounts else FIRST_ACCOUNT


def collect(
    vault: Path,
    engine: EngineChoice = BY_RULES,
    progress: Progress | None = None,
    *,
    tools: Collection[str] = (),
    again: bool = False,
    work: Work = in_turn,
    asking: Asking = at_once,
) -> Collected:
    """Read what changed of what the owner allowed, of the named assistants or of all. `again`: everything, as
    if nothing had been read.

    Raises what `flows.ingest.steps.ingest` does.
    """
    layout = VaultLayout(vault)
    units = to_read(layout, tools, again=again)
    if not units:
        return Collected(None)
    snapshot = Snapshot()

    def source(
        layout: VaultLayout, request: IngestRequest, embedder: Embedder, opened: OpenEngine, watch: Progress
    ) -> ReadingPlan:
        nonlocal snapshot  # made under the writer's lock, which the ingest holds
        snapshot = take_snapshot(layout, units, Path.home())
        known = replace(request, archives=tuple(snapshot.folders), formats=snapshot.formats)
        return read(layout, known, embedder, opened, watch)

    request = IngestRequest(vault, (), account_of(layout, None), engine=engine, command="collect")
    try:
        summary = ingest(request, progress, source=source, work=work, asking=asking)
        _remember(layout, snapshot, summary)
    finally:
        if snapshot.folders:  # only what this run copied
            shutil.rmtree(layout.collecting, ignore_errors=True)
    return Collected(summary, snapshot.unfinished, snapshot.unreadable)


def _still_read(layout: VaultLayout, answers: CollectAnswers) -> dict[str, str]:
    """What was read and is in the vault: nothing, once the vault was rolled back behind it."""
    number = published_number(layout)
    gone = answers.generation is not None and (number is None or number < answers.generation)
    return {} if gone else answers.read


def _remember(layout: VaultLayout, snapshot: Snapshot, summary: RunSummary) -> None:
    """Write down what was read, as it was when it was copied."""
    ended = {result.archive: result.outcome for result in summary.archives}
    done = [
        unit for folder, units in snapshot.units.items() if ended.get(str(folder)) in _READ for unit in units
    ]
    answers = kept_answers(layout)
    stamps = _still_read(layout, answers) | {unit.key: unit.stamp for unit in done}
    keep_answers(layout, answers.model_copy(update={"read": stamps, "generation": summary.generation}))


def by_tool(units: Iterable[CollectedGroup]) -> dict[str, list[CollectedGroup]]:
    """The units of each assistant."""
    found: dict[str, list[CollectedGroup]] = {}
    for unit in units:
        found.setdefault(unit.tool, []).append(unit)
    return found
