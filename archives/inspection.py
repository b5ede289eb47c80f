"""What an archive holds, told without importing it."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, tzinfo
from pathlib import Path

from archives.archive import open_archive
from archives.guarded_stream import Limits
from schemas.base import Instant, Noun
from schemas.conversation import Conversation, Message, Origin
from schemas.report import ImportNote, NoteKind

_SPOKEN = {Origin.TYPED, Origin.OTHER, Origin.UNKNOWN}


COUNTED = (
    "format", "conversations", "messages_active", "user_typed", "assistant", "off_branch", "tool_results",
    "reasoning", "titles", "first_time_utc", "last_time_utc", "skipped", "unknown", "errors",
)  # fmt: skip
"""What `mnemic inspect --json` prints, and nothing else: scripts rely on it."""


class Inspection(Noun):
    """Counts of one archive. What somebody said is a message with typed or answered words."""

    format: str
    account: str
    conversations: int
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
    titles: tuple[str, ...]
    first_time_utc: Instant | None
    """Earliest time of a message counted in `messages_active`."""
    last_time_utc: Instant | None
    records: int
    resources: int
    """Documents beside the conversations."""
    skipped: dict[str, int]
    """Records that are neither messages nor documents, by reason."""
    unknown: dict[str, int]
    """What the reader does not know, by type."""
    errors: tuple[ImportNote, ...]
    """What could not be read, and what is missing."""
    complete: bool


def inspect_archive(
    path: Path,
    *,
    account: str | None = None,
    format_id: str | None = None,
    owner: str | None = None,
    zone: tzinfo | None = None,
    limits: Limits | None = None,
) -> Inspection:
    """Read the archive through and count. Raises as `open_archive` does."""
    counts: Counter[str] = Counter()
    titles: dict[str, None] = {}
    times: list[datetime] = []
    with open_archive(
        path, account=account, format_id=format_id, owner=owner, zone=zone, limits=limits
    ) as archive:
        for conversation in archive.conversations():
            if conversation.title:
                titles[conversation.title] = None
            times = _bounds(times + _count(conversation, counts))
        for _document in archive.resources():
            pass  # the report counts them
        report = archive.report()
    return Inspection(
        format=report.format,
        account=report.account,
        conversations=report.conversations,
        messages_active=counts["active"],
        user_typed=counts["typed"],
        assistant=counts["assistant"],
        off_branch=counts["off_branch"],
        tool_results=counts["tool_results"],
        reasoning=counts["reasoning"],
        titles=tuple(titles),
        first_time_utc=times[0] if times else None,
        last_time_utc=times[-1] if times else None,
        records=report.records,
        resources=report.resources,
        skipped={note.reason: note.count for note in report.notes if note.kind is NoteKind.SKIPPED},
        unknown={note.reason: note.count for note in report.notes if note.kind is NoteKind.UNKNOWN},
        errors=tuple(note for note in report.notes if note.kind in (NoteKind.REJECTED, NoteKind.HOLE)),
        complete=report.complete,
    )


def _count(conversation: Conversation, counts: Counter[str]) -> list[datetime]:
    """Count one conversation; returns the times of its active spoken messages."""
    times: list[datetime] = []
    for message in conversation.messages:
        origins = [segment.origin for segment in message.segments]
        said = _said(message, origins)
        if message.id not in conversation.active_ids:
            counts["off_branch"] += said is not None
            continue
        counts["tool_results"] += origins.count(Origin.TOOL_RESULT)
        counts["reasoning"] += Origin.REASONING in origins
        if said is None:
            continue
        counts["active"] += 1
        counts[said] += 1
        if message.created_at is not None:
            times.append(message.created_at)
    return times


def _said(message: Message, origins: list[Origin]) -> str | None:
    if Origin.TYPED in origins:
        return "typed"
    if Origin.ASSISTANT in origins:
        return "assistant"
    if not message.hidden and any(origin in _SPOKEN for origin in origins):
        return "other"
    return None


def _bounds(times: list[datetime]) -> list[datetime]:
    return [min(times), max(times)] if times else []
