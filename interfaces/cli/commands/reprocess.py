"""`mnemic reprocess`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Literal

import click

from flows.engines.engine_choice import EngineChoice
from flows.ingest.reprocessing import Reprocessed, ReprocessPlan, ReprocessRequest, reprocess
from interfaces.cli.commands.ingest import print_summary
from interfaces.cli.model_options import engine_options
from interfaces.cli.options import MOMENT, json_option, vault_folder, vault_option
from interfaces.cli.terminal import TerminalProgress, counted, print_json, print_table

PARTLY = 3


@click.command("reprocess")
@click.option("--archive", default=None, help="Only what this archive brought (its name, or its hash).")
@click.option("--provider", default=None, help="Only conversations of this service, such as chatgpt.")
@click.option("--since", type=MOMENT, default=None, help="Only what began at or after this date.")
@click.option("--before", type=MOMENT, default=None, help="Only what began before this date.")
@click.option("--query", default=None, help="Only conversations that recall finds for this question.")
@click.option("--account", default=None, help="Only this account's. [default: all]")
@click.option(
    "--from",
    "stage",
    type=click.Choice(["extract", "gate"]),
    default="extract",
    show_default=True,
    help="First stage to do again; `gate` keeps the notes that were extracted.",
)
@click.option("--force", is_flag=True, help="Also what these very versions have made.")
@click.option("--dry-run", is_flag=True, help="Only say what it comes to, and what it costs.")
@engine_options
@vault_option
@json_option
def command(
    archive: str | None,
    provider: str | None,
    since: datetime | None,
    before: datetime | None,
    query: str | None,
    account: str | None,
    stage: Literal["extract", "gate"],
    force: bool,
    dry_run: bool,
    choice: EngineChoice,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Do the work again on what the vault holds, where today's versions would do it otherwise.

    What it comes to, and costs, is printed first. Notes that you kept, discarded or corrected stay so.

    \b
    Examples:
      mnemic reprocess --dry-run
      mnemic reprocess --from gate --provider chatgpt --since 2026-01-01
      mnemic reprocess --archive export.zip --engine anthropic --batch --max-usd 2
    """
    request = ReprocessRequest(
        vault_folder(vault), account, archive, provider, since, before, query, stage, choice, force
    )
    planned = reprocess(request, dry_run=True)
    if not as_json:
        _print_plan(planned.plan)
    done = planned if dry_run else reprocess(request, TerminalProgress())
    if as_json:
        print_json(done.model_dump(mode="json"))
    elif done.run is not None:
        print_summary(done.run)
    return _code(done)


def _code(done: Reprocessed) -> int:
    if done.plan.later:
        return PARTLY
    # nothing came in: only a budget that was used up leaves a part undone
    return PARTLY if done.run and done.run.model_use and done.run.model_use.unsent else 0


def _print_plan(plan: ReprocessPlan) -> None:
    rows: list[tuple[str, object]] = [
        ("conversations and documents meant", f"{plan.chosen:,}"),
        ("as today's versions would make them: left alone", f"{plan.current:,}"),
        ("to do again", f"{plan.due:,}"),
    ]
    if plan.made_by:
        rows.append(("… of these, extracted so far by", counted(plan.made_by)))
    if plan.later:
        rows.append(("extracted by another engine: for another run", f"{plan.later:,}"))
    if plan.questions is None:
        rows.append(("cost", "none: no language model is asked"))
    else:
        asked = plan.questions
        rows += [
            (
                "questions to the language model",
                f"{asked.questions:,}, {asked.answered:,} of them answered before",
            ),
            ("cost", f"about ${asked.usd_messages:.4f}, by batch ${asked.usd_batch:.4f}"),
        ]
    print_table("What there is to do", ("", ""), rows)
