"""Pages parsed in a process of their own, which ends when a page takes too much.

A page's markup may be hostile: some keeps a parser busy for minutes or fills the memory, and a parser written
in C can crash. The child gets each page as a line of JSON and answers with its text as another. When a page's
time is up the child is killed, and the next page gets a new one. A child whose parent has gone ends itself.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from threading import Event, Timer
from typing import Any

from schemas.errors import MachineError
from web.fetch.outcome import Bounds, Fetched, PageOutcome
from web.pages.extraction import PageText, extracted, require_parser

START_SECONDS = 30.0
"""For the child to import what parses; a machine that is busy takes seconds."""
MOST_MEMORY = 2_000_000_000
"""Bytes of address space of the child, where the system can bound it."""
DEFECTS = (ValueError, TypeError, AttributeError, LookupError, RecursionError, SyntaxError, AssertionError)
"""What a parser that meets markup it was not made for may raise; lxml's own errors are SyntaxErrors."""
READY = b"ready\n"
ORPHANED_SECONDS = 1.0
"""Beyond a page's time, after which nobody can be waiting: the parent would have ended the child."""
START = "import sys; sys.path[:] = sys.argv[1:]; from web.pages.parser_process import serve; serve()"


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
        parser fails on it. Raises MachineError where the extra `web` is not installed, or the child does not
        start."""
        require_parser()
        seconds = self._bounds.parse_seconds
        running = self._child is not None and self._child.poll() is None
        child = self._child if self._child is not None and running else self.started()
        line = page_line(page, rendered=rendered, seconds=seconds + ORPHANED_SECONDS)
        answer, in_time = _answered(child, line, seconds)
        if not answer.endswith(b"\n"):
            self._end(child)
            if not in_time:
                return _none(page, PageOutcome.TOO_SLOW, f"its text is not found in {seconds:g} seconds")
            return _none(page, PageOutcome.FAILED, f"the parser ended on it, with status {child.returncode}")
        return _told(page, json.loads(answer))

    def started(self) -> subprocess.Popen[bytes]:
        """A child that is ready for a page. Raises MachineError."""
        try:
            child = subprocess.Popen(_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise _does_not_start(error.strerror or str(error)) from error
        self._child = child
        answer, in_time = _answered(child, b"", START_SECONDS, READY)
        if answer != READY:
            self._end(child)
            raise _does_not_start(
                "it ended before it was ready; what it says stands above"
                if in_time
                else f"it is not ready after {START_SECONDS:g} seconds"
            )
        return child

    def _end(self, child: subprocess.Popen[bytes]) -> None:
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not sent yet has nowhere to go
                    pipe.close()
        self._child = None


def _command() -> list[str]:
    """The child finds what its parent finds, and nothing else: no variable of the environment and no folder
    in which the command was given (which the parent's path has as "") puts a module of that name before."""
    path = [*(one for one in sys.path if one), str(Path(__file__).parents[2])]
    flags = ["-I", *(["-B"] if sys.dont_write_bytecode else [])]
    return [sys.executable, *flags, "-c", START, *path]


def _does_not_start(why: str) -> MachineError:
    return MachineError("the parser of pages does not start", where=sys.executable, why=why)


def page_line(page: Fetched, *, rendered: bool, seconds: float) -> bytes:
    """A page as the child is sent it; `seconds` after which the child ends whatever it is at."""
    sent = {**asdict(page), "body": base64.b64encode(page.body).decode("ascii")}
    return json.dumps({"page": sent, "rendered": rendered, "seconds": seconds}).encode() + b"\n"


def _answered(
    child: subprocess.Popen[bytes], line: bytes, seconds: float, awaited: bytes | None = None
) -> tuple[bytes, bool]:
    """The child's next line, or the one that is awaited, whole unless it ended; and whether the time was
    kept."""
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
        answer = child.stdout.readline()
        while answer and awaited not in {None, answer}:  # what starts with an interpreter may print
            answer = child.stdout.readline()
        return answer, not late.is_set()
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
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints is taken for an answer
    sys.stdout = sys.stderr
    _bound_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked is interrupted, and ends it
    require_parser()
    extracted(Fetched("", PageOutcome.KEPT, body=b"<p>a</p>"))  # imports what parses
    with suppress(BrokenPipeError):  # whoever asked has gone
        answers.write(b"\n" + READY)  # something may have been printed before, without an end
        answers.flush()
        for line in sys.stdin.buffer:
            answers.write(_answer(json.loads(line)))
            answers.flush()
    os._exit(0)  # no answer is written once more on the way out


def _answer(asked: dict[str, Any]) -> bytes:
    sent = asked["page"]
    told = {"outcome": PageOutcome(sent["outcome"]), "body": base64.b64decode(sent["body"])}
    with _ending_after(asked["seconds"]):
        try:
            text = asdict(extracted(Fetched(**{**sent, **told}), rendered=asked["rendered"]))
        except (*DEFECTS, MemoryError) as error:
            text = {"defect": type(error).__name__}
        return json.dumps(text, default=datetime.isoformat).encode() + b"\n"


@contextmanager
def _ending_after(seconds: float) -> Iterator[None]:
    """End this process where the block takes longer. A parser in C lets no Python run: so the system's own
    alarm does it, where there is one."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
        signal.setitimer(signal.ITIMER_REAL, 0)
        return
    timer = Timer(seconds, os._exit, (1,))
    timer.daemon = True
    timer.start()
    yield
    timer.cancel()


def _bound_memory() -> None:
    try:
        import resource  # Windows has none
    except ImportError:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
