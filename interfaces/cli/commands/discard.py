"""`mnemic discard`."""

from __future__ import annotations

from typing import Any

import click

from interfaces.cli.note_selection import act_on, acting_options
from schemas.act import ActKind


@click.command("discard")
@acting_options
def command(**options: Any) -> int:
    """Discard notes: recall no longer shows them. They stay on record.

    \b
    Examples:
      mnemic discard 3f2a9c41 --reason "not about me"
      mnemic discard --query "holiday in Oslo" --limit 5
      mnemic discard --undo 3f2a9c41
    """
    return act_on(ActKind.DISCARD, **options)
