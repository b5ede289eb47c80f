"""`mnemic merge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flows.engines.engine_choice import EngineChoice
from interfaces.cli.model_options import engine_options
from interfaces.cli.options import json_option, main_line_option, vault_folder
from interfaces.cli.terminal import TerminalProgress, print_json, print_table, say
from schemas.deferred import deferred
from schemas.words import amount

if TYPE_CHECKING:
    from flows.generation.merged_acts import Strategy
    from flows.ingest import merging
    from flows.ingest.merging import Merged
else:
    merging = deferred("flows.ingest.merging")


@click.command("merge")
@click.argument("branch", metavar="NAME")
@click.option(
    "-S",
    "--strategy",
    type=click.Choice(["ours", "theirs", "skip"]),
    default="skip",
    show_default=True,
    help="Where you acted on both lines: keep the main line's word, take the branch's, or leave it open.",
)
@engine_options
@main_line_option
@json_option
def command(branch: str, strategy: Strategy, choice: EngineChoice, vault: Path | None, as_json: bool) -> int:
    """Bring a branch's archives and your decisions there to the main line, as one generation.

    A conflict is a note, policy or path on which you acted on both lines since the branch began, to a
    different end. `ours` and `skip` leave such a subject as it is on the main line, and `skip` ends with
    exit code 3 where there are any; `theirs` gives it what stands on the branch. Merging again changes
    nothing. The branch stays until `mnemic branch --delete NAME`.

    \b
    Examples:
      mnemic merge trial
      mnemic merge trial -S theirs --json
    """
    merged = merging.merge(vault_folder(vault), branch, strategy, TerminalProgress(), engine=choice)
    if as_json:
        print_json(merged.model_dump(mode="json"))
    else:
        _show(merged)
    return 3 if merged.conflicts and strategy == "skip" else 0


_DECIDED = {
    "ours": "as on the main line",
    "theirs": "as on the branch",
    "skip": "left open, as on the main line",
}


def _show(merged: Merged) -> None:
    came = f"{amount(merged.conversations, 'conversation')} or documents and {amount(merged.acts, 'act')}"
    if merged.published:
        say(f"merged {merged.branch}: {came}; published generation {merged.generation}")
    else:
        say(f"merged {merged.branch}: nothing that the main line lacks; generation {merged.generation} stays")
    if merged.conflicts:
        rows = [(one.subject, ", ".join(one.ours), ", ".join(one.theirs)) for one in merged.conflicts]
        title = f"{amount(len(merged.conflicts), 'conflict')}: {_DECIDED[merged.strategy]}"
        print_table(title, ("subject", "main line", "branch"), rows)
