"""All notes as an earlier generation had them, and what changed between two: from the present ledger.

`vault.history` says how one note was; here the same rules are asked of all notes at once, in SQL. What is
later is told by numbers that only grow (generations, events, acts), never by a clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.act import ON_PATHS, Act
from schemas.unit import RECALLED_STATES, State
from vault.history import PastGeneration
from vault.ledger import Ledger

NOTES_THEN = "temp.notes_then"
"""The table that `recall_notes` makes: the columns of `units_current` that a list of notes shows."""

UNDONE = "(SELECT detail FROM acts WHERE kind = 'undo' AND seq <= $seq)"
_TAKEN_BACK_WITH_ACT = "('keep', 'discard', 'accept', 'apart', 'close')"
"""Acts whose events count no longer once they are undone; see the view `standing_events`."""


@dataclass(frozen=True, slots=True)
class NoteThen:
    """What a note said, and what it counted as."""

    text: str
    category: str
    state: State


@dataclass(frozen=True, slots=True)
class NoteChange:
    """What became of a note between two generations: where `old` or `new` is None, it did not stand there."""

    unit: str
    old: NoteThen | None
    new: NoteThen | None

    @property
    def operation(self) -> str:
        """`added`, `removed` or `changed`."""
        return "added" if self.old is None else "removed" if self.new is None else "changed"


def recall_notes(ledger: Ledger, then: PastGeneration, table: str = NOTES_THEN, only: str = "") -> None:
    """Make the temporary `table` with every note of that generation, as it was then.

    `only`: a query of the ids to restrict it to.
    """
    among = f"AND u.id IN ({only})" if only else ""
    ledger.query(
        f"""
        CREATE OR REPLACE TEMP TABLE {table.removeprefix("temp.")} AS
        WITH states AS (
            SELECT unit_id, arg_max(state, event_no) AS state FROM unit_events
            WHERE event_no <= $event AND (unit_id, actor, "at") NOT IN (
                SELECT (subject, actor, "at") FROM acts
                WHERE kind IN {_TAKEN_BACK_WITH_ACT} AND id IN {UNDONE}
            ) GROUP BY unit_id
        ), replaced AS (
            SELECT b.unit_id, arg_min(b.record, g.number) AS record
            FROM units_before b JOIN generations g ON g.run = b.run
            WHERE g.number > $number GROUP BY b.unit_id
        ), corrected AS (
            SELECT subject, arg_max(detail, seq) AS text FROM acts
            WHERE kind = 'correct' AND seq <= $seq AND id NOT IN {UNDONE} GROUP BY subject
        )
        SELECT u.id, u.account, coalesce(r.record ->> 'category', u.category) AS category,
               coalesce(k.text, r.record ->> 'text', u.text) AS text,
               coalesce(r.record ->> 'speaker', u.speaker) AS speaker, s.state, u.said_at, u.conversation_id,
               c.title AS conversation, u.evidence[1].quote AS quote, len(u.evidence) AS said_times
        FROM units u JOIN states s ON s.unit_id = u.id
        LEFT JOIN replaced r ON r.unit_id = u.id
        LEFT JOIN corrected k ON k.subject = u.id
        LEFT JOIN conversations c ON c.conversation_id = u.conversation_id
        WHERE true {among}
        """,
        {"event": then.last_event, "number": then.number, "seq": then.journal_seq},
    )


def changes_between(
    ledger: Ledger, account: str, before: PastGeneration, after: PastGeneration
) -> list[NoteChange]:
    """What became of the account's notes that stood (passed, review, kept) in either generation, by id.

    Only notes that something happened to between the two are looked at: the time grows with the changes.
    """
    low, high = sorted((before, after), key=lambda one: one.number)
    ledger.query(
        """
        CREATE OR REPLACE TEMP TABLE touched_between AS
        SELECT unit_id AS id FROM unit_events WHERE event_no > $event_low AND event_no <= $event_high
        UNION SELECT subject FROM acts WHERE seq > $seq_low AND seq <= $seq_high
        UNION SELECT subject FROM acts WHERE id IN (
            SELECT detail FROM acts WHERE kind = 'undo' AND seq > $seq_low AND seq <= $seq_high)
        UNION SELECT b.unit_id FROM units_before b JOIN generations g ON g.run = b.run
            WHERE g.number > $low AND g.number <= $high
        """,
        {
            "event_low": low.last_event, "event_high": high.last_event, "seq_low": low.journal_seq,
            "seq_high": high.journal_seq, "low": low.number, "high": high.number,
        },
    )  # fmt: skip
    for name, then in (("then_before", before), ("then_after", after)):
        recall_notes(ledger, then, name, "SELECT id FROM temp.touched_between")
    found = ledger.query(
        """
        WITH old AS (FROM temp.then_before WHERE account = $account AND state IN (SELECT unnest($shown))),
             new AS (FROM temp.then_after WHERE account = $account AND state IN (SELECT unnest($shown)))
        SELECT coalesce(old.id, new.id) AS unit, old.text, old.category, old.state, new.text, new.category,
               new.state
        FROM old FULL JOIN new ON new.id = old.id
        WHERE (old.text, old.category, old.state) IS DISTINCT FROM (new.text, new.category, new.state)
        ORDER BY unit
        """,
        {"account": account, "shown": [state.value for state in RECALLED_STATES]},
    )
    for name in ("then_before", "then_after", "touched_between"):
        ledger.query(f"DROP TABLE temp.{name}")
    return [NoteChange(str(row[0]), _note(row[1:4]), _note(row[4:7])) for row in found]


def _note(columns: tuple[object, ...]) -> NoteThen | None:
    text, category, state = columns
    return None if text is None else NoteThen(str(text), str(category), State(str(state)))


def path_acts_then(ledger: Ledger, then: PastGeneration) -> list[Act]:
    """The acts on paths that stood in that generation, oldest first."""
    found = ledger.rows(
        f"""SELECT * EXCLUDE (run) FROM acts WHERE kind IN (SELECT unnest($kinds)) AND seq <= $seq
            AND id NOT IN {UNDONE} ORDER BY seq""",
        {"kinds": [kind.value for kind in ON_PATHS], "seq": then.journal_seq},
    )
    return [Act.model_validate(row, strict=False) for row in found]


def filed_since(ledger: Ledger, then: PastGeneration) -> bool:
    """Whether notes were filed again after that generation: where they lay before is not on record. A note
    that recall did not tell then lay nowhere, and was filed for the first time since."""
    found = ledger.query(
        """SELECT 1 FROM filed_paths f LEFT JOIN generations g ON g.run = f.run
           JOIN notes_then n ON n.id = f.unit_id
           WHERE g.number > ? AND n.state IN (SELECT unnest(?)) LIMIT 1""",
        [then.number, [state.value for state in RECALLED_STATES]],
    )
    return bool(found)


def conversations_then(ledger: Ledger, then: PastGeneration) -> set[str]:
    """The conversations that a note of that generation is of, or that no later run wrote."""
    found = ledger.query(
        """SELECT DISTINCT conversation_id FROM notes_then
           UNION SELECT c.conversation_id FROM conversations c LEFT JOIN generations g ON g.run = c.run
           WHERE coalesce(g.number, 0) <= ?""",
        [then.number],
    )
    return {str(one) for (one,) in found}
