"""`mnemic keep`."""

from __future__ import annotations

from typing import Any

import click

from interfaces.cli.note_selection import act_on, acting_options
from schemas.act import ActKind


@click.command("keep")
@acting_options
def command(**options: Any) -> int:
    """Keep notes: they become engrams, which recall ranks highest. Durable at once.

    \b
    Examples:
      mnemic keep 3f2a9c41
      mnemic keep --query "the boat's paint" --dry-run
      mnemic keep --all-passed --speaker owner --category decision
      mnemic keep --undo 3f2a9c41
    """
    return act_on(ActKind.KEEP, **options)
