"""`mnemic config`."""

from __future__ import annotations

from dataclasses import asdict

import click

from interfaces.cli.options import json_option
from interfaces.cli.terminal import print_json, print_table
from interfaces.settings.sources import config_file, shown_settings


@click.group("config")
def command() -> None:
    """Say how mnemic is set up.

    \b
    Examples:
      mnemic config show
    """


@command.command("show")
@json_option
@click.pass_obj
def show(from_file: frozenset[str] | None, as_json: bool) -> int:
    """Show every setting and where it comes from. Secrets are never printed.

    \b
    Examples:
      mnemic config show
      MNEMIC_VAULT=~/memory mnemic config show --json
    """
    settings = shown_settings(from_file or frozenset())
    if as_json:
        print_json({"file": str(config_file()), "settings": [asdict(one) for one in settings]})
    else:
        rows = [(one.name, one.value if one.value is not None else "", one.origin) for one in settings]
        print_table(str(config_file()), ("setting", "value", "origin"), rows)
    return 0
