"""What a flow tells Prefect: artifacts, events, and a word to the owner when it fails."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from prefect.artifacts import (
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.blocks.abstract import NotificationBlock
from prefect.blocks.core import Block
from prefect.concurrency.sync import concurrency
from prefect.events import emit_event
from prefect.logging import get_logger

if TYPE_CHECKING:
    from prefect.client.schemas.objects import FlowRun, State
    from prefect.flows import Flow

NOTIFY = "MNEMIC_NOTIFY"
"""A notification block of the server, such as `custom-webhook/mnemic`; unset: nobody is told."""
UPDATE_SECONDS = 5.0
WRITER = "mnemic-writer"
"""A global concurrency limit of one slot, where there is one: a second run then waits for the vault."""


def one_writer() -> Any:
    """Hold the slot of the vault's writer; without such a limit on the server nothing is waited for."""
    return concurrency(WRITER, occupy=1, strict=False)


class ProgressArtifact:
    """A watcher of stages whose progress Prefect shows; a stage without a total has none to show."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._artifact: UUID | None = None
        self._total = self._done = 0
        self._shown = 0.0

    def start(self, stage: str, total: int | None, what: str) -> None:
        """See `Progress.start`."""
        self._artifact, self._total, self._done = None, total or 0, 0
        if total:
            made = create_progress_artifact(
                0.0, key=f"{self._key}-{stage}", description=f"{stage}: {total:,} {what}"
            )
            self._artifact = made if isinstance(made, UUID) else None  # a coroutine only in async flows
            self._shown = time.monotonic()

    def advance(self, count: int) -> None:
        """See `Progress.advance`."""
        self._done += count
        if time.monotonic() - self._shown > UPDATE_SECONDS:
            self._show()

    def finish(self) -> None:
        """See `Progress.finish`."""
        self._show()

    def _show(self) -> None:
        if self._artifact is not None:
            share = 100.0 * min(self._done, self._total) / self._total
            update_progress_artifact(self._artifact, share)
            self._shown = time.monotonic()


def tell_report(key: str, markdown: str, page: Path | None = None) -> None:
    """The report as an artifact, and a link to the page where there is one."""
    create_markdown_artifact(markdown, key=f"{key}-report", description="What the run did")
    if page is not None:
        create_link_artifact(page.as_uri(), "The whole report", key=f"{key}-page")


def tell_table(key: str, rows: Sequence[Mapping[str, object]], description: str) -> None:
    """Rows as a table; none is told too."""
    create_table_artifact(
        [{name: str(value) for name, value in row.items()} for row in rows], key, description
    )


def tell_event(what: str, vault: Path, payload: Mapping[str, object]) -> None:
    """An event `mnemic.<what>` that automations can act on; numbers and names, never text of an archive."""
    resource = {"prefect.resource.id": f"mnemic.vault.{vault.name}", "prefect.resource.name": vault.name}
    emit_event(f"mnemic.{what}", resource, payload=dict(payload))


def tell_failure(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Hook of a failed or crashed run: an event, and a notification by the block that the owner named.

    The state's message is left out: it can quote an archive. A block that fails is logged, no more.
    """
    subject = f"mnemic: {flow.name} failed"
    body = f"Run {flow_run.name} ended as {state.name}. See its log, and `mnemic doctor`."
    vault = str((flow_run.parameters or {}).get("vault") or "default")
    tell_event("run.failed", Path(vault), {"flow": flow.name, "run": str(flow_run.id), "state": state.name})
    named = os.environ.get(NOTIFY)
    if not named:
        return
    try:
        block = Block.load(named)
        if not isinstance(block, NotificationBlock):
            raise ValueError(f"{named} is no notification block")
        _ = block.notify(body, subject)
    except (ValueError, RuntimeError, OSError) as error:
        get_logger("mnemic").error("%s cannot notify: %s", named, error)
