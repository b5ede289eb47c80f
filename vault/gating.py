"""What the gate said, as the ledger has it."""

from __future__ import annotations

from vault.ledger import Ledger
from vault.queries import Row


def explanation(ledger: Ledger, unit: str) -> Row:
    """A note with the gate's word on it, every criterion's verdict, and the state that it is in now."""
    (row,) = ledger.rows(
        """
        SELECT u.id, now.text, u.evidence[1].quote AS quote, u.category, u.speaker, u.gate_state, u.verdicts,
               now.state, now.state_actor AS actor, now.state_reason AS reason,
               (SELECT arg_max(actor, event_no) FROM unit_events e
                WHERE e.unit_id = u.id AND e.actor LIKE 'gate:%') AS gate,
               (SELECT list(r.other_id) FROM relations_current r
                WHERE r.unit_id = u.id AND r.kind = 'duplicate_of') AS duplicate_of
        FROM units u JOIN units_current now ON now.id = u.id WHERE u.id = ?
        """,
        [unit],
    )
    return row


def outcomes(ledger: Ledger, account: str) -> tuple[dict[str, int], list[Row]]:
    """Counts of an account's notes by what the gate made of them, and by each criterion that did not pass
    them; one note counts for every such criterion."""
    states = ledger.query(
        "SELECT gate_state, count(*) FROM units WHERE account = ? GROUP BY gate_state ORDER BY 2 DESC",
        [account],
    )
    criteria = ledger.rows(
        """
        SELECT v.criterion AS criterion, v.outcome AS outcome, count(*) AS notes
        FROM (SELECT unnest(verdicts) AS v FROM units WHERE account = ?) WHERE v.outcome <> 'pass'
        GROUP BY ALL ORDER BY notes DESC, criterion
        """,
        [account],
    )
    return {str(state): int(str(count)) for state, count in states}, criteria
