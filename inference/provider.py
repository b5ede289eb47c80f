"""What a provider of language models is: it turns questions into calls, and knows their way and price."""

from __future__ import annotations

from typing import Any, Protocol

from pydantic import BaseModel

from inference.budget import Budget
from inference.calls import Call, Sender
from inference.language_model import ModelQuestion, Reach
from inference.prices import ModelPrice
from inference.speed import Speed
from inference.store import Store


class Provider(Protocol):
    """One model of one provider. Nothing is connected and no key is looked for before `sender`."""

    @property
    def name(self) -> str:
        """Such as `anthropic`: how units and versions name who made them."""
        ...

    @property
    def model(self) -> str:
        """The model's name, as the provider knows it."""
        ...

    @property
    def url(self) -> str:
        """Where the model answers: part of an answer's name in the store."""
        ...

    @property
    def price(self) -> ModelPrice:
        """What the model costs."""
        ...

    @property
    def priced_by(self) -> str:
        """Where the price is from, in words that follow "at"."""
        ...

    @property
    def reach(self) -> Reach:
        """How much text one question should show it."""
        ...

    @property
    def concurrency(self) -> int:
        """Calls at once."""
        ...

    @property
    def batches(self) -> bool:
        """Whether calls can go as a batch, at another price."""
        ...

    def call(self, question: ModelQuestion[Any]) -> Call:
        """A question as it goes over the wire, secrets masked; `Call.unfit` where it is too long."""
        ...

    def form_tokens(self, form: type[BaseModel]) -> int:
        """Estimated tokens that the form of an answer adds to a prompt."""
        ...

    def measured(self) -> Speed:
        """How fast it is, by one small request of no archive's text.

        Raises UsageError where that would cost, ServiceRefused and ServiceUnavailable.
        """
        ...

    def sender(self, budget: Budget, store: Store, /) -> Sender:
        """The way to the service. Raises ServiceRefused where no key can be found."""
        ...
