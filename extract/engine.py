"""What an extraction engine is: a conversation in, grounded units out."""

from __future__ import annotations

from typing import Protocol

from extract.offline import ENGINE_VERSION, Extraction, extract_units
from schemas.conversation import Conversation


class Engine(Protocol):
    """Turns conversations into units. Same conversation, same version: same units, same ids."""

    @property
    def version(self) -> str:
        """Everything that the units depend on besides the conversation: engine, prompt, model."""
        ...

    def extract(self, conversation: Conversation) -> Extraction:
        """Every unit of the conversation, off-branch messages included."""
        ...


class OfflineEngine:
    """The engine without a model."""

    version = ENGINE_VERSION

    def extract(self, conversation: Conversation) -> Extraction:
        """See `Engine.extract`."""
        return extract_units(conversation)
