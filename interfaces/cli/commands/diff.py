"""`mnemic diff`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from interfaces.branch_difference import branches_differing
from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import GENERATION_OR_MOMENT, account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, say
from interfaces.history_answers import differing
from schemas.errors import UsageError
from vault.queries import Row
from vault.reader import VaultReader

_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


class _Line(click.ParamType[int | datetime | str]):
    """A generation, a date, or else the name of a branch."""

    name = "generation|date|branch"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | datetime | str:
        """Read what is neither a number nor a date as a name."""
        try:
            return GENERATION_OR_MOMENT.convert(value, param, ctx)
        except click.BadParameter:
            return str(value)


@click.command("diff")
@click.argument("before", type=_Line(), required=False)
@click.argument("after", type=_Line(), required=False)
@click.option("--stat", is_flag=True, help="Only how many.")
@account_option
@vault_option
@json_option
def command(
    before: int | datetime | str | None,
    after: int | datetime | str | None,
    stat: bool,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Show which notes changed between the generations BEFORE and AFTER, each a number or a date, or on
    two branches (the main line is called main): what each holds as published.

    AFTER is the published generation where it is not given, BEFORE the one before that. A note that was
    discarded, rejected or archived counts as removed, one that was taken back into memory as added.

    \b
    Examples:
      mnemic diff
      mnemic diff 3 7 --stat
      mnemic diff 2026-03-01 2026-04-01 --json
      mnemic diff main trial
    """
    with opened(vault) as reader:
        told = _told(reader, account, before, after)
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
    lines = "generation " if isinstance(told["from"], int) else ""
    say(f"{lines}{told['from']} to {told['to']}: {numbers}")
    for one in changes if isinstance(changes, list) else []:
        say(f"{_SIGNS[one['operation']]} {short(one['key'])}")
        for sign, side in (("  -", one["old"]), ("  +", one["new"])):
            if side is not None:
                say(f"{sign} {side['text']} ({side['category']}, {side['state']})")


def _told(
    reader: VaultReader,
    account: str | None,
    before: int | datetime | str | None,
    after: int | datetime | str | None,
) -> Row:
    if isinstance(before, str) and isinstance(after, str):
        return branches_differing(reader.layout, account, before, after)
    if isinstance(before, str) or isinstance(after, str):
        named = before if isinstance(before, str) else after
        raise UsageError(
            f"{named} is neither a generation nor a date, and a branch is compared with a branch",
            remedy="Name two lines, as in `mnemic diff main trial`, or two generations or dates",
        )
    return differing(reader, account_of(reader, account), before, after)
