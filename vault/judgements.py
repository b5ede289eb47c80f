"""What sweeps said, in the ledger: the audit log, and the memory that keeps a pair from coming up twice."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.judgement import Judgement
from schemas.unit import RECALLED_STATES, State
from vault.ledger import Ledger

Row = dict[str, object]


def add_judgements(ledger: Ledger, judgements: Iterable[Judgement]) -> None:
    """Record what was said; nothing is ever replaced."""
    names = ", ".join(f'"{name}"' for name in Judgement.model_fields)
    ledger.insert(
        f"INSERT INTO judgements ({names}) SELECT {names} FROM new_rows",
        [one.model_dump(mode="python") | {"effect": one.effect.value} for one in judgements],
    )


def judged_pairs(
    ledger: Ledger, account: str, sweep: str, judges: Iterable[str]
) -> set[tuple[str, str, str]]:
    """(unit, other, texts) of every pair that one of these judges has judged in this sweep."""
    found = ledger.query(
        """SELECT unit_id, other_id, texts FROM judgements
           WHERE account = $account AND sweep = $sweep AND judge IN (SELECT unnest($judges))""",
        {"account": account, "sweep": sweep, "judges": list(judges)},
    )
    return {(str(unit), str(other), str(texts)) for unit, other, texts in found}


def judgements_log(ledger: Ledger, account: str | None, effects: Iterable[str], limit: int) -> list[Row]:
    """Judgements with these effects, newest first, with both notes' words."""
    return ledger.rows(
        """
        SELECT j."at", j.sweep, j.verdict, j.effect, j.reason, j.judge, j.run, j.account,
               j.unit_id, u.text AS text, j.other_id, o.text AS other_text, s.state AS other_state
        FROM judgements j LEFT JOIN units u ON u.id = j.unit_id LEFT JOIN units o ON o.id = j.other_id
        LEFT JOIN unit_states s ON s.unit_id = j.other_id
        WHERE j.effect IN (SELECT unnest($effects)) AND ($account IS NULL OR j.account = $account)
        ORDER BY j."at" DESC, j.other_id LIMIT $limit
        """,
        {"account": account, "effects": list(effects), "limit": limit},
    )


def notes_to_clean(ledger: Ledger, account: str) -> list[tuple[object, ...]]:
    """Every note of an account that recall may show, with the number of its newest event, oldest event first.

    Notes are as the owner corrected them, and as acts that are laid over the ledger make them.

    Columns: id, conversation, text, category, speaker, speaker's name, said at, state, event number.
    """
    return ledger.query(
        """
        SELECT u.id, u.conversation_id, c.text, u.category, u.speaker, u.speaker_name, u.said_at,
               c.state, s.event_no
        FROM units u JOIN units_current c ON c.id = u.id JOIN (
            SELECT unit_id, max(event_no) AS event_no FROM unit_events GROUP BY unit_id
        ) s ON s.unit_id = u.id
        WHERE u.account = $account AND c.state IN (SELECT unnest($states)) ORDER BY s.event_no
        """,
        {"account": account, "states": [state.value for state in RECALLED_STATES]},
    )


def states_before(ledger: Ledger, units: Iterable[str]) -> dict[str, State]:
    """The state that each archived unit had before it was archived last."""
    found = ledger.query(
        """
        SELECT unit_id, arg_max(state, event_no) FROM standing_events
        WHERE unit_id IN (SELECT unnest(?)) AND state <> 'archived' GROUP BY unit_id
        """,
        [list(units)],
    )
    return {str(unit): State(str(state)) for unit, state in found}
