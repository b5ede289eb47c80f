"""What questions are going to cost, before any is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inference.language_model import Question, Usage
from inference.prices import ModelPrice, cost, estimate_tokens
from inference.service import Service, call_for, form_tokens
from inference.store import Store
from schemas.base import Noun


class Forecast(Noun):
    """Counts and dollars. Nothing is taken to be read from the service's cache: that makes it cheaper."""

    questions: int = 0
    answered: int = 0
    """Those whose answer is stored: they cost nothing."""
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


def forecast(
    questions: Sequence[Question[Any]], service: Service, price: ModelPrice, store: Store | None
) -> Forecast:
    """The forecast for questions; an answer is known to be stored only where a store is given."""
    keys = [call_for(question, service, price, batch=False).key for question in questions]
    stored = store.answers(keys).keys() if store else set[str]()
    new = {key: question for key, question in zip(keys, questions, strict=True) if key not in stored}
    total = Forecast(questions=len(questions), answered=len(questions) - len(new))
    return sum((_one(question, price) for question in new.values()), total)


def _one(question: Question[Any], price: ModelPrice) -> Forecast:
    text = estimate_tokens(question.text)
    prompt = estimate_tokens(question.prompt.text) + form_tokens(question.form)
    usage = Usage(text + prompt, question.expected_tokens)
    return Forecast(
        text_tokens=text,
        prompt_tokens=prompt,
        output_tokens=question.expected_tokens,
        usd_messages=cost(price, usage, batch=False, hour_cache=False),
        usd_batch=cost(price, usage, batch=True, hour_cache=True),
    )
