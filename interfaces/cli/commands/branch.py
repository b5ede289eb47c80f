"""`mnemic branch`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interfaces.cli.options import GENERATION_OR_MOMENT, json_option, main_line_option, vault_folder
from interfaces.cli.terminal import print_json, print_table, say
from schemas.deferred import deferred
from schemas.errors import UsageError
from vault.branches import branches
from vault.layout import VaultLayout

if TYPE_CHECKING:
    from flows.ingest import merging
else:
    merging = deferred("flows.ingest.merging")


@click.command("branch")
@click.argument("name", required=False)
@click.option("--delete", "gone", metavar="NAME", default=None, help="Remove a branch, merged or not.")
@click.option("--list", "listed", is_flag=True, help="List the branches; so does the bare command.")
@main_line_option
@json_option
def command(name: str | None, gone: str | None, listed: bool, vault: Path | None, as_json: bool) -> int:
    """Make a branch NAME of the memory as it is now.

    What you ingest and decide with --branch NAME stays there: recall, list and MCP do not show it until
    `mnemic merge NAME`. A branch shares the files of the generation that it began with.

    \b
    Examples:
      mnemic branch trial
      mnemic ingest --branch trial chatgpt-export.zip
      mnemic recall --branch trial "what did I decide about the boat?"
      mnemic branch --delete trial
    """
    if sum((name is not None, gone is not None, listed)) > 1:
        raise UsageError(
            "one thing at a time", remedy="Name a branch to make, or give --delete NAME or --list"
        )
    root = vault_folder(vault)
    if name is None and gone is None:
        return _list(root, as_json)
    if gone is not None:
        merging.delete(root, gone)
        if as_json:
            print_json({"deleted": gone})
        else:
            say(f"branch {gone} is gone")
        return 0
    assert name is not None
    _require_plain(name)
    made = merging.fork(root, name)
    if as_json:
        print_json(made.model_dump(mode="json"))
    else:
        say(
            f"branch {made.name} begins at generation {made.generation}; work on it with --branch {made.name}"
        )
    return 0


def _require_plain(name: str) -> None:
    """Raises UsageError for a name that `mnemic diff` would read as a generation or a date."""
    with suppress(click.BadParameter):
        GENERATION_OR_MOMENT.convert(name, None, None)
        raise UsageError(
            f"{name} cannot be the name of a branch",
            why="`mnemic diff` reads it as a generation or a date",
            remedy="Name the branch by what it is for",
        )


def _list(root: Path, as_json: bool) -> int:
    have = branches(VaultLayout(root))
    if as_json:
        print_json({"branches": [one.model_dump(mode="json") for one in have]})
    elif have:
        rows = [(one.name, one.generation, f"{one.made_at:%Y-%m-%d %H:%M}") for one in have]
        print_table("Branches", ("name", "began at generation", "made"), rows)
    else:
        say("there is no branch")
    return 0
