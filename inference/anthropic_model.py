"""Anthropic's API, or any server that speaks it: by Messages, or by Message Batches at half the price."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from inference.batches import BatchesSender, Patience
from inference.budget import Budget
from inference.calls import Call, Sender
from inference.language_model import DEFAULT_MODEL, ModelQuestion, Reach
from inference.messages import messages_sender
from inference.pacing import Pace
from inference.prices import ModelPrice, price_of, price_table
from inference.service import Service, call_for, connect, form_tokens
from inference.speed import Speed, not_probed
from inference.store import Store
from inference.stored_model import StoredModel


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


class AnthropicProvider:
    """A model of the service. Raises UsageError for one without any price."""

    name = "anthropic"
    batches = True
    reach = Reach()

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self.price: ModelPrice = price_of(options.service.model, options.stated_price)

    @property
    def model(self) -> str:
        """See `Provider.model`."""
        return self._options.service.model

    @property
    def url(self) -> str:
        """See `Provider.url`."""
        return self._options.service.url

    @property
    def priced_by(self) -> str:
        """See `Provider.priced_by`."""
        return "the stated price" if self._options.stated_price else f"the prices of {price_table().checked}"

    @property
    def concurrency(self) -> int:
        """See `Provider.concurrency`."""
        return self._options.pace.concurrency

    def call(self, question: ModelQuestion[Any]) -> Call:
        """See `Provider.call`."""
        batch = self._options.mode == "batch"
        return call_for(question, self._options.service, self.price, batch=batch)

    def form_tokens(self, form: type[BaseModel]) -> int:
        """See `Provider.form_tokens`: the service puts the form before the prompt."""
        return form_tokens(form)

    def measured(self) -> Speed:
        """See `Provider.measured`; always refused."""
        raise not_probed(self.name)

    def sender(self, budget: Budget, store: Store, /) -> Sender:
        """See `Provider.sender`."""
        client = connect(self._options.service)
        if self._options.mode == "batch":
            asked = f"{self.model} at {self.url}"
            return BatchesSender(client, budget, store, asked, self._options.patience)
        return messages_sender(client, budget, self._options.pace)


class AnthropicModel(StoredModel):
    """An open model of the service."""

    def __init__(self, options: ModelOptions, folder: Path) -> None:
        super().__init__(AnthropicProvider(options), folder, options.max_usd)
