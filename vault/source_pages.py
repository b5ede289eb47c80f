"""The pages of conversations at their services, by what the ledger knows of them."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.source_links import source_link
from vault.ledger import Ledger


def source_pages(ledger: Ledger, conversations: Iterable[str]) -> dict[str, str]:
    """Address by the conversation's id, of those that have a page at their service."""
    found = ledger.query(
        """SELECT conversation_id, provider, native_id FROM conversations
           WHERE conversation_id IN (SELECT unnest(?))""",
        [sorted(set(conversations))],
    )
    links = {str(one): source_link(provider, native) for one, provider, native in found}
    return {one: link for one, link in links.items() if link is not None}
