"""How far the suite is, and which files took longest: a plugin of `make test` (`-p tests.progress`).

On a terminal it is one line that is written over; elsewhere, as in CI, a line for each tenth of the tests.
Failures are named as they happen.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator

import pytest

SLOWEST = 8
"""Files named at the end."""
_TENTHS = 10
_EVERY = 0.2
"""Seconds between two looks of the line on a terminal."""


def pytest_configure(config: pytest.Config) -> None:
    # a worker of xdist runs tests, and the process that started it tells of them
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(config), "progress-of-the-suite")


class Progress:
    """Counts reports as they come in, whichever process they come from."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.began = time.monotonic()
        self.all = self.done = self.failed = 0
        self.seconds: Counter[str] = Counter()
        self._live = sys.stdout.isatty()
        self._shown = 0.0

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self.all = len(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.all = self.all or len(session.items)

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self) -> Iterator[None]:
        # the line takes the place of a letter for each test
        category, _, word = yield
        return category, "", word

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid.partition("::")[0]] += report.duration
        if report.failed:
            self.failed += 1
            self._tell(f"{report.outcome.upper()} in {report.when}: {report.nodeid}")
        if report.when == "teardown":
            self.done += 1
            self._show()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        self._tell("")
        terminalreporter.section("slowest files")
        for file, seconds in self.seconds.most_common(SLOWEST):
            terminalreporter.line(f"{seconds:7.1f} s  {file}")

    def _show(self) -> None:
        share = self.done / max(self.all, self.done)
        tenth = int(share * _TENTHS)
        if self._live:
            if time.monotonic() - self._shown > _EVERY:
                self._shown = time.monotonic()
                self._write("\r" + self._line(share)[: shutil.get_terminal_size().columns - 1] + "\x1b[K")
        elif tenth > int((self.done - 1) / max(self.all, self.done) * _TENTHS):
            self._write(self._line(share) + "\n")

    def _line(self, share: float) -> str:
        taken = time.monotonic() - self.began
        left = f", about {_minutes(taken / share - taken)} left" if 0.05 < share < 1 else ""
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{share:4.0%}  {self.done} of {self.all} tests{failed}, {_minutes(taken)}{left}"

    def _tell(self, line: str) -> None:
        self._write(("\r\x1b[K" if self._live else "") + (f"{line}\n" if line else ""))

    def _write(self, text: str) -> None:
        # pytest's own writer: what a test prints is captured, what this writes is not
        self._config.get_terminal_writer().write(text, flush=True)


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
