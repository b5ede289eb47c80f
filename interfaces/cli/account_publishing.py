"""Acts on accounts shown at once: the next generation is made, or left to the run that is under way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from interfaces.cli.terminal import say
from schemas.deferred import deferred
from schemas.errors import VaultLocked

if TYPE_CHECKING:
    from flows.ingest import steps
else:
    steps = deferred("flows.ingest.steps")


def publish_accounts(root: Path) -> bool:
    """Publish a generation with the acts on record; nothing is embedded again.

    False, and says so, where another process is writing: the acts are durable, and the next run brings them.
    """
    try:
        steps.ingest(steps.IngestRequest(root, (), command="account"))
    except VaultLocked as error:
        say(f"It is on record, and shows after the next `mnemic ingest`: {error}")
        return False
    return True
