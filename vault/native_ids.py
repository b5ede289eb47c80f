"""By what name the services of conversations know them, and the messages of them."""

from __future__ import annotations

from collections.abc import Iterable

from vault.ledger import Ledger


def native_ids(ledger: Ledger, conversations: Iterable[str]) -> dict[str, tuple[str, str]]:
    """(provider, the provider's own id) of conversations, by theirs."""
    found = ledger.query(
        """SELECT conversation_id, provider, native_id FROM conversations
           WHERE conversation_id IN (SELECT unnest(?))""",
        [sorted(set(conversations))],
    )
    return {str(one): (str(provider), str(native)) for one, provider, native in found}


def native_message(ledger: Ledger, conversation: str, message: str) -> str:
    """A message's id at its service; "" where it has none."""
    found = ledger.query(
        "SELECT native_id FROM messages WHERE conversation_id = ? AND message_id = ?", [conversation, message]
    )
    return str(found[0][0] or "") if found else ""
