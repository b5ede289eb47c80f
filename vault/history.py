"""A note as an earlier generation had it: its row, text, state, tier and relations, from the present ledger.

What is later than what is told by numbers that only grow (generations, events, acts), never by a clock.
"""

from __future__ import annotations

import json
from datetime import datetime

from schemas.base import Instant, Noun
from schemas.errors import UsageError
from schemas.provenance import Tier, unit_tier
from schemas.unit import State
from vault.ledger import Ledger


class PastGeneration(Noun):
    """A generation as the ledger remembers it."""

    number: int
    published_at: Instant
    journal_seq: int
    """The last act that it had folded."""
    last_event: int
    """The newest event that it had."""


class PastRelation(Noun):
    """What a note was to another one then."""

    kind: str
    other_id: str
    reason: str


class PastNote(Noun):
    """A note as it was."""

    unit_id: str
    generation: int
    published_at: Instant
    state: State
    tier: Tier
    category: str
    text: str
    """As the owner had corrected it by then."""
    extracted_text: str
    relations: tuple[PastRelation, ...]


def generation_of(ledger: Ledger, moment: int | datetime) -> PastGeneration:
    """The generation with this number, or the newest that was published by then.

    Raises UsageError where the ledger knows of none: it is older than the record of generations, or was left
    behind by a rollback.
    """
    condition = "number = ?" if isinstance(moment, int) else "published_at <= ?"
    found = ledger.rows(
        f"""SELECT number, published_at, journal_seq, last_event FROM generations
            WHERE {condition} ORDER BY number DESC LIMIT 1""",
        [moment],
    )
    if not found:
        raise UsageError(
            f"the ledger remembers no generation {'' if isinstance(moment, int) else 'by '}{moment}",
            remedy='`mnemic sql "SELECT number, published_at FROM generations"` shows them',
        )
    return PastGeneration.model_validate(found[0])


def first_generation(ledger: Ledger) -> PastGeneration | None:
    """The oldest generation that the ledger remembers; None where it is older than the record of them."""
    found = ledger.rows(
        "SELECT number, published_at, journal_seq, last_event FROM generations ORDER BY number LIMIT 1"
    )
    return PastGeneration.model_validate(found[0]) if found else None


def note_as_of(ledger: Ledger, unit: str, then: PastGeneration) -> PastNote | None:
    """The note as that generation had it; None where it did not have it."""
    state = _state(ledger, unit, then)
    row = _row(ledger, unit, then)
    if state is None or row is None:
        return None
    return PastNote(
        unit_id=unit,
        generation=then.number,
        published_at=then.published_at,
        state=state,
        tier=unit_tier(state),
        category=str(row["category"]),
        text=_correction(ledger, unit, then) or str(row["text"]),
        extracted_text=str(row["text"]),
        relations=_relations(ledger, unit, then),
    )


_UNDONE = "(SELECT detail FROM acts WHERE kind = 'undo' AND seq <= $seq)"


def _state(ledger: Ledger, unit: str, then: PastGeneration) -> State | None:
    ((state,),) = ledger.query(
        f"""
        SELECT arg_max(state, event_no) FROM unit_events
        WHERE unit_id = $unit AND event_no <= $event AND (actor, "at") NOT IN (
            SELECT (actor, "at") FROM acts
            WHERE subject = $unit AND kind IN ('keep', 'discard', 'accept', 'apart', 'close')
              AND id IN {_UNDONE}
        )
        """,
        {"unit": unit, "event": then.last_event, "seq": then.journal_seq},
    )
    return State(str(state)) if state is not None else None


def _row(ledger: Ledger, unit: str, then: PastGeneration) -> dict[str, object] | None:
    """The unit's row then: what the first run after that generation replaced, or the one that it has now."""
    replaced = ledger.query(
        """
        SELECT b.record FROM units_before b JOIN generations g ON g.run = b.run
        WHERE b.unit_id = ? AND g.number > ? ORDER BY g.number LIMIT 1
        """,
        [unit, then.number],
    )
    if replaced:
        row: dict[str, object] = json.loads(str(replaced[0][0]))
        return row
    found = ledger.rows("SELECT * FROM units WHERE id = ?", [unit])
    return found[0] if found else None


def _correction(ledger: Ledger, unit: str, then: PastGeneration) -> str | None:
    ((text,),) = ledger.query(
        f"""
        SELECT arg_max(detail, seq) FROM acts
        WHERE subject = $unit AND kind = 'correct' AND seq <= $seq AND id NOT IN {_UNDONE}
        """,
        {"unit": unit, "seq": then.journal_seq},
    )
    return str(text) if text is not None else None


def _relations(ledger: Ledger, unit: str, then: PastGeneration) -> tuple[PastRelation, ...]:
    """Relations added by then and not withdrawn by then.

    One whose run no generation on record made is older than the record.
    """
    found = ledger.rows(
        """
        SELECT r.kind, r.other_id, r.reason FROM relations r LEFT JOIN generations g ON g.run = r.run
        WHERE r.unit_id = $unit AND coalesce(g.number, 0) <= $number
          AND (r.withdrawn_at IS NULL OR r.withdrawn_at > $at)
        ORDER BY r.relation_no
        """,
        {"unit": unit, "number": then.number, "at": then.published_at},
    )
    return tuple(PastRelation.model_validate(row) for row in found)
