"""A provider around another one, which changes how its calls travel or are answered."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from inference.budget import Budget
from inference.calls import Call, Sender
from inference.language_model import ModelQuestion
from inference.provider import Provider
from inference.speed import Speed
from inference.store import Store


class Wrapped:
    """A provider as another one is, but for what a subclass says."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self.name, self.model, self.url = provider.name, provider.model, provider.url
        self.price, self.priced_by = provider.price, provider.priced_by
        self.reach, self.concurrency, self.batches = provider.reach, provider.concurrency, provider.batches

    def call(self, question: ModelQuestion[Any]) -> Call:
        """See `Provider.call`."""
        return self._provider.call(question)

    def form_tokens(self, form: type[BaseModel]) -> int:
        """See `Provider.form_tokens`."""
        return self._provider.form_tokens(form)

    def measured(self) -> Speed:
        """See `Provider.measured`."""
        return self._provider.measured()

    def sender(self, budget: Budget, store: Store, /) -> Sender:
        """See `Provider.sender`."""
        return self._provider.sender(budget, store)
