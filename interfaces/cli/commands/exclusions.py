"""`mnemic exclusions`."""

from __future__ import annotations

from pathlib import Path

import click

from flows.intake.exclusions import KINDS, keep_rules, kept_rules, parse_rule, remove_rule
from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.terminal import print_json, say
from vault.layout import VaultLayout


@click.command("exclusions", epilog=f"A rule is KIND:VALUE; the kinds are {', '.join(KINDS)}.")
@click.option("--add", "added", multiple=True, metavar="RULE", help="Keep a rule.")
@click.option("--remove", "removed", multiple=True, metavar="RULE", help="Take a rule back.")
@vault_option
@json_option
def command(added: tuple[str, ...], removed: tuple[str, ...], vault: Path | None, as_json: bool) -> None:
    """Say what is left out when archives are read. Rules hold for every later run; notes already made stay.

    \b
    Examples:
      mnemic exclusions --add "project:Work*" --add before:2024-01-01
      mnemic exclusions --remove before:2024-01-01
    """
    layout = VaultLayout(vault_folder(vault))
    if added or removed:
        layout.create()
        for text in removed:
            remove_rule(layout, parse_rule(text))
        keep_rules(layout, map(parse_rule, added))
    rules = [str(rule) for rule in kept_rules(layout)]
    if as_json:
        print_json({"rules": rules})
        return
    for rule in rules or ["nothing is excluded"]:
        say(rule)
