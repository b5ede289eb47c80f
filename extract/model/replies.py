"""How a step of the engine comes by the model's answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from pydantic import BaseModel

from inference.language_model import ModelQuestion, Reply

A = TypeVar("A", bound=BaseModel)


class Replies(Protocol):
    """Asks the model, or gives what it said before."""

    def __call__(self, questions: Sequence[ModelQuestion[A]], /) -> Sequence[Reply[A]]:
        """One reply a question, in order."""
        ...
