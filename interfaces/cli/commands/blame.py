"""`mnemic blame`."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from interfaces.history_answers import BLAMED, blamed


@click.command("blame")
@click.argument("named", metavar="KEY|ID")
@click.option(
    "-l", "--limit", type=click.IntRange(min=1), default=BLAMED, show_default=True, help="At most so many."
)
@account_option
@vault_option
@json_option
def command(named: str, limit: int, account: str | None, vault: Path | None, as_json: bool) -> None:
    """Show what happened to a note, or to the notes at a path, newest first: who, when, by which run.

    \b
    Examples:
      mnemic blame 3f2a9c41
      mnemic blame home.garden.hedge -l 3 --json
    """
    with opened(vault) as reader:
        told = blamed(reader, account_of(reader, account), named, limit)
        short = reader.short_id
    if as_json:
        print_json(told)
        return
    entries = told["entries"]
    rows = [
        (str(one["date"])[:16], short(one["note"] or ""), one["generation"] or "", one["author"],
         one["message"] + (f"\n{one['detail']}" if one["detail"] else ""))
        for one in (entries if isinstance(entries, list) else [])
    ]  # fmt: skip
    if rows:
        print_table(named, ("when", "note", "generation", "who", "what"), rows)
    else:
        say(f"no note lies at {named}")
