"""`mnemic doctor`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.terminal import print_json, print_table
from schemas.deferred import deferred

if TYPE_CHECKING:
    from flows.upkeep import checkup
else:
    checkup = deferred("flows.upkeep.checkup")


@click.command("doctor")
@vault_option
@json_option
def command(vault: Path | None, as_json: bool) -> int:
    """Check the installation, the disk, locks, versions, the model and the vault; name what to do.

    Exit code 1 where something needs doing.

    \b
    Examples:
      mnemic doctor
      mnemic doctor --vault ~/memory --json
    """
    findings = checkup.examine_all(vault_folder(vault))
    bad = [one for one in findings if not one.well]
    if as_json:
        print_json({"findings": [asdict(one) for one in findings], "well": not bad})
        return 1 if bad else 0
    rows = [("well" if one.well else "ILL", one.what, one.said, one.remedy) for one in findings]
    print_table(f"Findings on {vault_folder(vault)}", ("", "what", "found", "remedy"), rows)
    return 1 if bad else 0
