"""Conversation, message, segment: what a reader hands over."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from schemas.base import Instant, Noun, sha256_text
from schemas.deferred import deferred

if TYPE_CHECKING:
    import orjson
else:
    orjson = deferred("orjson")


class Origin(StrEnum):
    """Who or what brought a run of text into a message. Role is not authorship."""

    # what Enum has, without Python: content hashes ask it of every segment, a twelfth of reading an archive
    value = property(attrgetter("_value_"))

    TYPED = "typed"
    PASTED = "pasted"
    ATTACHED = "attached"
    CUSTOM_INSTRUCTION = "custom_instruction"
    ASSISTANT = "assistant"
    REASONING = "reasoning"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    RUNTIME_CONTEXT = "runtime_context"
    GENERATED_SUMMARY = "generated_summary"
    OTHER = "other"
    UNKNOWN = "unknown"


class Segment(Noun):
    """A run `text[start:end]` (code points) of one message's text with one origin."""

    start: int
    end: int
    origin: Origin
    label: str | None = None
    """What the run is, where that is known: a file name, a tool's name, a language."""


class Attachment(Noun):
    """A file that a message carried. Its text, where the archive has it, is a segment of the message."""

    name: str
    media_type: str | None = None
    size: int | None = None
    """Bytes, as the service stated them."""
    native_id: str | None = None


class RawBlock(Noun):
    """A block of a type the reader does not know, kept as it came."""

    content_type: str
    json_text: str


class Message(Noun):
    """One message of a conversation's tree.

    `text` is immutable and valid Unicode (a reader replaces lone surrogates by U+FFFD and reports it):
    evidence offsets are code points into it. `segments` cover it without gap or
    overlap, in order, as far as the format alone can tell; `extract` refines typed runs (pasted text).
    """

    id: str
    native_id: str
    parent: str | None
    """Id of the message this one answers, or None at a root; may name a message the archive lacks."""
    role: str
    """As the service gave it: user, assistant, system, tool, or a word of its own."""
    author: str | None = None
    """A person's or model's name, where the archive has one."""
    created_at: Instant | None = None
    time_as_given: str | None = None
    """The time exactly as the archive wrote it."""
    text: str
    segments: tuple[Segment, ...]
    hidden: bool = False
    """The service did not show it (system prompts, injected context)."""
    gone: bool = False
    """An earlier export held it and a later one of the same account does not: deleted or edited since."""
    attachments: tuple[Attachment, ...] = ()
    raw: tuple[RawBlock, ...] = ()

    @cached_property
    def text_hash(self) -> str:
        """SHA-256 of `text`, in hex."""
        return sha256_text(self.text)


class Conversation(Noun):
    """A conversation with every branch the archive holds, parents before children, in the archive's order."""

    id: str
    account: str
    provider: str
    native_id: str
    title: str | None
    created_at: Instant | None
    updated_at: Instant | None
    messages: tuple[Message, ...]
    active_leaf: str | None
    """Id of the last message of the branch that its user last saw."""
    active_leaf_stated: bool
    """False when the archive did not name the branch and the reader chose the newest leaf."""
    owner: str | None = None
    """The owner's name in a chat between people; everybody else's words have origin `other`."""
    model: str | None = None
    project: str | None = None

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of everything in the record: the key that tells whether work on it is already done."""
        return hashlib.sha256(_as_json(self)).hexdigest()

    @cached_property
    def active_ids(self) -> frozenset[str]:
        """Ids of the messages on the active branch, root to leaf; all of them if no leaf is known."""
        parents = {message.id: message.parent for message in self.messages}
        if self.active_leaf is None or self.active_leaf not in parents:
            return frozenset(parents)
        path: set[str] = set()
        current: str | None = self.active_leaf
        while current is not None and current in parents and current not in path:
            path.add(current)
            current = parents[current]
        return frozenset(path)

    def active_messages(self) -> tuple[Message, ...]:
        """The messages of the active branch, in order."""
        return tuple(message for message in self.messages if message.id in self.active_ids)


def _as_json(conversation: Conversation) -> bytes:
    """The bytes of `model_dump_json()`, in half the time."""
    try:
        return orjson.dumps(conversation, default=_fields, option=orjson.OPT_UTC_Z)
    except orjson.JSONEncodeError:  # a number of more than 64 bits
        return conversation.__pydantic_serializer__.to_json(conversation)


def _fields(noun: Noun) -> dict[str, object]:
    """A noun's fields by name, without what is computed and cached beside them."""
    held, declared = noun.__dict__, noun.__pydantic_fields__
    return held if len(held) == len(declared) else {name: held[name] for name in declared}
