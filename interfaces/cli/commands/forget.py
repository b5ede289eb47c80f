"""`mnemic forget`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interfaces.cli.lookup import one_id, opened
from interfaces.cli.options import MOMENT, json_option, vault_folder, vault_option
from interfaces.cli.terminal import agreed, counted, print_json, print_table, say
from schemas.deferred import deferred
from schemas.errors import UsageError
from schemas.words import amount
from vault.erasing import Erasure
from vault.queries import resolve_ids

if TYPE_CHECKING:
    from flows.upkeep import forgetting
    from flows.upkeep.forgetting import ForgetPlan
else:
    forgetting = deferred("flows.upkeep.forgetting")


MENTIONS_SHOWN = 3
"""Of each conversation; `--json` has all of them."""


@click.command("forget")
@click.option(
    "--conversation", "named", multiple=True, metavar="ID", help="A conversation or document, by its id."
)
@click.option(
    "--match", "text", default=None, metavar="TEXT", help="Everything in which these words were said."
)
@click.option("--inside-words", is_flag=True, help="With --match: inside other words too.")
@click.option(
    "--before", type=MOMENT, default=None, metavar="DATE", help="Everything that began before then."
)
@click.option("--account", default=None, help="Everything of this account, or only of it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@vault_option
@json_option
def command(
    named: tuple[str, ...],
    text: str | None,
    inside_words: bool,
    before: datetime | None,
    account: str | None,
    yes: bool,
    dry_run: bool,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Erase whole conversations and documents from everywhere, and never import them again.

    What to forget meets every condition that is given. It is listed first, with what was found in it, the
    files that go and the backups that still hold it; then you are asked. --match takes whole words, whatever
    their case: "ann" is not found in "planning".

    \b
    Examples:
      mnemic forget --conversation 77b0d2e5
      mnemic forget --match "my old address" --dry-run
      mnemic forget --match 0175 --inside-words --dry-run
      mnemic forget --account work --before 2024-01-01 --yes
    """
    if not named and text is None and before is None and account is None:
        raise click.UsageError("say what to forget: --conversation, --match, --before or --account")
    if text is not None and not text.strip():
        raise click.UsageError("--match with an empty text would be everything")

    root = vault_folder(vault)
    wanted = Erasure(_owners(vault, named), text and text.strip(), inside_words, before, account)
    plan = forgetting.plan_forgetting(root, wanted)
    if not as_json:
        _show(plan, _short(vault, plan))
    if not dry_run and not yes and not _agreed():
        say("Nothing was forgotten")
        return 1
    gone = {} if dry_run else forgetting.forget(root, plan)
    if as_json:
        print_json({"plan": asdict(plan), "done": not dry_run, "rows_erased": gone})
    elif not dry_run:
        say(f"forgotten: {counted(gone)}")
    else:
        say("This was a dry run: nothing was forgotten")
    return 0


def _short(vault: Path | None, plan: ForgetPlan) -> dict[str, str]:
    """The ids of what goes, as other commands show them."""
    with opened(vault) as reader:
        return {one.owner: reader.short_id(one.owner) for one in plan.erased}


def _agreed() -> bool:
    """The answer to the question; without anybody to answer it, no."""
    try:
        return agreed("Forget this for good?")
    except click.exceptions.Abort:
        say()
        return False


def _show(plan: ForgetPlan, named: Mapping[str, str]) -> None:
    columns = ("conversation", "account", "title", "began", "messages", "notes")
    rows = [
        (named[one.owner], one.account, one.title, f"{one.began:%Y-%m-%d}" if one.began else "", one.messages,
         one.notes)
        for one in plan.erased
    ]  # fmt: skip
    print_table("To forget", columns, rows)
    for one in plan.erased:
        if one.mentions:
            began = f", {one.began:%Y-%m-%d}" if one.began else ""
            say(f"{one.title or one.owner}{began}: found {amount(len(one.mentions), 'time')}")
        for mention in one.mentions[:MENTIONS_SHOWN]:
            say(f"  {mention.place}: {mention.snippet}")
    if plan.generations:
        say(f"older generations that are dropped with it: {', '.join(map(str, plan.generations))}")
    for path in plan.files:
        say(f"a file that is removed with it, whole: {path}")
    for line in plan.still_there:
        say(f"it stays in {line}")


def _owners(vault: Path | None, named: tuple[str, ...]) -> tuple[str, ...]:
    """The conversations and resources that were named, in full or by their beginnings."""
    owners: list[str] = []
    with opened(vault) as reader:
        for one in named:
            found = [
                owner
                for source, column in (("conversations", "conversation_id"), ("resources", "id"))
                for owner in resolve_ids(reader.ledger, source, column, one)
            ]
            if len(found) > 1:
                raise UsageError(f"several conversations or documents begin with {one}", why=", ".join(found))
            owners.append(found[0] if found else one_id(reader, "conversations", "conversation_id", one))
    return tuple(owners)
