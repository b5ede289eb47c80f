"""Chunk: one complete level of one concept in a Markdown text."""

from __future__ import annotations

from schemas.base import Noun


class Chunk(Noun):
    """A contiguous span `source[start:end]` (code points) under one heading.

    The chunks of a source, in order, concatenate to the source exactly. On record the secrets of a chunk are
    masked: its text is then not as long as its span.
    """

    id: str
    source_id: str
    """Id of the message or resource whose text was cut; "" for a text that has none."""
    start: int
    end: int
    text: str
    level: int
    """Heading level 1-4, or 0 for text before the first heading."""
    heading_path: tuple[str, ...]
    """Headings from the outermost to the chunk's own, as plain text."""
    governing_idea: str | None = None
    """The sentence (15 words or fewer) that the chunk's points are sub-points of."""
    parent: str | None = None
    """Id of the chunk that holds the enclosing heading."""
    children: tuple[str, ...] = ()
    replies_to: str | None = None
    """Of the first chunk of a message: the last chunk of the message that it answers."""
    replies: tuple[str, ...] = ()
    """Of the last chunk of a message: the first chunk of each message that answers it."""
    flags: tuple[str, ...] = ()
    """What the structure suggests without changing the cut, such as `several_concepts`."""
    prefix: str | None = None
    """What places the chunk in its conversation, one or two sentences by a language model. For search only:
    nobody said it."""
    content_hash: str
    """SHA-256 of `text`, in hex."""
