"""`mnemic ingest`."""

from __future__ import annotations

import sys
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

import click

from archives import Limits
from flows.engines.engine_choice import EngineChoice
from flows.ingest.steps import IngestRequest, ingest
from flows.intake.exclusions import parse_rule
from flows.reports.run_page import report_page
from flows.reports.run_summary import ArchiveOutcome, ArchiveResult, ModelUse, RunSummary
from interfaces.cli.limits_options import limits_options
from interfaces.cli.model_options import engine_options
from interfaces.cli.options import ZONE, json_option, vault_folder, vault_option
from interfaces.cli.terminal import TerminalProgress, counted, print_json, print_left_out, print_table, say
from interfaces.cli.time_zone_prompt import zone_of
from interfaces.cli.welcome import assistant_line
from schemas.deferred import deferred
from schemas.errors import PathMissing
from schemas.words import amount
from vault.layout import VaultLayout

if TYPE_CHECKING:
    from flows.orchestration import ingest_flows
else:
    ingest_flows = deferred("flows.orchestration.ingest_flows")


@click.command("ingest")
@click.argument("archives", nargs=-1, required=True)
@click.option(
    "--account", default=None, help="Whose archives these are. [default: yours; see `mnemic account`]"
)
@click.option("--format", "format_id", default=None, help="Force a reader instead of detecting the format.")
@click.option("--owner", default=None, help="Your name in chats between people.")
@click.option(
    "--timezone",
    "zone",
    type=ZONE,
    default=None,
    help="Zone of times without one. [default: asked, else UTC]",
)
@click.option(
    "--exclude",
    "excluded",
    multiple=True,
    metavar="RULE",
    help="Leave out what a rule matches from now on; notes already made stay. See `mnemic exclusions`.",
)
@engine_options
@click.option("--retry", is_flag=True, help="Ask again where the offline engine spoke for the model.")
@limits_options
@click.option("--prefect", "with_prefect", is_flag=True, help="Run the steps as Prefect tasks.")
@click.option(
    "--runner",
    type=click.Choice(["threads", "processes", "dask", "ray"]),
    default=None,
    help="Who works on the batches, by Prefect: this machine's threads or processes, or a cluster.",
)
@click.option(
    "--shared", default=None, metavar="URL", help="With --runner: where other machines find batches."
)
@vault_option
@json_option
def command(
    archives: tuple[str, ...],
    account: str | None,
    format_id: str | None,
    owner: str | None,
    zone: tzinfo | None,
    excluded: tuple[str, ...],
    choice: EngineChoice,
    retry: bool,
    limits: Limits,
    with_prefect: bool,
    runner: str | None,
    shared: str | None,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Read ARCHIVES (zip, folder or file) and publish what they say as notes.

    An archive that was imported before costs nothing. A bad archive does not stop the others.

    \b
    Examples:
      mnemic ingest chatgpt-export.zip
      mnemic ingest --account alice exports/*.zip
      mnemic ingest whatsapp.txt --owner "Ada" --timezone Europe/Berlin --exclude "project:Work*"
      mnemic ingest chatgpt-export.zip --engine anthropic --batch --max-usd 2
    """
    if not all(one.strip() for one in archives):
        raise PathMissing("an archive's name is empty", remedy="Check the path")
    paths = tuple(map(Path, archives))
    for path in paths:
        if not path.exists():
            raise PathMissing("no such file or folder", where=str(path), remedy="Check the path")
    request = IngestRequest(
        vault=vault_folder(vault),
        archives=paths,
        account=account,
        format_id=format_id,
        owner=owner,
        zone=zone or zone_of(paths, format_id),
        exclude=tuple(map(parse_rule, excluded)),
        engine=choice,
        retry=retry,
        limits=limits,
    )
    if with_prefect or runner or shared:
        summary = ingest_flows.run_with_prefect(request, runner or "threads", shared)
    else:
        summary = ingest(request, TerminalProgress())
    if as_json:
        print_json(summary.model_dump(mode="json"))
    else:
        print_summary(summary)
    return summary.exit_code


CAME_IN = ("archive", "account", "outcome", "what it holds", "conversations to the vault")
"""Few columns, counts in words: thirteen would break their own heads on a terminal."""


def _beside(summary: RunSummary) -> str:
    """Which archives were kept apart, and why; "" where none was."""
    return "\n".join(f"{Path(one.archive).name}: {one.remark}" for one in summary.archives if one.remark)


def _set_aside(summary: RunSummary) -> str:
    """How many conversations are not in the vault because the work on them failed, and where it says why."""
    page = report_page(VaultLayout(Path(summary.vault)), summary.run)
    return (
        f"{amount(len(summary.failed), 'conversation')} set aside: the extraction failed. What the vault had"
        f" of them stays; {page} says why. It is our defect: please report it"
    )


def print_summary(summary: RunSummary) -> None:
    """The closing tables: what came in, what was made, what was skipped and why, time a stage."""
    if summary.archives:  # none where the ledger was read
        print_table("What came in", CAME_IN, (_archive_row(result) for result in summary.archives))
    skipped = [
        (Path(result.archive).name, note.kind.value, note.reason, f"{note.count:,}", note.where, note.remedy)
        for result in summary.archives
        if result.report
        for note in result.report.notes
    ]
    if skipped:
        print_left_out("Left out or not understood, and why", skipped)
    for result in summary.archives:
        if result.forgotten:
            held = "what it held" if result.outcome is ArchiveOutcome.FORGOTTEN else "a part of what it held"
            say(f"{Path(result.archive).name}, {held}: {result.forgotten[0].lower()}{result.forgotten[1:]}")
        if result.error:
            say(f"mnemic: {result.error}", err=True)
    if summary.failed:
        say(f"mnemic: {_set_aside(summary)}", err=True)
    if summary.exit_code == 1:
        say(f"Nothing was imported; the reasons are in {Path(summary.vault) / 'quarantine'}", err=True)
        return
    made = [
        ("notes and rows", counted(summary.made)),
        ("notes by category", counted(summary.units_by_category)),
        ("notes by state", counted(summary.units_by_state)),
        ("refused, by reason", counted(summary.dropped)),
        ("asked", _asked(summary.model_use)),
        ("time a stage", ", ".join(f"{stage} {spent:.1f} s" for stage, spent in summary.seconds.items())),
    ]
    print_table("What was made", ("", ""), [row for row in made if row[1]])
    if summary.gone:
        gone = amount(summary.gone, "conversation")
        say(f"{gone} marked as gone: newer exports lack what was there, and the notes stay")
    if beside := _beside(summary):
        say(beside)
    if summary.model_use and summary.model_use.stopped:
        say(f"Not all is answered: {summary.model_use.stopped}")
    if summary.published:
        say(f"Published generation {summary.generation} in {summary.vault}")
        if summary.generation == 1:
            say('Now ask it: `mnemic recall "what did I decide about …?"`, or look around: `mnemic open`')
            if sys.stdout.isatty():
                say(f"Give it to Claude Code: {assistant_line(Path(summary.vault))}")
    elif not (summary.model_use and summary.model_use.stopped):
        say("Nothing new: the published generation stays as it is")


def _asked(use: ModelUse | None) -> str:
    if use is None:
        return ""
    return (
        f"{use.model} by {use.mode}: {amount(use.questions, 'question')}, "
        f"{use.answered_before:,} answered before; ${use.spent_usd:.4f} of about ${use.expected_usd:.4f}"
    )


def _archive_row(result: ArchiveResult) -> tuple[object, ...]:
    report, counts = result.report, result.counts
    holds: dict[str, int] = {}
    if report:
        holds |= {"conversations": report.conversations, "messages": report.messages}
    if counts:
        others = counts.messages_active - counts.user_typed - counts.assistant
        holds |= {"typed": counts.user_typed, "answered": counts.assistant, "by others": max(others, 0)}
    if report:
        holds["resources"] = report.resources
    return (
        Path(result.archive).name,
        result.account or (report.account if report else ""),
        result.outcome.value,
        counted(holds),
        counted(
            {
                "new": result.new,
                "updated": result.updated,
                "unchanged": result.unchanged,
                "older": result.older,
            }
        ),
    )
