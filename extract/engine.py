"""What an extraction engine is: a conversation in, grounded units out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from extract.offline import ENGINE_VERSION, Extraction, extract_units
from schemas.chunk import Chunk
from schemas.conversation import Conversation
from schemas.fallback import Fallback


@dataclass(frozen=True, slots=True)
class Placement:
    """A conversation's chunks with what places them in it."""

    chunks: Sequence[Chunk]
    fallbacks: Sequence[Fallback] = ()
    """Windows whose chunks have no prefix because there was no answer."""


class Engine(Protocol):
    """Turns conversations into units. Same conversation, same version: same units, same ids."""

    @property
    def version(self) -> str:
        """Everything that the units depend on besides the conversation: engine, prompt, model."""
        ...

    def extract(self, conversation: Conversation) -> Extraction:
        """Every unit of the conversation, off-branch messages included."""
        ...

    def place(self, conversation: Conversation, chunks: Sequence[Chunk]) -> Placement:
        """The conversation's chunks, with a contextual prefix where the engine writes one."""
        ...


class OfflineEngine:
    """The engine without a model."""

    version = ENGINE_VERSION

    def extract(self, conversation: Conversation) -> Extraction:
        """See `Engine.extract`."""
        return extract_units(conversation)

    def place(self, _: Conversation, chunks: Sequence[Chunk]) -> Placement:
        """The chunks as they are: a prefix takes a model."""
        return Placement(chunks)
