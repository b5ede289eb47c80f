"""`mnemic keep`."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.acting import act_on
from interfaces.options import json_option, vault_option
from vault.journal import ActKind


@click.command("keep")
@click.argument("ids", nargs=-1, required=True)
@click.option("--reason", default="", help="Why; kept with the act.")
@vault_option
@json_option
def command(ids: tuple[str, ...], reason: str, vault: Path | None, as_json: bool) -> None:
    """Keep notes: they become engrams, which recall ranks highest. Durable at once.

    \b
    Examples:
      mnemic keep 3f2a9c41
    """
    act_on(ActKind.KEEP, ids, reason, vault, as_json)
