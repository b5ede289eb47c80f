"""What the index holds: one point for each unit, chunk, conversation, summary and thread.

The payload is enough to answer a recall without the ledger. What text of a note is embedded and what is
matched by words is a question of retrieval, so `flows.batches.search_points` composes both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from schemas.base import Instant, Noun, sha256_text
from schemas.provenance import Tier
from schemas.unit import Category, Speaker, State


class PointKind(StrEnum):
    """What a point stands for."""

    UNIT = "unit"
    CHUNK = "chunk"
    CONVERSATION = "conversation"
    SUMMARY = "summary"
    THREAD = "thread"


OVERVIEWS = (PointKind.SUMMARY, PointKind.THREAD)
"""Kinds that tell of many notes at once: recall returns them where they are asked for."""


class PointSpan(Noun):
    """Where a note was said: `quote` stands at `start:end` (code points) of the message's text."""

    message_id: str
    """Of the message, or of the resource."""
    start: int
    end: int
    quote: str


class ThreadMember(Noun):
    """A conversation of a thread."""

    conversation_id: str
    began: Instant | None
    provider: str = ""
    """Empty in points of before it was told."""


class Payload(Noun):
    """Everything that recall shows or filters by."""

    kind: PointKind
    ref: str
    """Id of the unit, chunk, conversation, summary or thread."""
    account: str
    text: str
    tier: Tier
    weight: float
    state: State
    category: Category | None = None
    speaker: Speaker | None = None
    speaker_name: str | None = None
    conversation_id: str
    """Of a resource's chunk: the resource's id, of a thread its own; and below the title of either."""
    conversation_title: str | None = None
    provider: str
    message_id: str | None = None
    """The message that the first evidence, or the chunk, lies in."""
    said_at: Instant | None = None
    conversation_at: Instant | None = None
    """When the conversation began: filters by time use it, so that a conversation is found as a whole."""
    heading_path: tuple[str, ...] = ()
    active_branch: bool = True
    evidence: tuple[PointSpan, ...] = ()
    superseded_by: str | None = None
    """Id of the unit that takes this one's place, where a sweep found one."""
    answers: str = ""
    """What a note's words answer, where they are not understood without it."""
    members: tuple[ThreadMember, ...] = ()
    """Of a thread, in the order of time: recall asks what else belongs to the thread of a note."""
    content_hash: str
    """SHA-256 of what was embedded together with the embedder's name."""

    @cached_property
    def stored(self) -> dict[str, object]:
        """The form in the index: JSON types, and times as epoch seconds beside their ISO form."""
        values: dict[str, object] = self.model_dump(mode="json")
        if self.superseded_by is None:
            del values["superseded_by"]  # as in points that were written before there were sweeps
        if not self.answers:
            del values["answers"]
        if not self.members:
            del values["members"]
        elif not any(one.provider for one in self.members):
            values["members"] = [one.model_dump(mode="json", exclude={"provider"}) for one in self.members]
        values["said_at_epoch"] = self.said_at.timestamp() if self.said_at else None
        values["conversation_at_epoch"] = self.conversation_at.timestamp() if self.conversation_at else None
        return values

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the stored form: equal digests mean equal content, whatever the order of keys."""
        return stored_digest(self.stored)


def stored_digest(stored: Mapping[str, object]) -> str:
    """SHA-256 of a payload as the index returns it."""
    return sha256_text(json.dumps(stored, sort_keys=True, ensure_ascii=False, separators=(",", ":")))


_EPOCHS = ("said_at_epoch", "conversation_at_epoch")
"""What the stored form has beside the fields, for filters by time."""


def payload_from_stored(stored: Mapping[str, object]) -> Payload:
    """Read a payload back from its stored form."""
    values = dict(stored)
    for key in _EPOCHS:
        values.pop(key, None)
    return Payload.model_validate(values, strict=False)


Threads: TypeAlias = Mapping[str, tuple[ThreadMember, ...]]
"""Of a conversation, by its id, all members of its thread in the order of time, itself among them."""


def members_among(overviews: Iterable[Payload]) -> dict[str, tuple[ThreadMember, ...]]:
    """What the payloads of an account's threads say, by the thread's id; points of before there were members
    say nothing."""
    return {one.ref: one.members for one in overviews if one.members}


def threads_among(members: Mapping[str, tuple[ThreadMember, ...]]) -> Threads:
    """The same by conversation."""
    return {member.conversation_id: own for own in members.values() for member in own}


@dataclass(frozen=True, slots=True)
class SparseVector:
    """A BM25 vector: `values[i]` is the weight of the term hashed to `indices[i]`."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class DraftPoint:
    """A point before it is embedded: what to show, what to embed, what to match by words."""

    id: str
    payload: Payload
    dense_texts: tuple[str, ...]
    """What the embedder reads: one text, or the windows of one that is longer than the embedder's window.
    The vector of several is their mean, brought back to unit length. None of a point that is found by its
    words alone."""
    lexical_text: str
    """What BM25 reads."""
    average_terms: float
    """Terms in an average text of this kind: BM25 weighs a text's length against it."""
