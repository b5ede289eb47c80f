"""Which conversations an export holds, and as of when: what tells later that one is gone at its service.

An export does not say when it was made. The newest time in it is the earliest that it can have been, and it
depends on nothing but the export.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from archives import Archive
from schemas.conversation import Conversation
from vault.sightings import Sighting


@dataclass(slots=True)
class _Provider:
    conversations: set[str] = field(default_factory=set)
    oldest: datetime | None = None
    newest: datetime | None = None


@dataclass(slots=True)
class Sightings:
    """Takes the conversations of one archive, as its reader gives them."""

    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    """A time after it is no time of an export."""
    _seen: dict[str, _Provider] = field(default_factory=dict)

    def see(self, conversation: Conversation) -> None:
        """Note the conversation and its time; one that is excluded from the memory is there all the same."""
        seen = self._seen.setdefault(conversation.provider, _Provider())
        seen.conversations.add(conversation.id)
        when = conversation.updated_at or conversation.created_at
        if when is not None and when <= self.now:
            seen.oldest = min(seen.oldest or when, when)
            seen.newest = max(seen.newest or when, when)

    def of(self, archive: Archive) -> list[Sighting]:
        """One sighting a provider, once the archive is read through; none where nothing in it has a time."""
        return [
            Sighting(
                account=archive.account,
                provider=provider,
                archive_hash=archive.archive_hash,
                since=seen.oldest,
                as_of=seen.newest,
                whole=archive.is_whole_account,
                conversations=tuple(sorted(seen.conversations)),
            )
            for provider, seen in self._seen.items()
            if seen.oldest is not None and seen.newest is not None
        ]
