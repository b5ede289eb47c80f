"""What retells notes, and what the owner took back: which summaries and maps may not be told as they are.

A note is taken back where the owner discarded or corrected it; with it what is archived as its duplicate,
which says the same. While such an act waits for the next generation, the overviews of the conversation are
withheld (`conversations_in_doubt`); the run that folds it writes them anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemas.thread import SessionSummary
from schemas.unit import State, Unit
from vault.ledger import Ledger
from vault.nouns_from_rows import unit_from_row
from vault.threads import as_corrected

RESTATED_BY = "restated_by"
"""The setting that says which version wrote what stands in for summaries; another one looks at all anew.
Without it, no run has looked since the owner's acts were folded."""
_TAKEN = """
    SELECT id FROM units WHERE id IN (SELECT unnest($units)) UNION
    SELECT unit_id FROM relations_current
    WHERE kind = 'duplicate_of' AND other_id IN (SELECT unnest($units))
"""


def overviews_in_doubt(ledger: Ledger, units: Sequence[str]) -> tuple[list[str], list[str]]:
    """(conversations whose summaries, threads whose maps) may tell one of the units."""
    conversations = ledger.query(
        f"SELECT DISTINCT conversation_id FROM units WHERE id IN ({_TAKEN})", {"units": list(units)}
    )
    homes = [str(one) for (one,) in conversations]
    threads = ledger.query("SELECT id FROM threads WHERE list_has_any(conversation_ids, ?)", [homes])
    return homes, [str(one) for (one,) in threads]


def written_summary(ledger: Ledger, conversation: str) -> SessionSummary | None:
    """The summary as it was written, whatever the owner took back since."""
    found = ledger.rows(
        "SELECT * EXCLUDE (run) FROM session_summaries WHERE conversation_id = ?", [conversation]
    )
    return SessionSummary.model_validate(found[0]) if found else None


def restated(ledger: Ledger) -> set[str]:
    """The conversations whose summary another one stands in for."""
    return {str(one) for (one,) in ledger.query("SELECT conversation_id FROM restated_summaries")}


def write_restated(
    ledger: Ledger, summaries: Sequence[SessionSummary], conversations: Sequence[str], run: str
) -> None:
    """Let these stand in for the summaries of their conversations, and nothing for those of the others."""
    ledger.query(
        "DELETE FROM restated_summaries WHERE conversation_id IN (SELECT unnest(?))", [list(conversations)]
    )
    ledger.insert(
        "INSERT INTO restated_summaries BY NAME SELECT * FROM new_rows",
        [{**one.model_dump(), "unit_ids": list(one.unit_ids), "run": run} for one in summaries],
    )


def conversations_taken_back_from(ledger: Ledger, run: str | None = None) -> set[str]:
    """Conversations a note of which the owner discarded or corrected; with `run`, by acts that it folded."""
    found = ledger.query(
        f"SELECT DISTINCT conversation_id FROM units WHERE id IN ({_TAKEN})", {"units": acted_on(ledger, run)}
    )
    return {str(one) for (one,) in found}


def acted_on(ledger: Ledger, run: str | None = None) -> list[str]:
    """The units that the owner discarded or corrected; with `run`, those that any act it folded is about."""
    found = (
        ledger.query("SELECT DISTINCT subject FROM standing_acts WHERE kind IN ('discard', 'correct')")
        if run is None
        else ledger.query("SELECT DISTINCT subject FROM acts WHERE run = ?", [run])
    )
    return [str(unit) for (unit,) in found]


def units_of_summary(ledger: Ledger, conversation: str) -> tuple[list[Unit], list[Unit]]:
    """(units that its summary may tell, units that were taken back), in the order in which they were said.

    The newest extraction's units that the gate did not reject, with the texts that the owner gave them; one
    that was corrected is in both. Archived ones were said, and are told of their day.
    """
    found = ledger.rows(
        """
        WITH gone AS (
            SELECT u.id FROM units u JOIN unit_states s ON s.unit_id = u.id
            LEFT JOIN corrections k ON k.unit_id = u.id WHERE s.state = 'discarded' OR k.text <> u.text
        )
        SELECT u.* REPLACE (coalesce(k.text, u.text) AS text), s.state, u.run = c.run AS newest,
               k.text IS NOT NULL AS corrected,
               u.id IN (FROM gone) OR (s.state = 'archived' AND EXISTS (
                   SELECT 1 FROM relations_current r
                   WHERE r.kind = 'duplicate_of' AND r.unit_id = u.id AND r.other_id IN (FROM gone)
               )) AS taken_back
        FROM units u JOIN conversations c ON c.conversation_id = u.conversation_id
        JOIN unit_states s ON s.unit_id = u.id
        LEFT JOIN corrections k ON k.unit_id = u.id
        LEFT JOIN messages m ON m.message_id = u.evidence[1].message_id
        WHERE u.conversation_id = ?
        ORDER BY m.position, u.evidence[1]."start", u.evidence[1]."end", u.id
        """,
        [conversation],
    )

    silent = {State.DISCARDED, State.REJECTED, State.EXTRACTED}
    told = [
        as_corrected(unit_from_row(row)) if row["corrected"] else unit_from_row(row)
        for row in found
        if row["newest"]
        and State(str(row["state"])) not in silent
        and (row["corrected"] or not row["taken_back"])
    ]
    return told, [unit_from_row(row) for row in found if row["taken_back"]]
