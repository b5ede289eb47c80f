"""`mnemic import`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from interfaces.cli.lookup import opened
from interfaces.cli.options import json_option, vault_option
from interfaces.cli.terminal import print_json, say
from schemas.deferred import deferred

if TYPE_CHECKING:
    from flows.notebook import page_edits
else:
    page_edits = deferred("flows.notebook.page_edits")


PARTLY = 3


@click.group("import")
def command() -> None:
    """Take in what you edited in exported Markdown pages. Archives are read by `mnemic ingest`.

    \b
    Examples:
      mnemic import markdown ~/Notes/memory --dry-run
      mnemic import markdown ~/Notes/memory
    """


@command.command("markdown")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--dry-run", is_flag=True, help="Only say what would be taken in.")
@vault_option
@json_option
def markdown(folder: Path, dry_run: bool, vault: Path | None, as_json: bool) -> int:
    """Take in the pages of FOLDER that you edited: a changed sentence corrects its note; `state: kept` or
    `state: discarded` keeps or discards it. `mnemic undo` takes all of it back.

    Exit code 3 where a page was left out: the vault changed too, or the sentence cannot stand.

    \b
    Examples:
      mnemic import markdown ~/Notes/memory --dry-run
      mnemic import markdown ~/Notes/memory
    """
    with opened(vault) as reader:
        taken = page_edits.import_markdown(reader, folder, dry_run=dry_run)
    left = [
        one
        for one in taken
        if one.outcome in (page_edits.EditOutcome.CONFLICT, page_edits.EditOutcome.REFUSED)
    ]
    if as_json:
        print_json({"dry_run": dry_run, "taken": [one.model_dump(mode="json") for one in taken]})
    else:
        for one in taken:
            say(f"{one.path}: {one.outcome.value}: {one.said}")
        would = "would be " if dry_run else ""
        say(f"{len(taken) - len(left):,} changes {would}taken in, {len(left):,} left out")
    return PARTLY if left else 0
