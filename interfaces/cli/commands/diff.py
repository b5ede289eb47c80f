"""`mnemic diff`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import GENERATION_OR_MOMENT, account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, say
from interfaces.history_answers import differing

_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


@click.command("diff")
@click.argument("before", type=GENERATION_OR_MOMENT, required=False)
@click.argument("after", type=GENERATION_OR_MOMENT, required=False)
@click.option("--stat", is_flag=True, help="Only how many.")
@account_option
@vault_option
@json_option
def command(
    before: int | datetime | None,
    after: int | datetime | None,
    stat: bool,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Show which notes changed between the generations BEFORE and AFTER, each a number or a date.

    AFTER is the published generation where it is not given, BEFORE the one before that. A note that was
    discarded, rejected or archived counts as removed, one that was taken back into memory as added.

    \b
    Examples:
      mnemic diff
      mnemic diff 3 7 --stat
      mnemic diff 2026-03-01 2026-04-01 --json
    """
    with opened(vault) as reader:
        told = differing(reader, account_of(reader, account), before, after)
        short = reader.short_id
    if stat:
        del told["changes"]
    if as_json:
        print_json(told)
        return
    notices, counts, changes = told["notices"], told["stat"], told.get("changes")
    for notice in notices if isinstance(notices, list) else []:
        say(notice)
    numbers = (
        ", ".join(f"{count} {name}" for name, count in counts.items()) if isinstance(counts, dict) else ""
    )
    say(f"generation {told['from']} to {told['to']}: {numbers}")
    for one in changes if isinstance(changes, list) else []:
        say(f"{_SIGNS[one['operation']]} {short(one['key'])}")
        for sign, side in (("  -", one["old"]), ("  +", one["new"])):
            if side is not None:
                say(f"{sign} {side['text']} ({side['category']}, {side['state']})")
