"""What questions are going to cost, before any is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from inference.language_model import ModelQuestion, Usage
from inference.packing import Grouping, foreseen
from inference.prices import cost, estimate_tokens
from inference.provider import Provider
from inference.store import Store
from schemas.base import Noun


class Forecast(Noun):
    """Counts and dollars. Nothing is taken to be read from the service's cache: that makes it cheaper."""

    questions: int = 0
    answered: int = 0
    """Those whose answer is stored: they cost nothing."""
    unfit: int = 0
    """Those that do not fit the model's context: they are not asked, and the rules do their part."""
    requests: int = 0
    """Those that the questions travel in, several short ones together."""
    text_tokens: int = 0
    """Estimated tokens of what the questions are about, of those that are not answered."""
    prompt_tokens: int = 0
    """Of the fixed prompts and the forms that go before it."""
    output_tokens: int = 0
    usd_messages: float = 0.0
    usd_batch: float = 0.0

    def __add__(self, other: Forecast) -> Forecast:
        return Forecast(
            **{name: getattr(self, name) + getattr(other, name) for name in Forecast.model_fields}
        )


class Foresight:
    """Forecasts questions that come little by little, those that travel together counted so."""

    def __init__(self, provider: Provider, store: Store | None) -> None:
        self._provider, self._store = provider, store
        self._grouping: Grouping[ModelQuestion[Any]] = Grouping(provider.reach)
        self._known: set[str] = set()
        self._so_far = Forecast()

    def add(self, questions: Sequence[ModelQuestion[Any]]) -> None:
        """Count questions; an answer is known to be stored only where there is a store."""
        calls = [self._provider.call(question) for question in questions]
        stored = self._store.answers([call.key for call in calls]).keys() if self._store else set[str]()
        for call, question in zip(calls, questions, strict=True):
            new = call.key not in stored and call.key not in self._known
            self._so_far += Forecast(
                questions=1,
                answered=int(not new),
                unfit=int(new and bool(call.unfit)),
            )
            if new and not call.unfit:
                self._known.add(call.key)
                # a provider that packs says of each call what it may be packed with
                own = question if call.question else replace(question, packed_with="")
                self._count(self._grouping.add(own, own))

    def total(self) -> Forecast:
        """What it all comes to."""
        self._count(self._grouping.rest())
        return self._so_far

    def _count(self, groups: Sequence[Sequence[ModelQuestion[Any]]]) -> None:
        for group in groups:
            self._so_far += _one(foreseen(group), self._provider)


def forecast(questions: Sequence[ModelQuestion[Any]], provider: Provider, store: Store | None) -> Forecast:
    """The forecast for questions; an answer is known to be stored only where a store is given."""
    ahead = Foresight(provider, store)
    ahead.add(questions)
    return ahead.total()


def _one(question: ModelQuestion[Any], provider: Provider) -> Forecast:
    text = estimate_tokens(question.text)
    prompt = estimate_tokens(question.prompt.text) + provider.form_tokens(question.form)
    usage = Usage(text + prompt, question.expected_tokens)
    return Forecast(
        requests=1,
        text_tokens=text,
        prompt_tokens=prompt,
        output_tokens=question.expected_tokens,
        usd_messages=cost(provider.price, usage, batch=False, hour_cache=False),
        usd_batch=cost(provider.price, usage, batch=provider.batches, hour_cache=provider.batches),
    )
