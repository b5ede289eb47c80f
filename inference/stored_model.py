"""A language model as mnemic uses it: whatever the provider, an answer is asked for once and kept.

questions -> calls (masked, hashed, priced) -> store: answered before? -> sender -> store -> validated replies
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Self, TypeVar

from pydantic import BaseModel

from inference.answer_form import judged
from inference.booking import dollars, record_of
from inference.budget import Budget
from inference.calls import Call, Sender, Sent, StoredResponse
from inference.forecast import Forecast, forecast
from inference.language_model import ModelQuestion, Reply, Usage
from inference.prices import ModelPrice
from inference.provider import Provider
from inference.store import Store
from schemas.errors import BatchPending, BudgetReached
from schemas.model_call import ModelCall

A = TypeVar("A", bound=BaseModel)


class StoredModel:
    """An open model: a store of answers and a way to the service. Close it, or use it in a `with`."""

    def __init__(self, provider: Provider, folder: Path, max_usd: float | None = None) -> None:
        self.provider = provider
        self.budget = Budget(max_usd)
        self._store = Store(folder)
        try:
            self._sender: Sender = provider.sender(self.budget, self._store)
        except BaseException:
            self._store.close()
            raise
        self.on_answer: Callable[[int], None] = lambda _: None
        """Told how many questions were answered, as answers come in."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store and the connections."""
        self._store.close()
        self._sender.close()

    @property
    def name(self) -> str:
        """Provider and model."""
        return f"{self.provider.name} {self.provider.model}"

    @property
    def mode(self) -> str:
        """How calls travel, as their records name it."""
        return self._sender.mode

    @property
    def price(self) -> ModelPrice:
        """What the model costs."""
        return self.provider.price

    def complete(self, questions: Sequence[ModelQuestion[A]]) -> list[Reply[A]]:
        """See `LanguageModel.complete`."""
        calls = [self.provider.call(question) for question in questions]
        found = self._store.answers([call.key for call in calls])
        paid: dict[str, float] = {}
        problems = {call.key: call.unfit for call in calls if call.unfit}

        def deliver(sent: Sent) -> None:
            usd = self._settle(sent)
            paid[sent.call.key] = paid.get(sent.call.key, 0.0) + usd
            if sent.answer is not None:
                found[sent.call.key] = sent.answer
                self.on_answer(sent.call.key in missing)
            else:
                problems[sent.call.key] = sent.problem

        missing = {call.key: call for call in calls if call.key not in found and not call.unfit}
        self.on_answer(len(calls) - sum(call.key in missing for call in calls))
        under_way = self._sender.send(list(missing.values()), deliver) if missing else frozenset()
        self._check_answered(missing.keys() - found.keys() - problems.keys(), under_way, len(calls))
        return [
            _reply(question, call, found.get(call.key), problems.get(call.key, ""), paid.get(call.key))
            for question, call in zip(questions, calls, strict=True)
        ]

    def recorded(self, questions: Sequence[ModelQuestion[A]]) -> list[Reply[A]]:
        """The replies that the store can give without asking; the others say how the last try ended."""
        return recorded_replies(self.provider, self._store, questions)

    def missing(self, questions: Sequence[ModelQuestion[A]]) -> frozenset[str]:
        """The names of those that could be asked and have no stored answer."""
        calls = [self.provider.call(question) for question in questions]
        found = self._store.answers([call.key for call in calls])
        return frozenset(call.key for call in calls if call.key not in found and not call.unfit)

    def forecast(self, questions: Sequence[ModelQuestion[A]]) -> Forecast:
        """What the questions would cost, those without a stored answer."""
        return forecast(questions, self.provider, self._store)

    def calls_after(self, seq: int) -> list[ModelCall]:
        """The calls on record that follow `seq`, oldest first."""
        return self._store.calls_after(seq)

    def forget(self, keys: Sequence[str]) -> None:
        """Drop stored answers by key, so that their questions are asked again."""
        self._store.forget(keys)

    def _settle(self, sent: Sent) -> float:
        """Book a call: its cost, its record, its answer. Returns the cost in dollars."""
        usage = sent.answer.usage if sent.answer else Usage()
        if sent.booked and sent.answer:
            self._store.keep_answer(sent.call.key, sent.answer)
            return dollars(self.provider, self._sender, usage)
        record = record_of(
            sent,
            self.provider,
            self._sender,
            key=sent.call.key,
            prompt=sent.call.prompt,
            usage=usage,
            seconds=sent.seconds,
        )
        self._store.keep(record, sent.answer)
        self.budget.settle(sent.call.most_usd, record.usd)
        return record.usd

    def key(self, question: ModelQuestion[A]) -> str:
        """The question's name in the store of answers."""
        return self.provider.call(question).key

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


def recorded_replies(
    provider: Provider, store: Store, questions: Sequence[ModelQuestion[A]]
) -> list[Reply[A]]:
    """The replies that a store can give; the others say how the last try ended."""
    calls = [provider.call(question) for question in questions]
    found = store.answers([call.key for call in calls])
    return [
        _reply(question, call, found.get(call.key), call.unfit or store.last_outcome(call.key), None)
        for question, call in zip(questions, calls, strict=True)
    ]


def _reply(
    question: ModelQuestion[A], call: Call, answer: StoredResponse | None, problem: str, paid: float | None
) -> Reply[A]:
    if answer is None:
        return Reply(None, problem or "no answer", call.key, unfit=bool(call.unfit))
    value, problem = judged(answer, question.form)
    return Reply(value, problem, call.key, paid or 0.0, paid is None, answer.usage)
