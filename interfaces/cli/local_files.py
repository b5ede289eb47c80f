"""The file on this machine that a record came from, for who reads it here."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from archives.local_source import local_source
from archives.places import places
from vault.queries import Row
from vault.reader import VaultReader


def source_file(reader: VaultReader, record: Row) -> str | None:
    """The assistant's own file, `path:line` where a message is known, of a record of a conversation."""
    found = reader.ledger.query(
        """SELECT c.provider, c.native_id, coalesce(m.native_id, '') FROM conversations c
           LEFT JOIN messages m ON m.conversation_id = c.conversation_id AND m.message_id = ?
           WHERE c.conversation_id = ?""",
        [_message_of(record), str(record.get("conversation_id"))],
    )
    for provider, native, message in found:
        return local_source(
            str(provider), str(native), str(message), places(Path.home(), sys.platform, os.environ)
        )
    return None


def _message_of(record: Row) -> str:
    """The message that a note was first said in, or that a passage stands in."""
    evidence = record.get("evidence")
    first = evidence[0] if isinstance(evidence, list | tuple) and evidence else None
    return str(first["message_id"] if isinstance(first, dict) else record.get("source_id") or "")
