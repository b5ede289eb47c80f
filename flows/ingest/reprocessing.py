"""Work on what the vault holds already, done again by today's engine, gate, chunker or embedder.

Only conversations whose work key differs are touched, and of those only what comes out otherwise is embedded
and written. What the owner did stays: the load merges as it does for a newer export.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from curation.gate_settings import read_settings
from flows.batches.batch_stages import READ, stage_versions
from flows.engines.cost_plan import proofs_about, proofs_ahead
from flows.engines.engine_choice import (
    BY_RULES,
    EngineChoice,
    OpenEngine,
    opened_engine,
    provider_for,
    questions_by_tier,
)
from flows.engines.recorded_engine import recorded_versions
from flows.ingest.steps import Asking, IngestRequest, Work, at_once, in_turn, ingest
from flows.intake.naming import as_it_came
from flows.intake.staging import BATCH_SIZE, ReadingPlan, batch_name, work_key_of
from flows.reports.progress import Progress
from flows.reports.run_summary import RunSummary
from inference import load_embedder
from inference.embedder import Embedder
from inference.forecast import Forecast, forecast
from inference.language_model import ModelQuestion
from schemas.base import Noun, sha256_text
from schemas.deferred import deferred
from schemas.errors import UnknownId, UsageError
from vault.accounts import origins
from vault.batch import Batch
from vault.generations import published_ledger
from vault.index import Where
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.reader import open_vault
from vault.stored import Chosen, Stored, resource_of, stored_work

if TYPE_CHECKING:
    import retrieval
    from inference import store as inference_store
    from retrieval import question as retrieval_question
else:
    retrieval = deferred("retrieval")
    retrieval_question = deferred("retrieval.question")
    inference_store = deferred("inference.store")


Stage = Literal["extract", "gate"]
FOUND_BY_QUERY = 50


@dataclass(frozen=True, slots=True)
class ReprocessRequest:
    """Which conversations and documents, and from which stage on."""

    vault: Path
    account: str | None = None
    archive: str | None = None
    """Name of an imported archive, or the beginning of its hash."""
    provider: str | None = None
    since: datetime | None = None
    """Began at or after."""
    before: datetime | None = None
    query: str | None = None
    """Conversations that a recall of this finds."""
    stage: Stage = "extract"
    """`extract` asks the engine again; `gate` keeps the units that are on record and does what follows."""
    engine: EngineChoice = BY_RULES
    force: bool = False
    """Also what was made by the very same versions."""


class ReprocessPlan(Noun):
    """What a reprocessing comes to, before anything is done."""

    chosen: int
    """Conversations and documents that the conditions mean."""
    current: int
    """Those that today's versions have made: nothing to do."""
    due: int
    later: int = 0
    """Those that another engine extracted: from stage `gate` a run takes one engine's."""
    versions: dict[str, str]
    """What the work depends on today, by stage."""
    made_by: dict[str, int]
    """How many of those due were extracted by which engine."""
    questions: Forecast | None = None
    """What a language model would be asked, and its price; None for an engine that asks none."""


class Reprocessed(Noun):
    """What a reprocessing did."""

    plan: ReprocessPlan
    run: RunSummary | None
    """None of a dry run, and where nothing was due."""


def reprocess(
    request: ReprocessRequest,
    progress: Progress | None = None,
    *,
    dry_run: bool = False,
    work: Work = in_turn,
    asking: Asking = at_once,
) -> Reprocessed:
    """Plan, and do it unless it is a dry run.

    Raises UnknownId where nothing is meant, UsageError without a price, VaultEmpty, VaultLocked, DiskFull,
    and what the engine raises.
    """
    layout = VaultLayout(request.vault)
    embedder = load_embedder()
    due, plan, choice = _plan(layout, request, embedder)
    if dry_run or not due:
        return Reprocessed(plan=plan, run=None)
    wanted = {one.id for one in due}

    def from_ledger(
        _: VaultLayout, __: IngestRequest, embedder: Embedder, opened: OpenEngine, watch: Progress
    ) -> ReadingPlan:
        versions = stage_versions(embedder, opened.engine, read_settings(layout.gate))
        with published_ledger(layout) as ledger:
            return staged(layout, ledger, wanted, versions, watch) if ledger else ReadingPlan("")

    what = IngestRequest(layout.root, (), engine=choice, command="reprocess")
    return Reprocessed(plan=plan, run=ingest(what, progress, source=from_ledger, work=work, asking=asking))


def _plan(
    layout: VaultLayout, request: ReprocessRequest, embedder: Embedder
) -> tuple[list[Stored], ReprocessPlan, EngineChoice]:
    with open_vault(layout.root) as reader:
        chosen = stored_work(reader.ledger, _chosen(reader.ledger, request, layout, embedder))
        if not chosen:
            raise UnknownId(
                "nothing in the vault is meant by that",
                remedy="`mnemic status --imports` shows what there is",
            )
        choice, later = request.engine, 0
        if request.stage == "gate":
            # units on record are told as found by whoever found them: a run speaks for one engine
            made_by = _most(chosen, request, layout, embedder)
            choice = EngineChoice(name="recorded", made_by=made_by)
            later = sum(recorded_versions(one.versions) != made_by for one in chosen)
            chosen = [one for one in chosen if recorded_versions(one.versions) == made_by]
        with opened_engine(choice, layout, asking=False) as opened:
            versions = stage_versions(embedder, opened.engine, read_settings(layout.gate))
        due = [
            one for one in chosen if request.force or one.work_key != work_key_of(one.content_hash, versions)
        ]
        asked = None
        if choice.asks:
            asked = _forecast(layout, reader.ledger, due, choice)
    plan = ReprocessPlan(
        chosen=len(chosen) + later,
        current=len(chosen) - len(due),
        due=len(due),
        later=later,
        versions=versions,
        made_by=dict(Counter(one.extractor for one in due).most_common()),
        questions=asked,
    )
    return due, plan, choice


def _most(
    chosen: Sequence[Stored], request: ReprocessRequest, layout: VaultLayout, embedder: Embedder
) -> dict[str, str]:
    """The versions that made most of what is due."""
    ours = stage_versions(embedder, gate=read_settings(layout.gate))
    counts: Counter[tuple[tuple[str, str], ...]] = Counter()
    for one in chosen:
        made_by = recorded_versions(one.versions)
        due = request.force or one.work_key != work_key_of(one.content_hash, {**ours, **made_by})
        counts[tuple(sorted(made_by.items()))] += due
    most = max(counts, key=lambda versions: (counts[versions], versions))
    return dict(most)


def _chosen(ledger: Ledger, request: ReprocessRequest, layout: VaultLayout, embedder: Embedder) -> Chosen:
    found = None
    if request.query is not None:
        found = _recalled(layout, request.query, request.account or _only_account(ledger), embedder)
    return Chosen(
        request.account, request.archive, request.provider, request.since, request.before, conversations=found
    )


def _only_account(ledger: Ledger) -> str:
    accounts = ledger.accounts()
    if len(accounts) != 1:
        raise UsageError("a query is about one account", remedy="Name it with --account")
    return accounts[0]


def _recalled(layout: VaultLayout, query: str, account: str, embedder: Embedder) -> tuple[str, ...]:
    where = Where(account, kinds=retrieval_question.NOTES, states=None)
    question = retrieval.Question(
        query, where, limit=FOUND_BY_QUERY, options=retrieval.Options(budget=retrieval_question.UNBOUNDED)
    )
    with open_vault(layout.root) as reader:
        package = retrieval.recall(question, reader.index, embedder)
        return tuple(sorted({hit.conversation_id for hit in package.hits}))


def _forecast(layout: VaultLayout, ledger: Ledger, due: Sequence[Stored], choice: EngineChoice) -> Forecast:
    provider = provider_for(choice)
    reach = choice.reach(provider, layout)
    conversations = [found for one in due if (found := ledger.conversation(one.id))]
    tiers: dict[str, list[ModelQuestion[Any]]] = {}
    for one in conversations:
        for tier, questions in questions_by_tier(one, choice, reach).items():
            tiers.setdefault(tier, []).extend(questions)
    with ExitStack() as stack:
        stored = (layout.cache / inference_store.FILE).exists()
        store = stack.enter_context(inference_store.Store(layout.cache)) if stored else None
        if choice.proofread and store is not None:
            tiers["proofs"] = [
                question
                for one in conversations
                for question in proofs_about(one, choice, reach, provider, store)
            ]
        ahead = {tier: forecast(questions, provider, store) for tier, questions in tiers.items()}
    likely = proofs_ahead(ahead, provider) if choice.proofread else Forecast()
    return sum(ahead.values(), likely)


def staged(
    layout: VaultLayout, ledger: Ledger, wanted: set[str], versions: dict[str, str], watch: Progress
) -> ReadingPlan:
    """The wanted conversations and documents as batches, or the ones that a killed run staged."""
    plan = ReadingPlan(sha256_text(repr(sorted(versions.items()))))
    by_archive: dict[str, list[Stored]] = {}
    for one in stored_work(ledger, Chosen()):
        if one.id in wanted:
            by_archive.setdefault(one.archive_hash, []).append(one)
    came_as = origins(ledger)
    for archive, found in sorted(by_archive.items()):
        for start in range(0, len(found), BATCH_SIZE):
            part = found[start : start + BATCH_SIZE]
            work = {one.id: work_key_of(one.content_hash, versions) for one in part}
            plan.wanted.update(work)
            batch = Batch(layout.staging / batch_name(work.values()))
            if batch.manifest(READ) is None or not batch.is_sound():
                batch.folder.mkdir(exist_ok=True)
                conversations = _each(ledger.conversation, part)
                documents = _each(partial(resource_of, ledger), part)
                batch.write_conversations(
                    [as_it_came(one, came_as) for one in conversations],
                    work,
                    archive,
                    [as_it_came(one, came_as) for one in documents],
                )
                batch.finish(READ, work)
            plan.batches.append(batch)
            watch.advance(len(part))
    return plan


T = TypeVar("T")


def _each(read: Callable[[str], T | None], part: Sequence[Stored]) -> list[T]:
    return [found for found in (read(one.id) for one in part) if found is not None]
