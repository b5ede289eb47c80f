"""What chats between people share: the owner's words are typed, everybody else's are another person's."""

from __future__ import annotations

from archives.contract import Reading
from archives.drafts import Piece
from schemas.conversation import Origin


def words_of(author: str | None, text: str, owner: str | None) -> list[Piece]:
    """One person's words. Without an owner's name nobody's words are the owner's."""
    own = owner is not None and author is not None and author.casefold() == owner.casefold()
    return [Piece(text, Origin.TYPED if own else Origin.OTHER)]


def notice(text: str) -> list[Piece]:
    """What the service wrote into the chat: who joined, what changed."""
    return [Piece(text, Origin.RUNTIME_CONTEXT, "notice")]


def owner_of(reading: Reading, known: str | None = None) -> str | None:
    """The name the caller gave, else the one the export states."""
    return reading.owner or known
