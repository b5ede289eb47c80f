"""`mnemic undo`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from interfaces.cli.account_publishing import publish_accounts
from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import account_option, json_option, vault_folder, vault_option
from interfaces.cli.terminal import counted, print_json, say
from interfaces.kept_talk import stays_on_record
from vault.accounts import concerns_accounts, names_of_accounts
from vault.journal import Journal
from vault.policies import last_done, of_account, take_back
from vault.queries import texts_of_notes
from vault.remembered_talks import discard_unremembered
from vault.tombstones import last_burial

ACTS_SHOWN = 10
"""`--json` has all of them."""


@click.command("undo")
@click.option("--dry-run", is_flag=True, help="Only say what would be taken back.")
@account_option
@vault_option
@json_option
def command(dry_run: bool, account: str | None, vault: Path | None, as_json: bool) -> int:
    """Take back what you did last: one keep, discard or correction, all of one bulk act, or a policy.

    A policy goes with what it kept. Notes are named. Called again, it takes back what was before that. What
    `mnemic forget` erased is gone for good: where that was last, it is said, and what was before it taken
    back.
    With several accounts it is about one, and a policy for every account is ended by `mnemic policy off`.

    \b
    Examples:
      mnemic undo --dry-run
      mnemic undo
    """
    with opened(vault) as reader, Journal(reader.layout.journal) as journal:
        accounts, own = reader.generation.accounts, account_of(reader, account)
        whose = of_account(lambda: reader.ledger, accounts, own)
        stays = list[str]()
        if dry_run:
            acts = last_done(journal, whose)
        else:
            acts = take_back(lambda: reader.ledger, accounts, journal, whose)
            stays = discard_unremembered(reader.ledger, journal, acts) if acts else []
        republish = concerns_accounts(acts) and not dry_run
        texts = texts_of_notes(reader.ledger, [act.subject for act in acts])
        now = names_of_accounts(reader.ledger).now
        forgot = last_burial(reader.layout.journal, lambda came_as: now(came_as) == own)
    if acts and forgot is not None and forgot < acts[0].at:
        forgot = None
    if republish:
        publish_accounts(vault_folder(vault))
    if as_json:
        done = [
            {"act": act.kind.value, "subject": act.subject, "text": texts.get(act.subject), "at": act.at}
            for act in acts
        ]
        print_json({"undone": done, "dry_run": dry_run, "forgotten_after": forgot})
        return 0 if acts else 1
    if forgot is not None:
        say(f"What you did last, to forget at {forgot:%Y-%m-%d %H:%M} UTC, cannot be undone.")
    if acts:
        kinds = Counter(act.kind.value for act in acts)
        when = f"{acts[0].at:%Y-%m-%d %H:%M} UTC"
        say(f"{'would take' if dry_run else 'took'} back {counted(kinds)} of {when}:")
        for act in acts[:ACTS_SHOWN]:
            text = texts.get(act.subject)
            named = act.subject if text is None else f"{reader.short_id(act.subject)} {text}"
            say(f"  {act.kind.value} {named}")
        if len(acts) > ACTS_SHOWN:
            say(f"  and {len(acts) - ACTS_SHOWN} more")
        for conversation in stays:
            say(stays_on_record(reader.short_id(conversation)))
    else:
        say("there is nothing to take back")
    return 0 if acts else 1
