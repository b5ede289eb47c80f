"""`mnemic gate`."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.cli.lookup import account_of, one_id, opened
from interfaces.cli.options import account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from vault.gating import explanation, outcomes
from vault.queries import Row


@click.command("gate")
@click.option("--explain", "ids", multiple=True, metavar="ID", help="Say what the gate made of this note.")
@account_option
@vault_option
@json_option
def command(ids: tuple[str, ...], account: str | None, vault: Path | None, as_json: bool) -> int:
    """Say what the Note Quality Gate made of notes: all of them by criterion, or one with every verdict.

    Its settings are `gate.json` in the vault's folder (see docs/gate.md).

    \b
    Examples:
      mnemic gate
      mnemic gate --explain 3f2a9c41
      mnemic gate --explain 3f2a9c41 --json
    """
    with opened(vault) as reader:
        whose = account_of(reader, account)
        if ids:
            notes = [explanation(reader.ledger, one_id(reader, "units", "id", one, whose)) for one in ids]
        else:
            states, criteria = outcomes(reader.ledger, whose)
    if ids:
        _explain(notes, as_json)
    elif as_json:
        print_json({"states": states, "criteria": criteria})
    else:
        total = sum(states.values()) or 1
        by_state = [(state, f"{count:,}", f"{count / total:.1%}") for state, count in states.items()]
        print_table("What the gate said", ("outcome", "notes", "share"), by_state)
        by_criterion = [tuple(row.values()) for row in criteria]
        print_table("Why", ("criterion", "outcome", "notes"), by_criterion)
    return 0


def _explain(notes: list[Row], as_json: bool) -> None:
    if as_json:
        print_json({"notes": notes})
        return
    for note in notes:
        say(f"{note['id']}: {note['text']}")
        say(f"quote: {note['quote']}")
        say(f"the gate ({note['gate']}): {note['gate_state']}; now: {note['state']} by {note['actor']}")
        verdicts = note["verdicts"]
        if isinstance(verdicts, list):
            rows = [(one["criterion"], one["outcome"], one["reason"]) for one in verdicts]
            print_table("", ("criterion", "verdict", "why"), rows)
