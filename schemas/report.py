"""Import report: every record of an archive accounted for."""

from __future__ import annotations

from enum import StrEnum

from schemas.base import Noun

UNKNOWN_TYPE = "unknown content type"
"""Begins a reason that goes on with a type's name as the archive has it."""
PLAIN_UNKNOWN_TYPE = "content of an unknown type"
"""The same without the archive's words."""


class NoteKind(StrEnum):
    """Why a record of the archive is not a message of the corpus, or not the whole of one."""

    SKIPPED = "skipped"
    """Left out on purpose: it holds no words (an empty root, a marker)."""
    UNKNOWN = "unknown"
    """A content type the reader does not know; its raw form is kept."""
    HOLE = "hole"
    """Named by the archive and absent from it."""
    UNREAD = "unread"
    """Text under a key that the reader does not read: the reason is the key's path, the sample one text."""
    REJECTED = "rejected"
    """Unreadable; its bytes, as far as there are any, are in quarantine."""


class ImportNote(Noun):
    """Something in an archive that needs an account: what, where, why, and how often."""

    kind: NoteKind
    reason: str
    """A short stable phrase; notes with the same kind and reason are counted together."""
    where: str
    """File inside the archive, record, and byte offset where known, of the first occurrence."""
    count: int = 1
    remedy: str = ""
    sample: str = ""
    """The first occurrence's raw form, cut to 2,000 characters."""


class ImportReport(Noun):
    """What came in from one archive. `records == messages + resources + records_skipped` always holds."""

    archive: str
    """The name the owner gave it."""
    archive_hash: str
    """SHA-256 over its bytes (for a folder: over the names and hashes of its files)."""
    account: str
    format: str
    reader: str
    """Reader id and version, such as `chatgpt/1`."""
    conversations: int
    messages: int
    records: int
    """Records seen in the archive: of messages, with or without words, and documents."""
    records_skipped: int
    """Records that are neither messages nor resources of the corpus; the notes say why, reason by reason."""
    resources: int = 0
    """Documents: source material beside the conversations."""
    complete: bool
    """False when the archive broke off or a part of it could not be read."""
    notes: tuple[ImportNote, ...] = ()
