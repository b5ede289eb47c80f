"""What an archive holds, told without importing it."""

from __future__ import annotations

from datetime import tzinfo
from pathlib import Path

from archives.archive import open_archive
from archives.counting import Counts
from archives.guarded_stream import Limits
from schemas.report import ImportNote, NoteKind

COUNTED = (
    "format", "conversations", "messages_active", "user_typed", "assistant", "off_branch", "tool_results",
    "reasoning", "titles", "first_time_utc", "last_time_utc", "skipped", "unknown", "errors",
)  # fmt: skip
"""What `mnemic inspect --json` prints, and nothing else: scripts rely on it."""


class Inspection(Counts):
    """What one archive holds: the counts of its conversations, as an import has them, and its own."""

    format: str
    account: str
    conversations: int
    messages: int
    """Everything that an import would store as a message: results of tools and hidden context too."""
    titles: tuple[str, ...]
    records: int
    resources: int
    """Documents beside the conversations."""
    skipped: dict[str, int]
    """Records that are neither messages nor documents, by reason."""
    unknown: dict[str, int]
    """What the reader does not know, by type."""
    unread: tuple[ImportNote, ...]
    """Text that is in nothing that was read, by the path of its key, with an example."""
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
    titles: dict[str, None] = {}
    with open_archive(
        path, account=account, format_id=format_id, owner=owner, zone=zone, limits=limits
    ) as archive:
        for conversation in archive.conversations():
            if conversation.title:
                titles[conversation.title] = None
        for _document in archive.resources():
            pass  # the report counts them
        report, counts = archive.report(), archive.counts()
    return Inspection(
        **counts.model_dump(),
        format=report.format,
        account=report.account,
        conversations=report.conversations,
        messages=report.messages,
        titles=tuple(titles),
        records=report.records,
        resources=report.resources,
        skipped={note.reason: note.count for note in report.notes if note.kind is NoteKind.SKIPPED},
        unknown={note.reason: note.count for note in report.notes if note.kind is NoteKind.UNKNOWN},
        unread=tuple(note for note in report.notes if note.kind is NoteKind.UNREAD),
        errors=tuple(note for note in report.notes if note.kind in (NoteKind.REJECTED, NoteKind.HOLE)),
        complete=report.complete,
    )
