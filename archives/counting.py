"""What conversations hold, counted in the one way that `mnemic inspect` and `mnemic ingest` show."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from schemas.base import Instant, Noun
from schemas.conversation import Conversation, Message, Origin

_PLAIN = {Origin.TYPED: "typed", Origin.ASSISTANT: "assistant"}
_SPOKEN = frozenset({Origin.TYPED, Origin.OTHER, Origin.UNKNOWN})


class Counts(Noun):
    """What somebody said is a message with typed or answered words."""

    messages_active: int
    """Messages with a person's or an assistant's own words, on the active branches."""
    user_typed: int
    """Of those, the owner's."""
    assistant: int
    """Of those, the assistant's."""
    off_branch: int
    """Messages with a person's or an assistant's own words on branches that were left."""
    tool_results: int
    """Results of tools, on the active branches."""
    reasoning: int
    """Messages that hold reasoning, on the active branches."""
    first_time_utc: Instant | None
    """Earliest time of a message counted in `messages_active`."""
    last_time_utc: Instant | None


class Census:
    """Counts conversation by conversation."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: datetime | None = None
        self._last: datetime | None = None

    def add(self, conversation: Conversation) -> None:
        """Count one more."""
        active, counts = conversation.active_ids, self._counts
        times: list[datetime] = []
        for message in conversation.messages:
            said = _said(message)
            if message.id not in active:
                counts["off_branch"] += said is not None
                continue
            if said is not None:
                counts[said] += 1
                if message.created_at is not None:
                    times.append(message.created_at)
            if said is None or len(message.segments) > 1:
                origins = [segment.origin for segment in message.segments]
                counts["tool_results"] += origins.count(Origin.TOOL_RESULT)
                counts["reasoning"] += Origin.REASONING in origins
        if times:
            self._first = min(times) if self._first is None else min(self._first, *times)
            self._last = max(times) if self._last is None else max(self._last, *times)

    def counts(self) -> Counts:
        """What was counted so far."""
        counts = self._counts
        return Counts(
            messages_active=counts["typed"] + counts["assistant"] + counts["other"],
            user_typed=counts["typed"],
            assistant=counts["assistant"],
            off_branch=counts["off_branch"],
            tool_results=counts["tool_results"],
            reasoning=counts["reasoning"],
            first_time_utc=self._first,
            last_time_utc=self._last,
        )


def _said(message: Message) -> str | None:
    """Whose own words the message holds: typed, assistant, other; None where it holds nobody's."""
    segments = message.segments
    if len(segments) == 1 and (origin := segments[0].origin) in _PLAIN:
        return _PLAIN[origin]
    origins = {segment.origin for segment in segments}
    if Origin.TYPED in origins:
        return "typed"
    if Origin.ASSISTANT in origins:
        return "assistant"
    if not message.hidden and not _SPOKEN.isdisjoint(origins):
        return "other"
    return None
