"""`mnemic plan`."""

from __future__ import annotations

from pathlib import Path

import click

from flows.engines import EngineChoice
from flows.planning import ArchivePlan, plan_archives
from inference.forecast import Forecast
from interfaces.model_options import model_options, prefix_option, summaries_option
from interfaces.options import json_option, vault_folder, vault_option
from interfaces.terminal import print_json, print_table, say
from schemas.errors import PathMissing

ARCHIVE_COLUMNS = ("archive", "conversations", "turn pairs", "questions", "USD batch")
"""These fit beside the name of an archive into eighty columns."""


@click.command("plan")
@click.argument("archives", nargs=-1, required=True, type=click.Path(path_type=Path))
@model_options
@prefix_option
@summaries_option
@vault_option
@json_option
def command(
    archives: tuple[Path, ...],
    model: str,
    base_url: str | None,
    price: tuple[float, float] | None,
    contextual_prefix: bool,
    summaries: bool,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Say what `mnemic ingest --engine anthropic` would ask and cost for ARCHIVES. Nothing is sent or spent.

    \b
    Examples:
      mnemic plan chatgpt-export.zip
      mnemic plan exports/*.zip --model claude-sonnet-5-5 --json
    """
    for path in archives:
        if not path.exists():
            raise PathMissing("no such file or folder", where=str(path), remedy="Check the path")
    choice = EngineChoice(
        name="anthropic",
        model=model,
        base_url=base_url,
        price=price,
        contextual_prefix=contextual_prefix,
        summaries=summaries,
    )
    plan = plan_archives(archives, choice, vault_folder(vault))
    if as_json:
        print_json(plan.model_dump(mode="json"))
        return
    rows = [_row(one) for one in (*plan.archives, *([plan.total] if len(plan.archives) > 1 else []))]
    print_table(f"{plan.model}, prices of {plan.prices_of}", ARCHIVE_COLUMNS, rows)
    asked = {**plan.total.tiers, "all": plan.total.questions}
    counts = [
        (name.replace("_", " "), *(_told(getattr(one, name)) for one in asked.values()))
        for name in Forecast.model_fields
    ]
    print_table("By what is asked for", ("", *asked), counts)
    if plan.usd_batch_per_1000_pairs is not None:
        units = plan.total.tiers.get("units", Forecast()).usd_batch
        say(
            f"By batch: ${plan.usd_batch_per_1000_pairs:.4f} for 1,000 turn pairs, "
            f"${1000 * units / plan.total.turn_pairs:.4f} of it for the notes alone"
        )
    say("Assumptions:")
    for assumption in plan.assumptions:
        say(f"- {assumption}")


def _row(plan: ArchivePlan) -> list[object]:
    asked = plan.questions
    return [plan.archive, plan.conversations, plan.turn_pairs, asked.questions, _told(asked.usd_batch)]


def _told(value: float) -> str:
    """A count as it is, dollars to a hundredth of a cent."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)
