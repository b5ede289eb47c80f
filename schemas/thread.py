"""Session summary, thread and thread map: the tiers above the unit."""

from __future__ import annotations

from schemas.base import Instant, Noun


class SessionSummary(Noun):
    """200-400 words on one conversation (a short conversation gets fewer)."""

    id: str
    account: str
    conversation_id: str
    text: str
    unit_ids: tuple[str, ...]
    """The units it was written from."""
    writer: str
    """Engine and version."""


class Thread(Noun):
    """Conversations that carry one line of thinking. Its id does not change when a conversation joins."""

    id: str
    account: str
    label: str
    """A noun phrase."""
    conversation_ids: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    """Ids of threads that were merged into this one."""


class ThreadMap(Noun):
    """The arc of a thread: goal, turning points, what is decided, what is open."""

    id: str
    thread_id: str
    account: str
    text: str
    unit_ids: tuple[str, ...]
    written_for: Instant | None
    """Time of the newest message it took into account."""
    writer: str
