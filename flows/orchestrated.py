"""The ingest as a Prefect flow around the same steps.

A task a batch: a Prefect task costs 6-80 ms, so it must be worth seconds. Parameters carry paths and ids,
never text: Prefect stores them.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4
from zoneinfo import ZoneInfo

# Prefect reads its settings when it is imported: no telemetry, and time to migrate a new database
os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120")

from prefect import flow, get_run_logger, task
from prefect.artifacts import create_markdown_artifact
from prefect.runtime import flow_run

from curation.settings import read_settings
from flows import steps
from flows.accounting import Start
from flows.engines import BY_RULES, EngineChoice, opened_engine
from flows.exclusions import parse_rule
from flows.inbox import move_out, settled_archives
from flows.markdown_report import markdown_report
from flows.progress import Silent, Stages
from flows.steps import IngestRequest
from flows.summary import RunSummary
from flows.working import extract_batch, summarise_batch
from inference import load_embedder
from vault.batch import Batch
from vault.layout import VaultLayout, default_vault_folder
from vault.lock import writer_lock


@task(name="extract", task_run_name="extract {folder.name}")
def extract_task(vault: Path, folder: Path, choice: EngineChoice) -> None:
    """Make notes, chunks and summaries of one staged batch."""
    with opened_engine(choice, VaultLayout(vault)) as opened:
        extract_batch(Batch(folder), opened.engine, read_settings(VaultLayout(vault).gate))
    summarise_batch(Batch(folder))


@task(name="embed", task_run_name="embed {folder.name}")
def embed_task(vault: Path, folder: Path) -> int:
    """Embed one staged batch's new notes; returns how many."""
    return steps.embed(VaultLayout(vault), Batch(folder), load_embedder())


def _run_name() -> str:
    """What the run is about, for Prefect's lists."""
    named = flow_run.parameters.get("archives")
    return "ingest the inbox" if named is None else "ingest " + ", ".join(Path(one).name for one in named)


@flow(name="ingest", flow_run_name=_run_name, validate_parameters=True)
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
    """
    layout = VaultLayout(vault or default_vault_folder())
    layout.create()
    from_inbox = archives is None
    paths = settled_archives(layout) if archives is None else archives
    request = IngestRequest(
        vault=layout.root,
        archives=tuple(paths),
        account=account,
        format_id=format_id,
        owner=owner,
        zone=ZoneInfo(timezone) if timezone else None,
        exclude=tuple(map(parse_rule, exclude or ())),
        engine=engine or BY_RULES,
        retry=retry,
        command="prefect ingest",
    )
    summary = _run(layout, request)
    if from_inbox:
        move_out(layout, summary.archives)
    create_markdown_artifact(
        markdown=markdown_report(summary), key="ingest-report", description="What the ingest did"
    )
    get_run_logger().info("exit code %s, generation %s", summary.exit_code, summary.generation)
    return summary


def _run(layout: VaultLayout, request: IngestRequest) -> RunSummary:
    """The steps of `flows.steps.ingest`, the work on each batch as tasks of its own.

    Reading and loading stay in the flow: they hold the writer's lock and hand over open things, not paths.
    """
    stages = Stages(Silent())
    start = Start(str(uuid4()), datetime.now(UTC))
    with writer_lock(layout), opened_engine(request.engine, layout) as opened:
        steps.prepare(layout)
        embedder = load_embedder()
        with stages.stage("read", None, "conversations") as watch:
            plan = steps.read(layout, request, embedder, opened, watch)
        use = opened.ask(plan, stages)
        folders = [batch.folder for batch in plan.batches]
        with stages.stage("extract", len(folders), "batches"):
            for folder in folders:
                extract_task(layout.root, folder, request.engine)
        with stages.stage("embed", len(folders), "batches"):
            embedded = sum(embed_task(layout.root, folder) for folder in folders)
        with stages.stage("load", len(folders), "batches") as watch:
            published = steps.load(layout, request, plan, embedder, opened, start, watch)
        summary = steps.account(layout, start, plan, embedded, published, stages.seconds, use)
        steps.clear(plan)
    return summary


def run_with_prefect(request: IngestRequest) -> RunSummary:
    """Run the flow in this process; Prefect records it on the server it is configured for."""
    return ingest(
        vault=request.vault,
        archives=list(request.archives),
        account=request.account,
        format_id=request.format_id,
        owner=request.owner,
        timezone=str(request.zone) if request.zone else None,
        exclude=[str(rule) for rule in request.exclude],
        engine=request.engine,
        retry=request.retry,
    )
