"""`mnemic plan`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from flows.engines.cost_plan import ArchivePlan, CostPlan, plan_archives
from flows.engines.engine_choice import EngineChoice
from inference.forecast import Forecast
from inference.language_model import ProviderName
from interfaces.cli.model_options import (
    file_by_option,
    prefix_option,
    proofread_option,
    provider_options,
    reads_option,
    summaries_option,
)
from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from schemas.errors import PathMissing
from schemas.words import amount, duration

ARCHIVE_COLUMNS = ("archive", "conversations", "turn pairs", "questions", "USD batch")
"""These fit beside the name of an archive into eighty columns."""


@click.command("plan")
@click.argument("archives", nargs=-1, required=True, type=click.Path(path_type=Path))
@provider_options
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=None,
    help="Calls at once that the time is reckoned with. [default: 4; 1 for a model of your own]",
)
@click.option(
    "--probe",
    is_flag=True,
    help="Measure a server of your own with one small request, and reckon the time by it.",
)
@prefix_option
@reads_option
@file_by_option
@proofread_option
@summaries_option
@vault_option
@json_option
def command(
    archives: tuple[Path, ...],
    engine: ProviderName,
    probe: bool,
    vault: Path | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Say what `mnemic ingest` with a language model would ask, cost and take for ARCHIVES. Nothing is spent.

    Nothing is sent either, save by --probe: one request without a word of yours.

    \b
    Examples:
      mnemic plan chatgpt-export.zip
      mnemic plan exports/*.zip --model claude-sonnet-5-5 --json
      mnemic plan chatgpt-export.zip --engine ollama --model qwen3:4b-instruct-2507 --probe
    """
    for path in archives:
        if not path.exists():
            raise PathMissing("no such file or folder", where=str(path), remedy="Check the path")
    plan = plan_archives(archives, EngineChoice(name=engine, **asked), vault_folder(vault), probe=probe)
    if as_json:
        print_json(plan.model_dump(mode="json"))
        return
    columns = (*ARCHIVE_COLUMNS[:-1], ARCHIVE_COLUMNS[-1] if plan.batches else "USD")
    rows = [_row(one) for one in (*plan.archives, *([plan.total] if len(plan.archives) > 1 else []))]
    print_table(f"{plan.model}, at {plan.prices}", columns, rows)
    tiers = {**plan.total.tiers, "all": plan.total.questions}
    counts = [
        (name.replace("_", " "), *(_told(getattr(one, name)) for one in tiers.values()))
        for name in Forecast.model_fields
        if plan.batches or name != "usd_batch"
    ]
    print_table("By what is asked for", ("", *tiers), counts)
    if plan.usd_batch_per_1000_pairs is not None:
        units = plan.total.tiers.get("units", Forecast()).usd_batch
        say(
            f"By batch: ${plan.usd_batch_per_1000_pairs:.4f} for 1,000 turn pairs, "
            f"${1000 * units / plan.total.turn_pairs:.4f} of it for the notes alone"
        )
    say(_time(plan))
    say("Assumptions:")
    for assumption in plan.assumptions:
        say(f"- {assumption}")


def _time(plan: CostPlan) -> str:
    """How long the questions take, and how that is known."""
    batch = "; by batch within a day" if plan.batches else ""
    if plan.speed is None or plan.seconds is None:
        how = "" if plan.batches else ", and --probe measures the server"
        return f"Time: not known, no answer of this model is on record{how}{batch}"
    by = "one small request"
    if plan.speed.source == "record":
        by = f"{amount(plan.speed.calls, 'call')} on record"
    return (
        f"Time: about {duration(plan.seconds)}, {amount(plan.concurrency, 'call')} at once, at "
        f"{plan.speed.read:,.0f} tokens a second read and {plan.speed.write:,.0f} written (by {by}){batch}"
    )


def _row(plan: ArchivePlan) -> list[object]:
    asked = plan.questions
    return [plan.archive, plan.conversations, plan.turn_pairs, asked.questions, _told(asked.usd_batch)]


def _told(value: float) -> str:
    """A count as it is, dollars to a hundredth of a cent."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)
