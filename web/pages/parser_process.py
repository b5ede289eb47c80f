"""Pages parsed in a process of their own, which ends when a page takes too much.

A page's markup may be hostile: some keeps a parser busy for minutes or fills the memory, and a parser written
in C can crash. The child gets each page as a line of JSON and answers with its text as another. When a page's
time is up the child is killed, and the next page gets a new one.
"""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from threading import Event, Timer
from typing import Any

from web.fetch.outcome import Bounds, Fetched, PageOutcome
from web.pages.extraction import PageText, extracted, require_parser

START_SECONDS = 30.0
"""For the child to import what parses; a machine that is busy takes seconds."""
MOST_MEMORY = 2_000_000_000
"""Bytes of address space of the child, where the system can bound it."""
DEFECTS = (ValueError, TypeError, AttributeError, LookupError, RecursionError, SyntaxError, AssertionError)
"""What a parser that meets markup it was not made for may raise; lxml's own errors are SyntaxErrors."""
READY = b"ready\n"


class PageParser:
    """Parses pages one after the other in a child that is started for the first of them."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._child: subprocess.Popen[bytes] | None = None

    def close(self) -> None:
        """End the child; another page would start another."""
        if self._child is not None:
            self._end(self._child)

    def parsed(self, page: Fetched, *, rendered: bool = False) -> PageText:
        """The text of a page; TOO_SLOW where it takes longer than `Bounds.parse_seconds`, FAILED where the
        parser fails on it. Raises MachineError where the extra `web` is not installed."""
        require_parser()
        sent = {**asdict(page), "body": base64.b64encode(page.body).decode("ascii")}
        line = json.dumps({"page": sent, "rendered": rendered}).encode() + b"\n"
        running = self._child is not None and self._child.poll() is None
        child = self._child if self._child is not None and running else self._started()
        answer, in_time = _answered(child, line, self._bounds.parse_seconds)
        if not answer.endswith(b"\n"):
            self._end(child)
            seconds = self._bounds.parse_seconds
            if not in_time:
                return _none(page, PageOutcome.TOO_SLOW, f"its text is not found in {seconds:g} seconds")
            return _none(page, PageOutcome.FAILED, f"the parser ended on it, with status {child.returncode}")
        return _told(page, json.loads(answer))

    def _started(self) -> subprocess.Popen[bytes]:
        # -P: a folder "web" that lies where the command was given is not ours
        command = [sys.executable, "-P", "-m", "web.pages.parser_process"]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._child = child
        answer, _ = _answered(child, b"", START_SECONDS)
        if answer != READY:
            self._end(child)
        return child

    def _end(self, child: subprocess.Popen[bytes]) -> None:
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not sent yet has nowhere to go
                    pipe.close()
        self._child = None


def _answered(child: subprocess.Popen[bytes], line: bytes, seconds: float) -> tuple[bytes, bool]:
    """The child's next line, whole unless it ended; and whether the time was kept."""
    late = Event()

    def end() -> None:
        late.set()
        child.kill()

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        if child.stdin is None or child.stdout is None or child.stdin.closed:
            return b"", True
        with suppress(BrokenPipeError):
            child.stdin.write(line)
            child.stdin.flush()
        return child.stdout.readline(), not late.is_set()
    finally:
        timer.cancel()


def _told(page: Fetched, said: dict[str, Any]) -> PageText:
    if "defect" in said:
        return _none(page, PageOutcome.FAILED, f"its markup cannot be read: {said['defect']}")
    published = said["published"]
    when = None if published is None else datetime.fromisoformat(published)
    return PageText(**{**said, "outcome": PageOutcome(said["outcome"]), "published": when})


def _none(page: Fetched, outcome: PageOutcome, reason: str) -> PageText:
    return PageText("", "", None, outcome, reason, url=page.url)


def serve() -> None:
    """The child: a page a line, until there is none. A page on which the parser fails costs itself alone."""
    _bound_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked is interrupted, and ends it
    require_parser()
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing that a library prints is taken for an answer
    extracted(Fetched("", PageOutcome.KEPT, body=b"<p>a</p>"))  # imports what parses
    answers.write(READY)
    answers.flush()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        sent = asked["page"]
        told = {"outcome": PageOutcome(sent["outcome"]), "body": base64.b64decode(sent["body"])}
        try:
            text = asdict(extracted(Fetched(**{**sent, **told}), rendered=asked["rendered"]))
        except (*DEFECTS, MemoryError) as error:
            text = {"defect": type(error).__name__}
        answers.write(json.dumps(text, default=datetime.isoformat).encode() + b"\n")
        answers.flush()


def _bound_memory() -> None:
    try:
        import resource  # Windows has none
    except ImportError:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


if __name__ == "__main__":
    serve()
