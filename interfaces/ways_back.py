"""Ways back from records to where they were said: a page of the service, or a file of this machine."""

from __future__ import annotations

from collections.abc import Iterable

from archives.local_source import LocalRecord, on_this_machine, way_back
from vault.ledger import Ledger
from vault.native_ids import native_ids, native_message
from vault.queries import Row


def ways_back(ledger: Ledger, conversations: Iterable[str]) -> dict[str, str]:
    """Address by the conversation's id, of those that have one."""
    known = native_ids(ledger, conversations).items()
    found = {one: way_back(provider, native) for one, (provider, native) in known}
    return {one: link for one, link in found.items() if link is not None}


def way_back_of(ledger: Ledger, record: Row) -> str | None:
    """The address of a record's conversation; in a file of this machine, that of its own line where that is
    known."""
    for home, (provider, native) in native_ids(ledger, [str(record.get("conversation_id"))]).items():
        return way_back(provider, native, native_message(ledger, home, _message_of(record)))
    return None


def local_place(ledger: Ledger, record: Row) -> str | None:
    """The file on this machine that a record came from, `path:line` where its message is known."""
    found: LocalRecord | None = None
    for home, (provider, native) in native_ids(ledger, [str(record.get("conversation_id"))]).items():
        found = on_this_machine(provider, native, native_message(ledger, home, _message_of(record)))
    return found.place if found else None


def _message_of(record: Row) -> str:
    """The message that a note was first said in, or that a passage stands in."""
    evidence = record.get("evidence")
    first = evidence[0] if isinstance(evidence, list | tuple) and evidence else None
    return str(first["message_id"] if isinstance(first, dict) else record.get("source_id") or "")
