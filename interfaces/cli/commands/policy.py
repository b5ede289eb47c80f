"""`mnemic policy`."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.cli.lookup import opened
from interfaces.cli.options import json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from schemas.act import ActKind, Deed
from schemas.errors import UnknownId, UsageError
from schemas.policy import KeepPolicy
from schemas.unit import Category, Speaker, State
from schemas.words import amount
from vault.journal import Journal
from vault.policies import keep_by_policies, notes_to_keep, policies_on, policy_actor, policy_of
from vault.reader import VaultReader


@click.group("policy")
def command() -> None:
    """Standing instructions: notes that are kept without asking.

    A policy keeps what fits it now, and what fits it after every ingest. It acts on a note once: what you
    take back or discard stays so.

    \b
    Examples:
      mnemic policy on my-decisions --speaker owner --category decision --dry-run
      mnemic policy list
      mnemic policy off my-decisions --undo
    """


@command.command("on")
@click.argument("name")
@click.option("--category", "categories", multiple=True, type=click.Choice([one.value for one in Category]))
@click.option("--speaker", "speakers", multiple=True, type=click.Choice([one.value for one in Speaker]))
@click.option(
    "--said-times", type=click.IntRange(min=1), default=1, help="With at least so many pieces of evidence."
)
@click.option("--review", is_flag=True, help="Also notes that the gate holds for review.")
@click.option("--account", default=None, help="Only of this account. [default: every one]")
@click.option("--dry-run", is_flag=True, help="Only say how many notes it would keep.")
@vault_option
@json_option
def turn_on(
    name: str,
    categories: tuple[str, ...],
    speakers: tuple[str, ...],
    said_times: int,
    review: bool,
    account: str | None,
    dry_run: bool,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Keep every note that passed and fits, now and after every ingest.

    \b
    Examples:
      mnemic policy on mine --speaker owner --dry-run
    """
    if not name.strip() or not name.isprintable():
        raise UsageError("the policy's name is empty or unprintable", remedy="Give a short name")
    policy = KeepPolicy(
        account=account,
        categories=tuple(map(Category, categories)),
        speakers=tuple(map(Speaker, speakers)),
        states=(State.PASSED, State.REVIEW) if review else (State.PASSED,),
        said_times=said_times,
    )
    with opened(vault) as reader:
        touched = len(notes_to_keep(reader.ledger, reader.generation.accounts, policy))
        if not dry_run:
            _turn_on(reader, name, policy)
    if as_json:
        print_json(
            {"policy": name, "rule": policy.model_dump(mode="json"), "keeps": touched, "dry_run": dry_run}
        )
    else:
        say(f"{name}: {'would keep' if dry_run else 'kept'} {amount(touched, 'note')}")
    return 0


def _turn_on(reader: VaultReader, name: str, policy: KeepPolicy) -> None:
    with Journal(reader.layout.journal) as journal:
        journal.record([Deed(ActKind.POLICY_ON, name, policy.model_dump_json())])
        keep_by_policies(reader.ledger, reader.generation.accounts, journal, only=name)


@command.command("off")
@click.argument("name")
@click.option("--undo", is_flag=True, help="Also take back what it kept, but for what you kept yourself.")
@vault_option
@json_option
def turn_off(name: str, undo: bool, vault: Path | None, as_json: bool) -> int:
    """End a standing instruction. What it kept stays kept, unless --undo is given.

    \b
    Examples:
      mnemic policy off mine --undo
    """
    with opened(vault) as reader, Journal(reader.layout.journal) as journal:
        turned_on = policies_on(journal).get(name)
        if turned_on is None:
            raise UnknownId(f"no policy {name!r} is on", remedy="`mnemic policy list` shows those that are")
        kept = journal.standing_of(policy_actor(name)) if undo else []
        taken_back = [Deed(ActKind.UNDO, act.subject, act.id) for act in kept]
        journal.record(
            [Deed(ActKind.POLICY_OFF, name, turned_on.detail), *taken_back],
            reason=f"the policy {name} was turned off",
        )
        # what another policy would have kept, had this one not been faster
        again = keep_by_policies(reader.ledger, reader.generation.accounts, journal) if kept else 0
    if as_json:
        print_json({"policy": name, "undone": len(kept), "kept_by_others": again})
    else:
        others = f", {again:,} kept by other policies" if again else ""
        say(f"{name}: off" + (f", {amount(len(kept), 'keep')} taken back{others}" if undo else ""))
    return 0


@command.command("list")
@vault_option
@json_option
def show(vault: Path | None, as_json: bool) -> int:
    """Say which standing instructions hold, and how many notes each of them keeps.

    \b
    Examples:
      mnemic policy list --json
    """
    with opened(vault) as reader, Journal(reader.layout.journal) as journal:
        found = [
            {
                "policy": name,
                "since": f"{act.at:%Y-%m-%d %H:%M}",
                "rule": policy_of(act).model_dump(mode="json", exclude_defaults=True),
                "keeps": len(journal.standing_of(policy_actor(name))),
            }
            for name, act in policies_on(journal).items()
        ]
    if as_json:
        print_json({"policies": found})
        return 0
    columns = ("policy", "since", "rule", "keeps")
    print_table("Policies", columns, [tuple(one.values()) for one in found])
    return 0
