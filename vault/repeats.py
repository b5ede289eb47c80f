"""Notes in the very words of an older one: what the gate asks the corpus, and what is kept of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from schemas.relation import Relation, RelationKind
from vault.ledger import Ledger, Stamp
from vault.relations import add_relations, relations_of, withdraw_relations
from vault.states import states_among


def repeats(ledger: Ledger, folder: Path, wanted: Sequence[str]) -> dict[str, str]:
    """For the staged units of the wanted conversations, by id: the unit of the same account, category and
    speaker that has the same words and stands for them.

    That is a kept one, else one that stands already, else the one said first. What the owner discarded, or
    parted from its double, stands for nothing.
    """
    _know_words(ledger)
    found = ledger.query(
        f"""
        WITH staged AS (
            SELECT id, account, category, speaker, coalesce(speaker_name, '') AS name, said_at, gate_state,
                   {_words("text")} AS words
            FROM read_parquet($units) WHERE conversation_id IN (SELECT unnest($wanted))
        ), parted AS (
            SELECT unit_id AS id FROM relations WHERE kind = 'duplicate_of' AND withdrawn_by = 'user'
        ), alike AS (
            SELECT id FROM known_words WHERE words IN (SELECT hash(words) FROM staged)
            UNION SELECT unit_id FROM corrections
        ), states AS ({states_among("SELECT id FROM alike")}), standing AS (
            SELECT u.id, u.account, u.category, u.speaker, coalesce(u.speaker_name, '') AS name, u.said_at,
                   s.state, {_words("coalesce(k.text, u.text)")} AS words
            FROM units u JOIN states s ON s.unit_id = u.id LEFT JOIN corrections k ON k.unit_id = u.id
            WHERE s.state IN ('passed', 'review', 'kept') AND u.account IN (SELECT account FROM staged)
              -- what this load no longer finds is about to be archived
              AND (s.state = 'kept' OR u.id IN (SELECT id FROM staged)
                   OR u.conversation_id NOT IN (SELECT unnest($wanted)))
        ), one AS (
            SELECT id, account, category, speaker, name, words, said_at,
                   state = 'kept' AS kept, true AS stands
            FROM standing WHERE words IN (SELECT words FROM staged)
            UNION ALL
            SELECT id, account, category, speaker, name, words, said_at, false, false FROM staged
            WHERE gate_state <> 'rejected' AND id NOT IN (SELECT id FROM standing)
        ), canonical AS (
            SELECT account, category, speaker, name, words,
                   first(id ORDER BY kept DESC, stands DESC, said_at NULLS LAST, id) AS id
            FROM one WHERE id NOT IN (SELECT id FROM parted)
            GROUP BY account, category, speaker, name, words HAVING count(*) > 1
        )
        SELECT s.id, c.id FROM staged s
        JOIN canonical c ON (c.account, c.category, c.speaker, c.name, c.words)
                          = (s.account, s.category, s.speaker, s.name, s.words)
        WHERE s.id <> c.id AND s.gate_state <> 'rejected' AND s.id NOT IN (SELECT id FROM parted)
        """,
        {"units": str(folder / "units.parquet"), "wanted": list(wanted)},
    )
    return {str(unit): str(older) for unit, older in found}


def _words(text: str) -> str:
    """What is compared of a text: its words, without what lies between them."""
    return f"regexp_replace(trim({text}), '\\s+', ' ', 'g')"


def _know_words(ledger: Ledger) -> None:
    """Bring the hashes of the units' words up to date, in a table that goes with the connection.

    A unit's id is made of its text, so a hash that is known stays right; a new unit has a new event. Without
    the table every batch would read the words of the whole corpus.
    """
    ledger.query("CREATE TEMP TABLE IF NOT EXISTS known_words (id VARCHAR, words UBIGINT, event_no BIGINT)")
    ledger.query(
        f"""INSERT INTO known_words
            SELECT u.id, hash({_words("u.text")}), e.event_no FROM (
                SELECT unit_id, max(event_no) AS event_no FROM unit_events
                WHERE event_no > (SELECT coalesce(max(event_no), 0) FROM known_words) GROUP BY unit_id
            ) e JOIN units u ON u.id = e.unit_id"""
    )


def record_repeats(
    ledger: Ledger, merged: Mapping[str, str], wanted: Sequence[str], stamp: Stamp
) -> list[str]:
    """Link each merged unit to the one that stands for it, and take back those of the gate's earlier links
    that its latest word on the wanted conversations does not repeat.

    Returns the ids of the notes that stand, or stood, for others: their evidence is another now.
    """
    own = ledger.query(
        "SELECT id, account FROM units WHERE conversation_id IN (SELECT unnest(?))", [list(wanted)]
    )
    accounts = {str(unit): str(account) for unit, account in own}
    earlier = [
        one
        for one in relations_of(ledger, list(accounts), [RelationKind.DUPLICATE_OF])
        if one.unit_id in accounts and one.actor.startswith("gate:")
    ]
    gone = [one for one in earlier if merged.get(one.unit_id) != one.other_id]
    withdraw_relations(ledger, gone, actor=stamp.gate, reason="no longer the same words", at=stamp.at)
    archived = {
        unit
        for unit, state in ledger.states(list(merged)).items()
        if state == "archived" and unit in accounts
    }
    add_relations(
        ledger,
        [
            Relation(
                account=accounts[unit],
                unit_id=unit,
                kind=RelationKind.DUPLICATE_OF,
                other_id=merged[unit],
                reason="the same words",
                actor=stamp.gate,
                at=stamp.at,
                run=stamp.run,
            )
            for unit in sorted(archived)
        ],
    )
    return sorted({one.other_id for one in gone} | {merged[unit] for unit in archived})
