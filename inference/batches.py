"""The service's Message Batches: half the price, answers within a day, for the nightly run.

    begin (noted) -> submit -> name (noted) -> poll -> collect -> close (noted)

A process may die between any two of these, and the next one goes on there, on another day too. Where it died
between submitting and noting the id, the service's recent batches are looked through for one that holds these
very questions before they are submitted again: each has its question's hash for `custom_id`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar

import anthropic
import httpx2
from anthropic.types.messages import MessageBatch, MessageBatchIndividualResponse
from anthropic.types.messages.batch_create_params import Request

from inference.budget import Budget
from inference.calls import Call, Deliver, Sent, StoredResponse
from inference.headers import retry_after
from inference.service import RETRIED, is_fatal, read_answer, refused, wire
from inference.store import OpenBatch, Store
from schemas.errors import ServiceUnavailable

R = TypeVar("R")

MOST_REQUESTS = 10_000
"""Requests of one batch. The service takes 100,000 and 256 MB; these stay well inside, and inside memory."""
MOST_BYTES = 100_000_000
_CLOCKS_APART = timedelta(minutes=15)
"""How far this machine's clock and the service's may differ."""
_LOOKED_THROUGH = 200
"""Recent batches that are looked at for one that was submitted and not noted."""
_ROUNDS = 3
"""Times that a request is submitted which fails alone."""
_FINAL = ("invalid_request_error", "request_too_large")
"""Kinds of failure that a second try does not mend."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How to wait for a batch."""

    poll: float = 20.0
    """Seconds between two looks."""
    longest: float = 25 * 3600.0
    """Seconds to wait for all batches of a run; they go on, and a later run collects them."""
    attempts: int = 6
    """Tries of one request to the service, the waits doubling."""
    first_wait: float = 1.0


class BatchesSender:
    """Sends calls as batches, and takes up batches that an earlier run submitted."""

    mode = "batch"
    hour_cache = True

    def __init__(
        self, client: anthropic.Anthropic, budget: Budget, store: Store, service: str, patience: Patience
    ) -> None:
        self._client, self._batches = client, client.messages.batches
        self._budget, self._store = budget, store
        self._service, self._patience = service, patience
        self._foreign: set[str] = set()
        """Batches of somebody else that looked like one of ours."""

    def close(self) -> None:
        """See `Sender.close`."""
        self._client.close()

    def send(self, calls: Sequence[Call], deliver: Deliver) -> frozenset[str]:
        """See `Sender.send`. Of a batch, the requests that failed are submitted again, alone.

        Answers of an earlier run's batch are delivered too where nobody asks for them now: they are paid.
        """
        wanted = {call.key: call for call in calls}
        rounds = dict.fromkeys(wanted, 0)
        under_way: set[str] = set()
        until = time.monotonic() + self._patience.longest
        batches = self._store.open_batches(self._service)
        for key in wanted.keys() & {key for batch in batches for key in batch.prompts}:
            self._budget.reserved += wanted[key].most_usd  # spent already, whatever the budget says
        while wanted:
            submitted = {key for batch in batches for key in batch.prompts}
            new = [call for key, call in wanted.items() if key not in submitted and call.parameters]
            batches.extend(self._submit(part) for part in self._affordable(new))
            if not batches:
                break
            for batch in batches:
                collected = self._collect(batch, wanted, until)
                if collected is None:
                    under_way.update(key for key in batch.prompts if wanted.pop(key, None))
                    continue
                for sent in collected:
                    key = sent.call.key
                    rounds[key] = rounds.get(key, 0) + 1
                    if sent.answer is None and rounds[key] < _ROUNDS and not sent.problem.endswith(_FINAL):
                        self._budget.settle(sent.call.most_usd, 0.0)
                        continue
                    deliver(sent)
                    wanted.pop(key, None)
                self._store.close_batch(batch.number)  # not before its answers are kept
            batches = []
        return frozenset(under_way)

    def _affordable(self, calls: Sequence[Call]) -> Iterator[list[Call]]:
        """The calls that the budget allows, in batches of a size that the service takes."""
        part: list[Call] = []
        size = 0
        for call in calls:
            if not self._budget.reserve(call.most_usd):
                break
            length = 2 * len(str(call.parameters))  # as JSON, escapes and all
            if part and (len(part) == MOST_REQUESTS or size + length > MOST_BYTES):
                yield part
                part, size = [], 0
            part.append(call)
            size += length
        if part:
            yield part

    # submitting

    def _submit(self, calls: Sequence[Call]) -> OpenBatch:
        """Submit a batch; where an answer fails to come, look whether it came through before the next try."""
        opened = self._store.begin_batch(self._service, {call.key: call.prompt for call in calls})
        requests = [
            Request(custom_id=call.key, params=wire(call, hour_cache=True))  # type: ignore[typeddict-item]
            for call in calls
        ]
        problem = ""
        for attempt in range(1, self._patience.attempts + 1):
            if attempt > 1 and (found := self._find(opened)) is not None:
                return found
            try:
                made = self._batches.create(requests=requests)
            except anthropic.APIStatusError as error:
                if error.status_code < 500 and error.status_code not in RETRIED:
                    self._store.close_batch(opened.number)
                    raise refused(error) from error
                problem = f"status {error.status_code}"
                self._pause(attempt, retry_after(error.response.headers))
            except anthropic.APIConnectionError:
                problem = "not reached"
                self._pause(attempt, None)
            else:
                return self._named(opened, made.id)
        raise ServiceUnavailable(
            "the batch could not be submitted",
            why=problem,
            remedy="Run again later: it is looked for at the service before it is submitted again",
        )

    def _named(self, batch: OpenBatch, batch_id: str) -> OpenBatch:
        self._store.name_batch(batch.number, batch_id)
        return replace(batch, batch_id=batch_id)

    def _find(self, batch: OpenBatch) -> OpenBatch | None:
        """One of the service's recent batches that can be this one: its time, its size, nobody else's."""
        taken = self._store.batch_ids(self._service) | self._foreign
        earliest = batch.submitted_at - _CLOCKS_APART

        def look() -> MessageBatch | None:
            for number, made in enumerate(self._batches.list(limit=100)):
                if number >= _LOOKED_THROUGH or made.created_at < earliest:
                    break
                if made.id not in taken and _size(made) == len(batch.prompts):
                    return made
            return None

        found = self._patiently(look)
        return self._named(batch, found.id) if found else None

    # collecting

    def _collect(self, batch: OpenBatch, wanted: Mapping[str, Call], until: float) -> list[Sent] | None:
        """Wait for a batch and read its results; what it leaves open is for the next round.

        None where it has not ended when the monotonic clock says `until`: a later run collects it.
        """
        current: OpenBatch | None = batch if batch.batch_id else self._find(batch)
        sent: list[Sent] | None = None
        while sent is None and current is not None and current.batch_id:
            made = self._await_end(current.batch_id, until)
            if made is not None and made.processing_status != "ended":
                return None
            sent = self._results(made, current, wanted) if made and made.results_url else None
            if sent is None:  # the service has it no more, or it is somebody else's
                self._foreign.add(current.batch_id)
                self._store.name_batch(batch.number, None)
                current = self._find(batch)
        if sent is None:
            for key in batch.prompts.keys() & wanted.keys():
                self._budget.settle(wanted[key].most_usd, 0.0)
        return sent or []

    def _await_end(self, batch_id: str, until: float) -> MessageBatch | None:
        """The batch once it has ended, or as it is at `until`; None where the service does not have it."""
        while True:
            made = self._patiently(lambda: self._batches.retrieve(batch_id))
            over = time.monotonic() >= until
            if made is None or made.processing_status == "ended" or over:
                return made
            time.sleep(self._patience.poll)

    def _results(self, made: MessageBatch, batch: OpenBatch, wanted: Mapping[str, Call]) -> list[Sent] | None:
        """What became of each call of the batch; None where it is not the batch that was meant."""
        lines = self._patiently(lambda: list(self._batches.results(made.id)))
        if lines is None or any(line.custom_id not in batch.prompts for line in lines):
            return None
        seconds = ((made.ended_at or made.created_at) - made.created_at).total_seconds()
        by_key: dict[str, MessageBatchIndividualResponse] = {line.custom_id: line for line in lines}
        sent = []
        for key, prompt in batch.prompts.items():
            call = wanted.get(key) or Call(key, {}, None, prompt, 0.0)
            line = by_key.get(key)
            answer, problem = _outcome(line.result.to_dict() if line else {"type": "missing"})
            sent.append(Sent(call, answer, problem, seconds, 1, made.id))
        return sent

    # asking

    def _patiently(self, ask: Callable[[], R]) -> R | None:
        """Ask the service until it answers; None where it says that there is no such thing."""
        problem = ""
        for attempt in range(1, self._patience.attempts + 1):
            try:
                return ask()
            except anthropic.NotFoundError:
                return None
            except anthropic.APIStatusError as error:
                if is_fatal(error):
                    raise refused(error) from error
                problem = f"status {error.status_code}"
                self._pause(attempt, retry_after(error.response.headers))
            except (anthropic.AnthropicError, httpx2.HTTPError, ValueError) as error:
                # not reached, or broken off in the middle of the results
                problem = type(error).__name__
                self._pause(attempt, None)
        raise ServiceUnavailable(
            "the service does not answer questions on its batches",
            why=problem,
            remedy="Run the same command again later: batches go on, and their answers are collected then",
        )

    def _pause(self, attempt: int, stated: float | None) -> None:
        time.sleep(self._patience.first_wait * 2 ** (attempt - 1) if stated is None else stated)


def _outcome(result: Mapping[str, object]) -> tuple[StoredResponse | None, str]:
    """The answer of one line of results, or why it has none."""
    kind, message, error = result.get("type"), result.get("message"), result.get("error")
    if kind == "succeeded" and isinstance(message, Mapping):
        answer = read_answer(message)
        return answer, "" if answer else "no answer: not a message"
    inner = error.get("error") if isinstance(error, Mapping) else None
    named = inner.get("type") if isinstance(inner, Mapping) else None
    return None, f"no answer: {named or kind}"


def _size(made: MessageBatch) -> int:
    counts = made.request_counts
    return counts.canceled + counts.errored + counts.expired + counts.processing + counts.succeeded
