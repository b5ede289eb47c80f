"""What an extraction engine is: a conversation in, grounded units out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from extract.offline_engine import ENGINE_VERSION, Extraction, extract_units, version_with
from extract.reader.small_reader import SmallReader
from extract.retell.session_summary import SUMMARY_VERSION, summarise
from extract.retell.thread_map import ThreadNotes, thread_map
from schemas.chunk import Chunk
from schemas.conversation import Conversation
from schemas.fallback import Fallback
from schemas.thread import SessionSummary, ThreadMap
from schemas.unit import Unit


@dataclass(frozen=True, slots=True)
class Placement:
    """A conversation's chunks with what places them in it."""

    chunks: Sequence[Chunk]
    fallbacks: Sequence[Fallback] = ()
    """Windows whose chunks have no prefix because there was no answer."""


@dataclass(frozen=True, slots=True)
class Retelling:
    """A conversation's summary."""

    summary: SessionSummary
    fallbacks: Sequence[Fallback] = ()
    """Why it is not the engine's own, and which of its lines did not hold."""


@dataclass(frozen=True, slots=True)
class Charted:
    """A thread's map."""

    made: ThreadMap
    fallbacks: Sequence[Fallback] = ()
    """Why it is not the engine's own, and which of its lines did not hold."""
    label: str = ""
    """What the thread is called, where the engine says so."""


def by_rules(version: str) -> bool:
    """Whether a version, as a run notes it by stage, names the offline engine or nothing at all."""
    return not version or version.startswith("offline/")


PROOFREAD_BY = " proofread by "
"""In a version: before the name and the hash of the prompt by which a model's work was read a second time."""
_PROOF = re.compile(re.escape(PROOFREAD_BY) + r"\S+ \S+")


def without_proof(version: str) -> str:
    """The version of the same work without a second reading."""
    return _PROOF.sub("", version)


class Engine(Protocol):
    """Turns conversations into units. Same conversation, same version: same units, same ids."""

    @property
    def version(self) -> str:
        """Everything that the units depend on besides the conversation: engine, prompt, model."""
        ...

    @property
    def prefix_version(self) -> str:
        """What the contextual prefixes depend on; "" where it writes none."""
        ...

    @property
    def summary_version(self) -> str:
        """What the summaries depend on besides conversation and units."""
        ...

    def extract(self, conversation: Conversation) -> Extraction:
        """Every unit of the conversation, off-branch messages included."""
        ...

    def place(self, conversation: Conversation, chunks: Sequence[Chunk]) -> Placement:
        """The conversation's chunks, with a contextual prefix where the engine writes one."""
        ...

    def retell(self, conversation: Conversation, units: Sequence[Unit]) -> Retelling:
        """The summary of the conversation, from its messages and good units."""
        ...

    def chart(self, threads: Sequence[ThreadNotes]) -> list[Charted]:
        """The map of each of the threads, in order."""
        ...


class OfflineEngine:
    """The engine without a model. `reader`: one that a vault taught, in place of the one that is shipped."""

    prefix_version = ""
    summary_version = SUMMARY_VERSION

    def __init__(self, reader: SmallReader | None = None) -> None:
        self._reader = reader
        self.version = version_with(reader) if reader else ENGINE_VERSION

    def extract(self, conversation: Conversation) -> Extraction:
        """See `Engine.extract`."""
        return extract_units(conversation, self._reader)

    def place(self, _: Conversation, chunks: Sequence[Chunk]) -> Placement:
        """The chunks as they are: a prefix takes a model."""
        return Placement(chunks)

    def retell(self, conversation: Conversation, units: Sequence[Unit]) -> Retelling:
        """See `Engine.retell`."""
        return Retelling(summarise(conversation, units))

    def chart(self, threads: Sequence[ThreadNotes]) -> list[Charted]:
        """See `Engine.chart`."""
        return [Charted(thread_map(notes)) for notes in threads]
