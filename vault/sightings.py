"""When a conversation was last seen in an export, and which conversations are gone since.

The rule is the view `gone_conversations`, a pure function of what all exports held, so the order of imports
does not show and a newer export that holds a conversation again takes the mark away. A conversation is gone
where the newest export of the whole account lacks it, though an older one had it, if

- it lies between the oldest and the newest time of that export, which may cover a span of time only, and
- that export holds at least as many of the conversations known before it as it lacks: one part of an export
  that comes in several files lacks all of the other parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schemas.base import Instant
from vault.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one archive held of one provider's conversations."""

    account: str
    provider: str
    archive_hash: str
    since: Instant
    """Last change of the conversation that changed least recently."""
    as_of: Instant
    """The newest such time: the export was made then or later."""
    whole: bool
    """Whether it is the service's own export of the whole account, read to its end."""
    conversations: tuple[str, ...]
    """Ids."""


def record_sightings(ledger: Ledger, sightings: Sequence[Sighting], run: str) -> None:
    """Add what archives held. The same archive again changes nothing."""
    for seen in sightings:
        ledger.insert(
            """
            CREATE OR REPLACE TEMP TABLE sighted AS SELECT n.conversation_id,
                least(coalesce(s.first_as_of, n.as_of), n.as_of) AS first_as_of,
                greatest(coalesce(s.last_as_of, n.as_of), n.as_of) AS last_as_of, n.run
            FROM new_rows n LEFT JOIN sightings s ON s.conversation_id = n.conversation_id
            """,
            [{"conversation_id": one, "as_of": seen.as_of, "run": run} for one in seen.conversations],
        )
        ledger.query("DELETE FROM sightings WHERE conversation_id IN (SELECT conversation_id FROM sighted)")
        ledger.query("INSERT INTO sightings BY NAME SELECT * FROM sighted")
        key = [seen.account, seen.provider, seen.archive_hash]
        ledger.query("DELETE FROM whole_exports WHERE account = ? AND provider = ? AND archive_hash = ?", key)
        if seen.whole:
            ledger.query(
                "INSERT INTO whole_exports VALUES (?, ?, ?, ?, ?, ?)", [*key, seen.since, seen.as_of, run]
            )


def gone_count(ledger: Ledger) -> int:
    """How many conversations the newest exports of their accounts lack."""
    return int(str(ledger.query("SELECT count(*) FROM gone_conversations")[0][0]))
