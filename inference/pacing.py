"""Calls one by one, several at once, each tried again where that can mend it: for every service."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass

from inference.budget import Budget
from inference.calls import NOT_SENT, Call, Deliver, Sent, StoredResponse
from schemas.errors import ServiceError, ServiceUnavailable

_FAILURES_IN_A_ROW = 5
"""Questions that fail one after another, each after all its tries: then the service is away, not one bad."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How hard to try."""

    concurrency: int = 4
    attempts: int = 6
    """Tries of one call, the waits doubling: with the defaults about half a minute in all."""
    first_wait: float = 1.0
    """Seconds before the second try, where the service does not say how long to wait."""
    longest_wait: float = 120.0
    """Seconds that a call waits at most, whatever the service says."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one try."""

    answer: StoredResponse | None = None
    problem: str = ""
    """Why there is no answer, as a short stable phrase; "" if there is one."""
    again: bool = False
    """Whether another try may mend it."""
    crowded: bool = False
    """Beside an answer: the allowance is used up, and the next call waits."""
    wait: float | None = None
    """Seconds that the service asks all calls to wait; None where it does not say."""
    said: str = ""
    """The service's own words on what is wrong, short and masked."""
    temperature: str = NOT_SENT
    """As the record of the call holds it."""


Try = Callable[[Call], Tried]
"""Sends a call once. Raises ServiceRefused and ServiceUnavailable where no call can succeed."""


class PacedSender:
    """Sends calls with bounded concurrency. A rate limit that one call meets holds all of them back."""

    hour_cache = False

    def __init__(
        self,
        mode: str,
        try_once: Try,
        budget: Budget,
        pace: Pace,
        close: Callable[[], None],
    ) -> None:
        self.mode, self.close = mode, close
        self._try, self._budget, self._pace = try_once, budget, pace
        self._not_before = 0.0
        self._lock = threading.Lock()
        self._stopping = threading.Event()

    def send(self, calls: Sequence[Call], deliver: Deliver) -> frozenset[str]:
        """See `Sender.send`. What is under way when something stops it is waited for and delivered too."""
        waiting = list(reversed(calls))
        running: set[Future[Sent]] = set()
        self._stopping.clear()
        failed = unanswered = 0
        with ThreadPoolExecutor(self._pace.concurrency, thread_name_prefix="calls") as pool:
            try:
                while waiting or running:
                    while waiting and len(running) < self._pace.concurrency:
                        if not self._budget.reserve(waiting[-1].most_usd):
                            waiting.clear()
                            break
                        running.add(pool.submit(self._one, waiting.pop()))
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for sent in [future.result() for future in done]:
                        deliver(sent)
                        failed = 0 if sent.answer else failed + 1
                        # what is wrong with one request, such as its length, is not tried to the end
                        tried = sent.attempts >= self._pace.attempts
                        lost = sent.call.questions if tried else 1
                        unanswered = 0 if sent.answer else unanswered + lost
                        if unanswered >= _FAILURES_IN_A_ROW:
                            raise _away(failed, sent)
            finally:
                self._stopping.set()
                for future in running:
                    with suppress(ServiceError):
                        deliver(future.result())
        return frozenset()

    def _one(self, call: Call) -> Sent:
        """One call with its tries. Raises what a try raises."""
        tried, attempt, began = Tried(problem="no answer: stopped"), 0, time.monotonic()
        while attempt < self._pace.attempts:
            self._await_turn()
            if self._stopping.is_set():
                break
            attempt += 1
            began = time.monotonic()
            try:
                tried = self._try(call)
            except ServiceError:
                self._stopping.set()
                raise
            took = time.monotonic() - began
            if tried.answer is not None or not tried.again:
                if tried.crowded:
                    self._hold_back(tried.wait, 1)
                return _sent(call, tried, took, attempt)
            self._hold_back(tried.wait, attempt)
        return _sent(call, tried, time.monotonic() - began, attempt)

    def _await_turn(self) -> None:
        """Wait until the service is ready for more, or the run is being stopped."""
        while (pause := self._not_before - time.monotonic()) > 0:
            if self._stopping.wait(min(pause, 1.0)):
                return

    def _hold_back(self, stated: float | None, attempt: int) -> None:
        """Let no call go out for as long as the service says, else for a doubling time."""
        pause = stated
        if pause is None:
            pause = self._pace.first_wait * 2 ** (attempt - 1) * (0.75 + random.random() / 2)
        with self._lock:
            until = time.monotonic() + min(pause, self._pace.longest_wait)
            self._not_before = max(self._not_before, until)


def _sent(call: Call, tried: Tried, seconds: float, attempts: int) -> Sent:
    return Sent(
        call, tried.answer, tried.problem, seconds, attempts, said=tried.said, temperature=tried.temperature
    )


def _away(failures: int, last: Sent) -> ServiceUnavailable:
    return ServiceUnavailable(
        f"{failures} {'call' if failures == 1 else 'calls'} in a row failed",
        why=f"{last.problem}; it said: {last.said}" if last.said else last.problem,
        remedy="Run again later: what was answered is kept and not paid again",
    )
