"""A language model behind Anthropic's API, or any server that speaks it.

questions -> calls (masked, hashed, priced) -> store: answered before? -> sender -> store -> validated replies
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ValidationError

from inference.batches import BatchesSender, Patience
from inference.budget import Budget
from inference.calls import Answer, Call, Sender, Sent
from inference.forecast import Forecast, forecast
from inference.language_model import DEFAULT_MODEL, Question, Reply
from inference.messages import MessagesSender, Pace
from inference.prices import ModelPrice, cost, price_of
from inference.service import Service, call_for, connect
from inference.store import Store
from schemas.errors import BatchPending, BudgetReached
from schemas.model_call import ModelCall

A = TypeVar("A", bound=BaseModel)

_FENCE = re.compile(r"\s*```(?:json)?\s*\n(?P<inside>.*)\n\s*```\s*", re.DOTALL)
_STOPS = {"end_turn": "", "stop_sequence": "", "refusal": "refused", "max_tokens": "cut off"}
"""What a response's stop reason says of it; any other reason means that it is not whole."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model, how to reach it, what it may spend."""

    service: Service = field(default_factory=lambda: Service(DEFAULT_MODEL))
    mode: Literal["messages", "batch"] = "messages"
    max_usd: float | None = None
    stated_price: tuple[float, float] | None = None
    """(input, output) in dollars per million tokens, for models that the table lacks."""
    pace: Pace = field(default_factory=Pace)
    patience: Patience = field(default_factory=Patience)

    @property
    def name(self) -> str:
        """Engine and model."""
        return f"anthropic {self.service.model}"


class AnthropicModel:
    """An open model: a store of answers and a client. Close it, or use it as a context manager."""

    def __init__(self, options: ModelOptions, folder: Path) -> None:
        self._options = options
        self._price = price_of(options.service.model, options.stated_price)
        client = connect(options.service)
        self._base_url = options.service.url
        self._asked = f"{options.service.model} at {self._base_url}"
        self.budget = Budget(options.max_usd)
        self._store = Store(folder)
        self._sender: Sender = (
            BatchesSender(client, self.budget, self._store, self._asked, options.patience)
            if options.mode == "batch"
            else MessagesSender(client, self.budget, options.pace)
        )
        self.on_answer: Callable[[int], None] = lambda _: None
        """Told how many questions were answered, as answers come in."""

    def __enter__(self) -> AnthropicModel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    @property
    def name(self) -> str:
        """Engine and model."""
        return self._options.name

    @property
    def price(self) -> ModelPrice:
        """What the model costs."""
        return self._price

    def complete(self, questions: Sequence[Question[A]]) -> list[Reply[A]]:
        """See `LanguageModel.complete`."""
        calls = [self._call(question) for question in questions]
        found = self._store.answers([call.key for call in calls])
        paid: dict[str, float] = {}
        problems: dict[str, str] = {}

        def deliver(sent: Sent) -> None:
            usd = self._settle(sent)
            paid[sent.call.key] = paid.get(sent.call.key, 0.0) + usd
            if sent.answer is not None:
                found[sent.call.key] = sent.answer
                self.on_answer(sent.call.key in missing)
            else:
                problems[sent.call.key] = sent.problem

        missing = {call.key: call for call in calls if call.key not in found}
        self.on_answer(len(calls) - sum(call.key in missing for call in calls))
        under_way = self._sender.send(list(missing.values()), deliver) if missing else frozenset()
        self._check_answered(missing.keys() - found.keys() - problems.keys(), under_way, len(calls))
        return [
            _reply(question, call, found.get(call.key), problems.get(call.key, ""), paid.get(call.key))
            for question, call in zip(questions, calls, strict=True)
        ]

    def recorded(self, questions: Sequence[Question[A]]) -> list[Reply[A]]:
        """The replies that the store can give without asking; the others say how the last try ended."""
        calls = [self._call(question) for question in questions]
        found = self._store.answers([call.key for call in calls])
        return [
            _reply(question, call, found.get(call.key), self._store.last_outcome(call.key), None)
            for question, call in zip(questions, calls, strict=True)
        ]

    def forecast(self, questions: Sequence[Question[A]]) -> Forecast:
        """What the questions would cost, those without a stored answer."""
        return forecast(questions, self._options.service, self._price, self._store)

    def calls_after(self, seq: int) -> list[ModelCall]:
        """The calls on record that follow `seq`, oldest first."""
        return self._store.calls_after(seq)

    def forget(self, keys: Sequence[str]) -> None:
        """Drop stored answers by key, so that their questions are asked again."""
        self._store.forget(keys)

    def _call(self, question: Question[A]) -> Call:
        batch = self._options.mode == "batch"
        return call_for(question, self._options.service, self._price, batch=batch)

    def _settle(self, sent: Sent) -> float:
        """Book a call: its cost, its record, its answer. Returns the cost in dollars."""
        answer, batch = sent.answer, self._sender.mode == "batch"
        usd = 0.0
        if answer is not None:
            usd = cost(self._price, answer.usage, batch=batch, hour_cache=self._sender.hour_cache)
        counts = answer.model_dump(include=set(_COUNTS)) if answer else dict.fromkeys(_COUNTS, 0)
        record = ModelCall(
            seq=0,
            key=sent.call.key,
            at=datetime.now(UTC),
            service=self._base_url,
            model=self._options.service.model,
            prompt=sent.call.prompt,
            mode=self._sender.mode,
            batch_id=sent.batch_id,
            outcome=answer.stop_reason if answer else sent.problem,
            temperature="0" if self._price.temperature else "not accepted",
            usd=usd,
            seconds=round(sent.seconds, 3),
            attempts=sent.attempts,
            **counts,
        )
        self._store.keep(record, answer)
        self.budget.settle(sent.call.most_usd, usd)
        return usd

    def key(self, question: Question[A]) -> str:
        """The question's name in the store of answers."""
        return self._call(question).key

    def _check_answered(self, open_keys: Set[str], under_way: frozenset[str], asked: int) -> None:
        answered = f"{asked - len(open_keys)} of {asked} questions are answered"
        unsent = open_keys - under_way
        if unsent:
            raise BudgetReached(
                f"the budget of ${self.budget.limit:.4f} is used up as far as it can be: {answered}",
                unsent=unsent,
                under_way=under_way,
                why=f"${self.budget.spent:.4f} is spent, and the next call could cost more than the rest",
                remedy="Run again with a larger --max-usd to go on: what was answered is not paid again",
            )
        if open_keys:
            raise BatchPending(
                f"a batch has not ended yet: {answered}, the others are under way",
                unsent=(),
                under_way=under_way,
                remedy="Run the same command again later: it collects the answers, and nothing is paid twice",
            )


_COUNTS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


def _reply(
    question: Question[A], call: Call, answer: Answer | None, problem: str, paid: float | None
) -> Reply[A]:
    if answer is None:
        return Reply(None, problem or "no answer", call.key)
    value, problem = judged(answer, question.form)
    return Reply(value, problem, call.key, paid or 0.0, paid is None, answer.usage)


def judged(answer: Answer, form: type[A]) -> tuple[A | None, str]:
    """The answer in the form asked for, or None and why not.

    A fence of ``` around the whole of it is taken off, since some servers do not hold to a schema; any other
    word beside the JSON, a preamble or an excuse, makes it none.
    """
    problem = _STOPS.get(answer.stop_reason, "not finished")
    if problem:
        return None, problem
    fence = _FENCE.fullmatch(answer.text)
    try:
        return form.model_validate_json(fence["inside"] if fence else answer.text), ""
    except ValidationError:
        return None, "not the form asked for"
