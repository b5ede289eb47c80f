"""How a running step tells whoever watches; the steps do not know whether that is a terminal or a log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """A watcher of stages. Each stage has a name, perhaps a total, and advances."""

    def start(self, stage: str, total: int | None, what: str) -> None:
        """A stage begins; `what` is the plural noun that it counts."""

    def advance(self, count: int) -> None:
        """So many more are done."""

    def finish(self) -> None:
        """The stage is over."""


class Silent:
    """A watcher that says nothing."""

    def start(self, stage: str, total: int | None, what: str) -> None:
        """See `Progress.start`."""

    def advance(self, count: int) -> None:
        """See `Progress.advance`."""

    def finish(self) -> None:
        """See `Progress.finish`."""


class Stages:
    """Times each stage and passes its progress on."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str, total: int | None, what: str) -> Iterator[Progress]:
        """Run a stage; its wall time is added to `seconds[name]`."""
        began = time.monotonic()
        self._progress.start(name, total, what)
        try:
            yield self._progress
        finally:
            self._progress.finish()
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - began
