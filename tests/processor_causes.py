"""Which parts of the vault's work take a run's processor time: a plugin that says so at the end of a run.

    python -m pytest -p no:xdist -p tests.processor_causes tests/vault

A call's time is its own: what it calls that is named here too counts there alone. Counted is the whole
process while the test's thread is inside, so what a library does on threads of its own is in it. `processes`
are those that ended.
"""

from __future__ import annotations

import resource
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from typing import Any

import pytest

from schemas.library_settings import settle_libraries

settle_libraries()

WATCHED = {
    "ingest, the rest": ("flows.ingest.steps:ingest",),
    "ledger: open": ("vault.ledger:Ledger.open",),
    "ledger: statements": ("vault.ledger:Ledger.query", "vault.ledger:Ledger.rows"),
    "ledger: close": ("vault.ledger:Ledger.close",),
    "shard: create": ("vault.edge:EdgeIndex.create",),
    "shard: open": ("vault.edge:EdgeIndex.open",),
    "shard: write": tuple(f"vault.edge:EdgeIndex.{name}" for name in ("upsert", "set_payloads", "flush")),
    "shard: close": ("vault.edge:EdgeIndex.close",),
    "embedding": ("inference.minilm:MiniLM.embed", "inference.minilm:MiniLM.embed_query"),
    "model: open": ("inference.minilm:_opened",),
    "sums of files": ("vault.sums:file_sum",),
    "folders: copy": ("vault.files:copy_tree", "vault.files:update_tree", "shutil:copytree"),
    "folders: sync": ("vault.files:sync_tree",),
    "folders: remove": ("shutil:rmtree",),
}
"""By cause: `module:name` of the functions that stand for it; replaced before a test module is imported."""


class Causes:
    """By cause: calls, user and system seconds."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * 3)
        self._inside = ["all else"]
        self._last = _now()

    @contextmanager
    def during(self, cause: str) -> Iterator[None]:
        """Until this ends, time belongs to `cause`."""
        self._settle()
        self.spent[cause][0] += 1
        self._inside.append(cause)
        try:
            yield
        finally:
            self._settle()
            self._inside.pop()

    def _settle(self) -> None:
        now, row = _now(), self.spent[self._inside[-1]]
        row[1] += now[0] - self._last[0]
        row[2] += now[1] - self._last[1]
        self._last = now

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        self._settle()
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        rows = {**self.spent, "processes": [0.0, ended.ru_utime, ended.ru_stime]}
        terminalreporter.section("processor seconds by cause: all, user, system, calls")
        for cause, (calls, user, system) in sorted(rows.items(), key=lambda one: -one[1][1] - one[1][2]):
            terminalreporter.line(f"{user + system:7.1f} {user:7.1f} {system:7.1f} {calls:7.0f}  {cause}")


def _now() -> tuple[float, float]:
    here = resource.getrusage(resource.RUSAGE_SELF)
    return here.ru_utime, here.ru_stime


def _watch(causes: Causes, cause: str, place: str) -> None:
    module, _, path = place.partition(":")
    owner: Any = import_module(module)
    *outer, name = path.split(".")
    for one in outer:
        owner = getattr(owner, one)
    found = vars(owner)[name]
    called: Callable[..., Any] = found.__func__ if isinstance(found, classmethod) else found

    @wraps(called)
    def watched(*given: Any, **named: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return called(*given, **named)
        with causes.during(cause):
            return called(*given, **named)

    setattr(owner, name, classmethod(watched) if isinstance(found, classmethod) else watched)


def pytest_configure(config: pytest.Config) -> None:
    causes = Causes()
    for cause, places in WATCHED.items():
        for place in places:
            _watch(causes, cause, place)
    config.pluginmanager.register(causes, "processor-time-by-cause")
