"""The service's Messages, one request a question, several at once: for ad-hoc work."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass

import anthropic

from inference.budget import Budget
from inference.calls import Call, Deliver, Sent
from inference.service import RETRIED, extras, is_fatal, read_answer, refused, retry_after, wire
from schemas.errors import ServiceError, ServiceUnavailable

_FAILURES_IN_A_ROW = 5
"""Calls that fail one after the other, each after all its tries: then the service is away, not a call bad."""


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


class MessagesSender:
    """Sends calls with bounded concurrency. A rate limit that one call meets holds all of them back."""

    mode = "messages"
    hour_cache = False

    def __init__(self, client: anthropic.Anthropic, budget: Budget, pace: Pace) -> None:
        self._client, self._budget, self._pace = client, budget, pace
        self._not_before = 0.0
        self._lock = threading.Lock()
        self._stopping = threading.Event()

    def send(self, calls: Sequence[Call], deliver: Deliver) -> frozenset[str]:
        """See `Sender.send`. What is under way when something stops it is waited for and delivered too."""
        waiting = list(reversed(calls))
        running: set[Future[Sent]] = set()
        self._stopping.clear()
        failures = 0
        with ThreadPoolExecutor(self._pace.concurrency, thread_name_prefix="messages") as pool:
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
                        failures = 0 if sent.answer else failures + 1
                        if failures >= _FAILURES_IN_A_ROW:
                            raise ServiceUnavailable(
                                f"{failures} calls in a row failed",
                                why=sent.problem,
                                remedy="Run again later: what was answered is kept and not paid again",
                            )
            finally:
                self._stopping.set()
                for future in running:
                    with suppress(ServiceError):
                        deliver(future.result())
        return frozenset()

    def _one(self, call: Call) -> Sent:
        """One call with its tries. Raises ServiceRefused where no call can succeed."""
        problem, attempt, began = "no answer: stopped", 0, time.monotonic()
        while attempt < self._pace.attempts:
            self._await_turn()
            if self._stopping.is_set():
                break
            attempt += 1
            began = time.monotonic()
            stated = None
            try:
                response = self._client.messages.with_raw_response.create(
                    **wire(call, hour_cache=self.hour_cache), **extras(call)
                )
            except anthropic.APIStatusError as error:
                problem = f"no answer: status {error.status_code}"
                if is_fatal(error):
                    self._stopping.set()
                    raise refused(error) from error
                if error.status_code < 500 and error.status_code not in RETRIED:
                    break
                stated = retry_after(error.response.headers)
            except anthropic.APITimeoutError:
                problem = "no answer: timed out"
            except anthropic.APIConnectionError:
                problem = "no answer: not reached"
            else:
                self._heed(response.headers)
                answer = read_answer(response.http_response.text)
                problem = "" if answer else "no answer: not a message"
                return Sent(call, answer, problem, time.monotonic() - began, attempt)
            self._hold_back(stated, attempt)
        return Sent(call, None, problem, time.monotonic() - began, attempt)

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

    def _heed(self, headers: Mapping[str, str]) -> None:
        """Where an answer says that the allowance is used up, hold back until it is renewed."""
        if headers.get("anthropic-ratelimit-requests-remaining") == "0":
            self._hold_back(retry_after(headers), 1)
