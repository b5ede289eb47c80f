"""Talk that an assistant was asked to remember, and what becomes of it when that is taken back.

What was remembered is a conversation of its own, and its notes are kept. Taking the keep back would leave
them in recall, as if they had been said on the way: so they are discarded, too. What was said stays on record
like any other talk; only the owner erases.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemas.act import Act, ActKind, Deed
from vault.journal import Journal
from vault.ledger import Ledger

REMEMBERED = "remembered"
"""The provider of such talk."""
UNREMEMBERED = "unremembered"
"""Who discards: nobody whose next undo this would be."""


def discard_unremembered(ledger: Ledger, journal: Journal, undone: Sequence[Act]) -> list[str]:
    """Discard the notes whose remembering was taken back; the ids of the conversations that stay."""
    kept = [act.subject for act in undone if act.kind is ActKind.KEEP]
    found = ledger.query(
        """SELECT u.id, u.conversation_id FROM units u JOIN conversations c USING (conversation_id)
           WHERE c.provider = ? AND u.id IN (SELECT unnest(?)) ORDER BY u.id""",
        [REMEMBERED, kept],
    )
    if found:
        deeds = [Deed(ActKind.DISCARD, str(unit)) for unit, _ in found]
        journal.record(deeds, actor=UNREMEMBERED, reason="not to be remembered")
    return sorted({str(conversation) for _, conversation in found})
