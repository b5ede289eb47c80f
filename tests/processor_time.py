"""Which test files take processor time, and of which kind: a plugin that says so at the end of a run.

    python -m pytest -p no:xdist -p tests.processor_time tests/vault

Wall time depends on what else the machine does, and half of it is waiting for the disk. Counted are this
process and those that it waited for; the first test that asks for a fixture pays for its set-up.
"""

from __future__ import annotations

import resource
from collections import defaultdict
from collections.abc import Iterator

import pytest

SHOWN = 25
"""Files named at the end."""


class Spent:
    """Seconds by test file: user and system time of this process, then of those that it started."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * 4)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        before = _now()
        try:
            return (yield)
        finally:
            file = self.seconds[item.nodeid.partition("::")[0]]
            file[:] = [old + new - then for old, new, then in zip(file, _now(), before, strict=True)]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("processor seconds: all, user and system here, user and system of processes")
        ranked = sorted(self.seconds.items(), key=lambda one: -sum(one[1]))
        both = [sum(column) for column in zip(*self.seconds.values(), strict=True)]
        for file, spent in [("all files", both), *ranked[:SHOWN]]:
            terminalreporter.line(" ".join(f"{one:7.1f}" for one in (sum(spent), *spent)) + f"  {file}")


def _now() -> tuple[float, float, float, float]:
    here, started = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return here.ru_utime, here.ru_stime, started.ru_utime, started.ru_stime


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Spent(), "processor-time-of-files")
