"""What questions are going to cost, before any is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inference.language_model import Question, Usage
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


def forecast(questions: Sequence[Question[Any]], provider: Provider, store: Store | None) -> Forecast:
    """The forecast for questions; an answer is known to be stored only where a store is given."""
    calls = [provider.call(question) for question in questions]
    stored = store.answers([call.key for call in calls]).keys() if store else set[str]()
    pairs = [(call, one) for call, one in zip(calls, questions, strict=True) if call.key not in stored]
    new = {call.key: question for call, question in pairs if not call.unfit}
    unfit = sum(bool(call.unfit) for call, _ in pairs)
    total = Forecast(questions=len(questions), answered=len(questions) - len(new) - unfit, unfit=unfit)
    return sum((_one(question, provider) for question in new.values()), total)


def _one(question: Question[Any], provider: Provider) -> Forecast:
    text = estimate_tokens(question.text)
    prompt = estimate_tokens(question.prompt.text) + provider.form_tokens(question.form)
    usage = Usage(text + prompt, question.expected_tokens)
    return Forecast(
        text_tokens=text,
        prompt_tokens=prompt,
        output_tokens=question.expected_tokens,
        usd_messages=cost(provider.price, usage, batch=False, hour_cache=False),
        usd_batch=cost(provider.price, usage, batch=provider.batches, hour_cache=provider.batches),
    )
