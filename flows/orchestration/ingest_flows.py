"""Ingest, collect and reprocess as Prefect flows around the same steps.

A task a batch: a Prefect task costs 6-80 ms, so it must be worth seconds. Parameters carry paths and ids,
never text: Prefect stores them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from prefect import flow, get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run

from flows.engines.engine_choice import BY_RULES, EngineChoice, OpenEngine
from flows.ingest.batch_job import BatchJob, work_on
from flows.ingest.collection import collect as collect_changed
from flows.ingest.reprocessing import Reprocessed, ReprocessRequest
from flows.ingest.reprocessing import reprocess as reprocess_stored
from flows.ingest.shared_storage import Sharing, collected, jobs_of
from flows.ingest.steps import IngestRequest
from flows.ingest.steps import ingest as ingest_archives
from flows.intake.exclusions import parse_rule
from flows.intake.inbox import move_out, settled_archives
from flows.intake.staging import ReadingPlan
from flows.orchestration.notices import ProgressArtifact, one_writer, tell_event, tell_failure, tell_report
from flows.orchestration.run_artifact import markdown_plan, markdown_report, outcome_in_short
from flows.reports.progress import Stages
from flows.reports.run_page import report_page
from flows.reports.run_summary import ModelUse, RunSummary
from inference.embedder import Embedder
from schemas.deferred import deferred
from schemas.errors import ServiceUnavailable
from vault.layout import VaultLayout, default_vault_folder

if TYPE_CHECKING:
    from flows.orchestration import task_runners
else:
    task_runners = deferred("flows.orchestration.task_runners")


BATCH_SECONDS, NIGHT_SECONDS = 3_600.0, 12 * 3_600.0
"""A batch of 50 conversations takes seconds; what takes this long hangs. A night's run is over by noon."""
NETWORK_DELAYS = [10.0, 60.0, 300.0]
"""Seconds before asking a service again that could not be reached."""


@task(task_run_name="work on {job.name}", timeout_seconds=BATCH_SECONDS, cache_policy=NO_CACHE)
def batch(job: BatchJob) -> int:
    """Extract and embed one staged batch, here or on another machine; returns how many vectors were made."""
    return work_on(job)


def _unreachable(_: Any, __: Any, state: State[Any]) -> bool:
    return isinstance(state.result(raise_on_failure=False), ServiceUnavailable)


@task(
    name="ask",
    retries=len(NETWORK_DELAYS),
    retry_delay_seconds=NETWORK_DELAYS,
    retry_condition_fn=_unreachable,
    cache_policy=NO_CACHE,
)
def ask_task(ask: Callable[[], ModelUse | None]) -> ModelUse | None:
    """Ask a language model: the one step that goes over the network, and the one that is tried again."""
    return ask()


def _as_tasks(shared: str | None) -> Callable[..., int]:
    """Batches as tasks of the flow's runner; the results come back as staged Parquet."""

    def work(
        layout: VaultLayout,
        request: IngestRequest,
        plan: ReadingPlan,
        embedder: Embedder,
        opened: OpenEngine,
        stages: Stages,
    ) -> int:
        sharing = Sharing(layout, shared)
        with stages.stage("work", len(plan.batches), "batches") as watch:
            made = 0
            running = [(job, batch.submit(job)) for job in jobs_of(sharing, request.engine, plan)]
            for job, future in running:
                made += future.result()
                collected(sharing, job)
                watch.advance(1)
            return made

    return work


def _ingest_name() -> str:
    named = flow_run.parameters.get("archives")
    return "ingest the inbox" if named is None else "ingest " + ", ".join(Path(one).name for one in named)


@flow(
    name="ingest",
    flow_run_name=_ingest_name,
    timeout_seconds=NIGHT_SECONDS,
    on_failure=[tell_failure],
    on_crashed=[tell_failure],
)
def ingest(
    vault: Path | None = None,
    archives: list[Path] | None = None,
    account: str | None = None,
    format_id: str | None = None,
    owner: str | None = None,
    timezone: str | None = None,
    exclude: list[str] | None = None,
    engine: EngineChoice | None = None,
    retry: bool = False,
    shared: str | None = None,
) -> RunSummary:
    """Read archives, or what waits in the vault's inbox, and publish what they say as notes.

    Args:
        vault: the vault's folder; by default `MNEMIC_VAULT`, else this platform's data folder.
        archives: what to read; by default everything that has lain in the inbox for a minute.
        account: whose the archives are; by default as each archive says.
        format_id: force a reader instead of detecting the format.
        owner: the owner's name in chats between people.
        timezone: IANA name of the zone of times without one; by default UTC, and the report says so.
        exclude: rules on what to leave out, now and later (`mnemic exclusions --help`).
        engine: what extracts; by default the offline engine. A service's key comes from the environment.
        retry: ask a language model again where the offline engine had to speak in its place.
        shared: folder or URL that workers on other machines reach; by default the vault's own folder.
    """
    layout = VaultLayout(vault or default_vault_folder())
    layout.create()
    from_inbox = archives is None
    request = IngestRequest(
        vault=layout.root,
        archives=tuple(archives or ()),
        account=account,
        format_id=format_id,
        owner=owner,
        zone=ZoneInfo(timezone) if timezone else None,
        exclude=tuple(map(parse_rule, exclude or ())),
        engine=engine or BY_RULES,
        retry=retry,
        command="prefect ingest",
    )
    with one_writer():  # what another run takes out of the inbox meanwhile is not looked for
        began = time.time()
        if from_inbox:
            request = replace(request, archives=tuple(settled_archives(layout, began)))
        summary = ingest_archives(
            request, ProgressArtifact("ingest"), work=_as_tasks(shared), asking=ask_task
        )
        if from_inbox:
            move_out(layout, summary.archives, began)
    _tell(layout, "ingest", summary)
    return summary


def _tell(layout: VaultLayout, key: str, summary: RunSummary) -> None:
    tell_report(key, markdown_report(summary), report_page(layout, summary.run))
    counts = {
        "archives": len(summary.archives),
        "generation": summary.generation,
        "exit_code": summary.exit_code,
        "spent_usd": summary.model_use.spent_usd if summary.model_use else 0.0,
    }
    tell_event(f"{key}.{'published' if summary.published else 'unchanged'}", layout.root, counts)
    get_run_logger().info("%s; exit code %s", outcome_in_short(summary), summary.exit_code)


@flow(
    name="collect",
    flow_run_name="collect what assistants keep on this machine",
    timeout_seconds=NIGHT_SECONDS,
    on_failure=[tell_failure],
    on_crashed=[tell_failure],
)
def collect(vault: Path | None = None, engine: EngineChoice | None = None) -> RunSummary | None:
    """Read what changed of what assistants keep on the worker's machine, as far as `mnemic collect` was told
    that it may; without an answer, nothing.

    Args:
        vault: the vault's folder; by default `MNEMIC_VAULT`, else this platform's data folder.
        engine: what extracts; by default the offline engine. A service's key comes from the environment.
    """
    layout = VaultLayout(vault or default_vault_folder())
    with one_writer():
        done = collect_changed(
            layout.root,
            engine or BY_RULES,
            ProgressArtifact("collect"),
            work=_as_tasks(None),
            asking=ask_task,
        )
    for line in done.unreadable:
        get_run_logger().warning("not read: %s", line)
    for line in done.unfinished:
        get_run_logger().info("being written, left to the next run: %s", line)
    if done.summary is None:
        get_run_logger().info("nothing changed of what may be collected")
    else:
        _tell(layout, "collect", done.summary)
    return done.summary


def _reprocess_name() -> str:
    given = flow_run.parameters
    told = [
        str(given[name]) for name in ("archive", "provider", "since", "before", "query") if given.get(name)
    ]
    return f"reprocess from {given.get('stage', 'extract')}: {', '.join(told) or 'everything'}"


@flow(
    name="reprocess",
    flow_run_name=_reprocess_name,
    timeout_seconds=NIGHT_SECONDS,
    on_failure=[tell_failure],
    on_crashed=[tell_failure],
)
def reprocess(
    vault: Path | None = None,
    account: str | None = None,
    archive: str | None = None,
    provider: str | None = None,
    since: datetime | None = None,
    before: datetime | None = None,
    query: str | None = None,
    stage: Literal["extract", "gate"] = "extract",
    engine: EngineChoice | None = None,
    force: bool = False,
    dry_run: bool = True,
    shared: str | None = None,
) -> Reprocessed:
    """Do the work again on what the vault holds, where today's versions would do it otherwise.

    Args:
        vault: the vault's folder; by default `MNEMIC_VAULT`, else this platform's data folder.
        account: only this one's; by default everybody's.
        archive: only what this archive brought (its name, or its hash).
        provider: only conversations of this service, such as chatgpt.
        since: only what began at or after.
        before: only what began before.
        query: only conversations that recall finds for this.
        stage: the first to do again; `gate` keeps the notes that were extracted.
        engine: what extracts; by default the offline engine.
        force: also what these very versions have made.
        dry_run: only say what it comes to and what it costs. On by default: turn it off to do it.
        shared: folder or URL that workers on other machines reach; by default the vault's own folder.
    """
    layout = VaultLayout(vault or default_vault_folder())
    request = ReprocessRequest(
        layout.root, account, archive, provider, since, before, query, stage, engine or BY_RULES, force
    )
    planned = reprocess_stored(request, dry_run=True)
    tell_report("reprocess-plan", markdown_plan(planned.plan))
    if dry_run or not planned.plan.due:
        return planned
    with one_writer():
        done = reprocess_stored(
            request, ProgressArtifact("reprocess"), work=_as_tasks(shared), asking=ask_task
        )
    if done.run is not None:
        _tell(layout, "reprocess", done.run)
    return done


def run_with_prefect(
    request: IngestRequest, runner: str = "threads", shared: str | None = None
) -> RunSummary:
    """Run the flow in this process; Prefect records it on the server it is configured for.

    `runner` says who works on the batches (see `flows.orchestration.task_runners`).
    """
    return ingest.with_options(task_runner=task_runners.task_runner(runner))(
        vault=request.vault,
        archives=list(request.archives),
        account=request.account,
        format_id=request.format_id,
        owner=request.owner,
        timezone=str(request.zone) if request.zone else None,
        exclude=[str(rule) for rule in request.exclude],
        engine=request.engine,
        retry=request.retry,
        shared=shared,
    )
