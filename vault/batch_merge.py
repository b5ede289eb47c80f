"""A staged batch into the ledger.

Rows are replaced conversation by conversation. Units are the exception: one that an extraction no longer
finds stays on record as archived, and one that the owner kept or discarded keeps that state.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from schemas.unit import State
from vault.journal import ASSISTANT, USER
from vault.ledger import Ledger, Stamp
from vault.states import states_among

REPLACED_TABLES = {
    "conversations": "conversation_id",
    "messages": "conversation_id",
    "segments": "conversation_id",
    "chunks": "conversation_id",
    "session_summaries": "conversation_id",
    "profiles": "conversation_id",
    "resources": "id",
}
"""Table to the column that says whose a row is: a conversation's, or a resource's."""


def merge_batch(
    ledger: Ledger, folder: Path, wanted: Sequence[str], stamp: Stamp, corrected: Collection[str] = ()
) -> list[str]:
    """Load the wanted conversations of one staged batch in one transaction; `corrected`: not folded yet.

    Returns the ids of the conversations' units that the batch does not hold: archived, or the owner's.
    """
    ledger.query("BEGIN")
    for table, owner in (*REPLACED_TABLES.items(), ("units", "conversation_id")):
        ledger.query(
            f"""CREATE OR REPLACE TEMP TABLE staged_{table} AS SELECT * FROM read_parquet(?)
                WHERE {owner} IN (SELECT unnest(?))""",
            [str(folder / f"{table}.parquet"), list(wanted)],
        )
    for table, owner in REPLACED_TABLES.items():
        ledger.query(
            f"""DELETE FROM {table} WHERE {owner} IN
                (SELECT conversation_id FROM staged_conversations
                 UNION SELECT id FROM staged_resources)"""
        )
        _insert_staged(ledger, table, stamp)
    left = _merge_units(ledger, stamp, corrected)
    ledger.query("COMMIT")
    return left


def _insert_staged(ledger: Ledger, table: str, stamp: Stamp) -> None:
    ledger.query(f"INSERT INTO {table} BY NAME SELECT *, ? AS run FROM staged_{table}", [stamp.run])


def _merge_units(ledger: Ledger, stamp: Stamp, corrected: Collection[str]) -> list[str]:
    theirs = "conversation_id IN (SELECT conversation_id FROM staged_conversations)"
    states = states_among(f"SELECT id FROM units WHERE {theirs}")
    ledger.query(
        f"CREATE OR REPLACE TEMP TABLE touched AS SELECT unit_id AS id, state, actor FROM ({states})"
    )
    left = ledger.query(
        "SELECT id, state, actor FROM touched WHERE id NOT IN (SELECT id FROM staged_units) ORDER BY id"
    )
    # A unit that is no longer found is archived, unless its state or its text is the owner's doing
    owned = {str(unit) for (unit,) in ledger.query("SELECT unit_id FROM corrections")} | set(corrected)
    archived = [
        stamp.event(str(unit), State.ARCHIVED, stamp.extractor, "no longer found")
        for unit, state, actor in left
        if not (
            state == State.ARCHIVED or unit in owned or str(actor).startswith((USER, ASSISTANT, "policy:"))
        )
    ]
    # The gate speaks for new units, and again where only it or extraction spoke and its word has changed
    judged = ledger.query(
        """
        SELECT n.id, n.gate_state, coalesce(
            list_filter(n.verdicts, lambda v: v.outcome <> 'pass')[1].reason, 'every criterion passed'
        )
        FROM staged_units n LEFT JOIN touched t ON t.id = n.id
        WHERE t.id IS NULL
           OR (t.state <> n.gate_state AND (t.actor LIKE 'gate:%' OR t.actor LIKE 'extract:%'))
        ORDER BY n.id
        """
    )
    gated = [
        stamp.event(str(unit), State(str(state)), stamp.gate, str(reason)) for unit, state, reason in judged
    ]
    if ledger.query("SELECT 1 FROM touched WHERE id IN (SELECT id FROM staged_units) LIMIT 1"):
        _remember_units(ledger, stamp)
        ledger.query("DELETE FROM units WHERE id IN (SELECT id FROM staged_units)")
    _insert_staged(ledger, "units", stamp)
    ledger.add_events(archived + gated)
    return [str(unit) for unit, _, _ in left]


def _remember_units(ledger: Ledger, stamp: Stamp) -> None:
    """Keep the rows of units that the staged ones are about to change in anything but their run."""
    columns = [str(name) for (name,) in ledger.query("SELECT column_name FROM (DESCRIBE staged_units)")]
    mine, theirs = (
        "{" + ", ".join(f"'{name}': {table}.\"{name}\"" for name in columns) + "}" for table in ("u", "n")
    )
    ledger.query(
        f"""
        INSERT INTO units_before
        SELECT u.id, ?, to_json(u), ? FROM units u JOIN staged_units n ON n.id = u.id
        WHERE to_json({mine}) <> to_json({theirs})
        """,
        [stamp.at, stamp.run],
    )
