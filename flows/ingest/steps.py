"""The ingest as plain ordered steps. The command line runs them in its own process; Prefect runs the same
ones as tasks. The steps do not know which.

    read     archives -> staged batches of conversations        (one conversation in memory at a time)
    ask      batches  -> a language model's stored answers      (engines that ask one)
    extract  batch    -> segments, gated units, chunks, summaries
    embed    batch    -> vectors of the points whose text is new
    load     batches  -> the next generation, its threads linked, verified, published
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from uuid import uuid4

from archives import Limits
from curation.filing.taxonomy import read_taxonomy
from curation.gate_settings import read_settings
from flows.batches.batch_stages import (
    GATE_ACTOR,
    READ,
    embed_batch,
    extract_batch,
    points_in,
    stage_versions,
    summarise_batch,
)
from flows.batches.engine_precedence import standing
from flows.engines.engine_choice import BY_RULES, EngineChoice, OpenEngine, opened_engine
from flows.generation.account_moves import settle_accounts
from flows.generation.loading import fold_journal, load_batch
from flows.generation.merged_acts import restore_merged
from flows.generation.note_filing import file_notes, is_filed
from flows.generation.summary_rewrites import restate_summaries
from flows.generation.thread_linking import link_threads
from flows.ingest.accounting import Start, summarise
from flows.intake.exclusions import Exclusion, keep_rules
from flows.intake.failed_conversations import account_for_failures
from flows.intake.sieve import FORGOTTEN
from flows.intake.staging import Known, ReadingOptions, ReadingPlan, StagingRun
from flows.reports.progress import Progress, Silent, Stages
from flows.reports.run_page import write_report
from flows.reports.run_summary import ModelUse, RunSummary
from flows.upkeep.forgetting import finish_forgetting
from inference import load_embedder
from inference.embedder import Embedder
from inference.language_model import PROVIDERS
from schemas.act import Act
from schemas.errors import UsageError
from vault.account_book import account_book
from vault.acts import corrections
from vault.batch import Batch
from vault.generations import (
    building,
    check_room,
    published_ledger,
    published_number,
    read_manifest,
    recover,
)
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.ledger import Ledger, Stamp
from vault.lock import writer_lock
from vault.model_calls import add_model_calls, fallbacks, folded_calls
from vault.queries import import_remarks
from vault.sightings import record_sightings
from vault.stored import prefixes_of, versions_on_record
from vault.tombstones import burials


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """What to ingest, and where to."""

    vault: Path
    archives: tuple[Path, ...]
    account: str | None = None
    """Whose the archives are; None: as the vault's book of accounts says (`vault.account_book`)."""
    format_id: str | None = None
    """Reader to use; None: the one that claims the archive."""
    formats: Mapping[Path, str] = field(default_factory=dict, hash=False)
    """Format of an archive that has one program's own files: no other file among them decides it."""
    owner: str | None = None
    """The owner's name in chats between people."""
    zone: tzinfo | None = None
    """Where times without a zone were written; None: not said, and UTC is taken."""
    exclude: tuple[Exclusion, ...] = ()
    """Rules to add to the vault's own."""
    limits: Limits | None = None
    """What an archive may unfold to; None: as the settings say."""
    engine: EngineChoice = BY_RULES
    retry: bool = False
    """Ask again where the offline engine had to speak in place of the model for a whole window."""
    command: str = "ingest"
    apart: bool = False
    """Each archive is an account of its own, as its reader names it: archives of several people at once."""


Source = Callable[[VaultLayout, IngestRequest, Embedder, OpenEngine, Progress], ReadingPlan]
"""Where a run's batches come from: archives, or the ledger itself."""
Work = Callable[[VaultLayout, IngestRequest, ReadingPlan, Embedder, OpenEngine, Stages], int]
"""Who extracts and embeds a plan's batches: this process, or many; returns how many vectors were made."""


Asking = Callable[[Callable[[], ModelUse | None]], ModelUse | None]
"""How a language model is asked: at once, or again after a while where it cannot be reached."""


def at_once(ask: Callable[[], ModelUse | None]) -> ModelUse | None:
    """Ask, and raise what comes."""
    return ask()


def in_turn(
    layout: VaultLayout,
    _: IngestRequest,
    plan: ReadingPlan,
    embedder: Embedder,
    opened: OpenEngine,
    stages: Stages,
) -> int:
    """Extract and embed batch after batch in this process."""
    with stages.stage("extract", len(plan.batches), "batches") as watch:
        for batch in plan.batches:
            extract_batch(batch, opened.engine, read_settings(layout.gate), prefixes_on_record(layout, batch))
            summarise_batch(batch, opened.engine)
            watch.advance(1)
    with stages.stage("embed", sum(map(points_in, plan.batches)), "notes") as watch:
        return sum(embed(layout, batch, embedder, watch.advance) for batch in plan.batches)


def ingest(
    request: IngestRequest,
    progress: Progress | None = None,
    *,
    source: Source | None = None,
    work: Work = in_turn,
    asking: Asking = at_once,
) -> RunSummary:
    """Read, extract, embed, load. Nothing is published where nothing has changed.

    `source` is by default the request's archives; a page on the run stays in the vault.
    Raises UsageError for a retry without a model, VaultLocked where another process is writing, DiskFull
    before any work, IntegrityError where the next generation does not verify. A bad archive is no error: it
    is in the summary, and in quarantine.
    """
    if request.retry and not request.engine.asks:
        raise UsageError(
            "a retry takes a model", remedy=f"Add --engine {' or '.join(PROVIDERS)}, or leave --retry out"
        )
    layout = VaultLayout(request.vault)
    layout.create()
    stages = Stages(progress or Silent())
    start = Start(str(uuid4()), datetime.now(UTC))
    with writer_lock(layout), opened_engine(request.engine, layout) as opened:
        mend(layout)
        embedder = load_embedder()
        # open until it is known what is to be loaded: each step that asks it then opens it at once
        with published_ledger(layout):
            look_ahead(layout)
            with stages.stage("read", None, "conversations") as watch:
                plan = (source or read)(layout, request, embedder, opened, watch)
            use = asking(partial(opened.ask, plan, stages))
            embedded = work(layout, request, plan, embedder, opened, stages)
            account_for_failures(layout, plan)
            ready = to_load(layout, plan, embedder, opened)
        published = ready is not None
        with stages.stage("load", len(plan.batches), "batches") as watch:
            if ready is not None:
                load(layout, request, plan, embedder, opened, start, watch, ready)
        use = opened.used(use)
        summary = account(layout, start, plan, embedded, published, stages.seconds, use)
        write_report(layout, summary)
        clear(plan)
    return summary


def prepare(layout: VaultLayout) -> None:
    """Finish what a killed run left, and see that there is room, before any work is done."""
    mend(layout)
    look_ahead(layout)


def mend(layout: VaultLayout) -> None:
    """Finish what a killed run left: afterwards the published generation stays until the next."""
    recover(layout)
    finish_forgetting(layout)


def look_ahead(layout: VaultLayout) -> None:
    """See that nothing that the work will ask for is missing: acts, the taxonomy, room."""
    restore_merged(layout)
    read_taxonomy(layout.taxonomy)  # one that cannot be read is told before hours of work, not after
    check_room(layout)


def read(
    layout: VaultLayout, request: IngestRequest, embedder: Embedder, opened: OpenEngine, progress: Progress
) -> ReadingPlan:
    """Stage the conversations that are new or changed, batch by batch."""
    options = ReadingOptions(
        request.account,
        request.format_id,
        request.owner,
        request.zone,
        keep_rules(layout, request.exclude),
        burials(layout.journal),
        limits=request.limits,
        apart=request.apart,
    )
    with published_ledger(layout) as ledger:
        versions = stage_versions(embedder, opened.engine, read_settings(layout.gate))
        known = (
            Known(
                ledger.work_keys(),
                frozenset(ledger.complete_imports()),
                ledger.conversation,
                import_remarks(ledger, FORGOTTEN),
                standing(versions_on_record(ledger), versions),
                account_book(layout, ledger),
            )
            if ledger
            else Known({}, frozenset(), lambda _: None, book=account_book(layout, None))
        )
        if ledger and request.retry:
            known = _without_fallbacks(known, ledger, opened)
        reading = StagingRun(layout, versions, known, options)
        for path in request.archives:
            reading.read(path, progress, request.formats.get(path))
    return reading.plan


def prefixes_on_record(layout: VaultLayout, batch: Batch) -> dict[str, str]:
    """The contextual prefixes that the published generation has of the batch's conversations."""
    with published_ledger(layout) as ledger:
        return prefixes_of(ledger, list(batch.manifest(READ) or {})) if ledger else {}


def _without_fallbacks(known: Known, ledger: Ledger, opened: OpenEngine) -> Known:
    """The known work, less the conversations with a window to retry, whose stored answers are dropped."""
    again = [one for one in fallbacks(ledger) if one.whole]
    opened.forget([one.key for one in again])
    conversations = {one.conversation_id for one in again}
    done = {one: work for one, work in known.done.items() if one not in conversations}
    return replace(known, done=done, imported=frozenset() if conversations else known.imported)


def embed(
    layout: VaultLayout, batch: Batch, embedder: Embedder, advance: Callable[[int], None] = lambda _: None
) -> int:
    """Embed what the published generation does not have of the batch; returns how many notes."""
    conversations = list(batch.manifest(READ) or {})
    with published_ledger(layout) as ledger:
        points = ledger.points_of(conversations) if ledger else {}
        corrected = corrections(ledger, [unit.id for unit in batch.units()]) if ledger else {}
    known = {point: content for point, (content, _) in points.items()}
    return embed_batch(batch, embedder, known, advance, corrected)


def to_load(
    layout: VaultLayout, plan: ReadingPlan, embedder: Embedder, opened: OpenEngine
) -> Sequence[str] | None:
    """The threads whose maps are answered by now; None where there is nothing to put into a generation."""
    with published_ledger(layout) as before:
        ready = opened.ready(before)
        filed = is_filed(layout, before, embedder)
    brought = plan.batches or plan.acts or plan.reports_of_branch
    if filed and not (brought or ready or pending_acts(layout) or _says_more(layout, plan)):
        return None
    return ready


def load(
    layout: VaultLayout,
    request: IngestRequest,
    plan: ReadingPlan,
    embedder: Embedder,
    opened: OpenEngine,
    start: Start,
    progress: Progress,
    ready: Sequence[str] = (),
) -> None:
    """Build, verify and publish the next generation."""
    stamp = Stamp(start.run, start.at, f"extract:{opened.engine.version}", GATE_ACTOR)
    with building(layout, embedder.binding) as next_generation:
        ledger = next_generation.ledger
        versions = stage_versions(embedder, opened.engine, read_settings(layout.gate))
        ledger.add_run(start.run, start.at, request.command, versions)
        for report in plan.reports:
            ledger.add_import(report, plan.work(report.reader, report.account), start.at, start.run)
        for report, work in plan.reports_of_branch:
            ledger.add_import(report, work, start.at, start.run)
        record_sightings(ledger, plan.sightings, start.run)
        settle_accounts(next_generation, start.run)
        for batch in plan.batches:
            load_batch(next_generation, batch, plan.to_load(batch), embedder, stamp)
            progress.advance(1)
        fold_journal(next_generation, embedder, start.run, plan.acts)
        # again: a batch may have been staged before the owner's act, and the act have come since
        settle_accounts(next_generation, start.run)
        restate_summaries(next_generation, embedder, start.run)
        link_threads(next_generation, embedder, start.run, opened.chart, ready)
        file_notes(next_generation, embedder, start.run)
        add_model_calls(ledger, opened.calls_after(folded_calls(ledger)), start.run)
        ledger.finish_run(start.run, datetime.now(UTC))
        next_generation.publish(start.run, datetime.now(UTC))


def _says_more(layout: VaultLayout, plan: ReadingPlan) -> bool:
    """Whether an archive was read that is not on record yet: a damaged one is read again at every run."""
    with published_ledger(layout) as ledger:
        return any(
            ledger is None or not ledger.has_import(report, plan.work(report.reader, report.account))
            for report in plan.reports
        )


def account(
    layout: VaultLayout,
    start: Start,
    plan: ReadingPlan,
    embedded: int,
    published: bool,
    seconds: dict[str, float],
    use: ModelUse | None = None,
) -> RunSummary:
    """The run's account, from the plan and from what is published now."""
    number = published_number(layout)
    generation = read_manifest(layout.generation(number)) if number is not None else None
    with published_ledger(layout) as ledger:
        made = summarise(str(layout.root), start, plan, embedded, generation, published, ledger, seconds)
    return made.model_copy(update={"model_use": use})


def clear(plan: ReadingPlan) -> None:
    """Remove the staged batches that a generation now holds."""
    for batch in plan.batches:
        shutil.rmtree(batch.folder)


def pending_acts(layout: VaultLayout) -> list[Act]:
    """The owner's acts that no generation has folded yet."""
    if not layout.journal.exists():
        return []
    number = published_number(layout)
    folded = read_manifest(layout.generation(number)).journal_seq if number is not None else 0
    with Journal(layout.journal) as journal:
        return journal.after(folded)
