"""`mnemic discard`."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.acting import act_on
from interfaces.options import json_option, vault_option
from vault.journal import ActKind


@click.command("discard")
@click.argument("ids", nargs=-1, required=True)
@click.option("--reason", default="", help="Why; kept with the act.")
@vault_option
@json_option
def command(ids: tuple[str, ...], reason: str, vault: Path | None, as_json: bool) -> None:
    """Discard notes: recall no longer shows them. They stay on record, and `keep` brings them back.

    \b
    Examples:
      mnemic discard 3f2a9c41
    """
    act_on(ActKind.DISCARD, ids, reason, vault, as_json)
