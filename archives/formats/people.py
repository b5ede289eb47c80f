"""What chats between people share: the owner's words are typed, everybody else's are another person's."""

from __future__ import annotations

from archives.contract import Reading
from archives.drafts import Piece
from archives.shapes import mapping, objects, string
from schemas.conversation import Origin


def words_of(author: str | None, text: str, owner: str | None) -> list[Piece]:
    """One person's words. Without an owner's name nobody's words are the owner's."""
    own = owner is not None and author is not None and author.casefold() == owner.casefold()
    return [Piece(text, Origin.TYPED if own else Origin.OTHER)]


def notice(text: str) -> list[Piece]:
    """What the service wrote into the chat: who joined, what changed."""
    return [Piece(text, Origin.RUNTIME_CONTEXT, "notice")]


def poll_text(poll: object) -> str:
    """A poll's question, and its answers a line each; services nest their words one or two levels deep."""
    about = mapping(poll)
    answers = [
        _told(one.get("text", one.get("poll_media", one.get("option"))))
        for one in objects(about.get("answers"))
    ]
    return "\n".join(filter(None, (_told(about.get("question")), *(f"- {one}" for one in answers if one))))


def _told(value: object) -> str:
    return string(value) or string(mapping(value).get("text")) or ""


def owner_of(reading: Reading, known: str | None = None) -> str | None:
    """The name the caller gave, else the one the export states."""
    return reading.owner or known
