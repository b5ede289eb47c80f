"""The deck: an account's notes laid out for deciding, in the order in which they were said.

It is laid out once for a generation; acts that are not folded yet are joined to it, so a page costs one pass
over a narrow table whatever was decided since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import TypeAdapter

from schemas.unit import Category, Speaker, State
from vault.ledger import Ledger
from vault.paths import PATHS, PUBLISHED, PathTables

Row = dict[str, object]
_ROWS = TypeAdapter(list[Row])

TO_DECIDE = (State.REVIEW, State.PASSED)
"""What waits for the owner's word."""

NEAR = 4096
"""Places that a page is looked for in first: two of DuckDB's vectors."""

_LAID_OUT = """
CREATE OR REPLACE TEMP TABLE deck AS
SELECT row_number() OVER (ORDER BY u.said_at NULLS LAST, u.id) AS place, u.id, u.category,
       coalesce(k.text, u.text) AS text, u.speaker, u.speaker_name, u.said_at, s.state, u.conversation_id,
       c.title AS conversation, c.provider, len(u.evidence) AS said_times, u.evidence[1].quote AS quote,
       list_filter(u.verdicts, lambda v: v.outcome <> 'pass')[1].reason AS held,
       lower(coalesce(k.text, u.text) || ' ' || u.evidence[1].quote) AS searched, {good} AS good,
       u.rowid AS row
FROM units u LEFT JOIN unit_states s ON s.unit_id = u.id LEFT JOIN corrections k ON k.unit_id = u.id
LEFT JOIN conversations c ON c.conversation_id = u.conversation_id
WHERE u.account = ? ORDER BY place
"""
_INDEXED = "CREATE INDEX deck_ids ON deck (id)"
NOTES_NOW = """(
    SELECT d.* REPLACE (coalesce(p.text, d.text) AS text, coalesce(p.state, d.state) AS state,
                        coalesce(lower(p.text || ' ' || d.quote), d.searched) AS searched)
    FROM deck d LEFT JOIN pending p ON p.unit_id = d.id
)"""
"""The deck with the acts that no generation has folded yet."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which notes of the deck; None or "" means any."""

    states: tuple[State, ...] = TO_DECIDE
    category: Category | None = None
    speaker: Speaker | None = None
    conversation: str = ""
    thread: str = ""
    since: datetime | None = None
    before: datetime | None = None
    words: str = ""
    """All of them stand in the note or in its quote, in any order."""
    path: str = ""
    """Filed at this path of the taxonomy, or below it."""
    name: str = ""
    """It names this person or thing (`vault.named_things`)."""
    over: bool | None = None
    """True: only what another note takes the place of, or what was archived or discarded. False: the rest."""


def lay_out(ledger: Ledger, account: str) -> None:
    """Lay out the deck on this connection, in place of the one before."""
    # a ledger of a version before the small reader lacks what it says
    good = "u.estimate.good" if "estimate" in ledger.columns("units") else "CAST(NULL AS DOUBLE)"
    ledger.query(_LAID_OUT.format(good=good), [account])
    ledger.query(_INDEXED)
    lay_out_paths(ledger, PUBLISHED)
    # a page asks a dozen small questions: on a busy machine each would wait for a second thread's turn
    ledger.query("SET threads = 1")


def lay_out_paths(ledger: Ledger, tables: PathTables) -> None:
    """Say which tables tell where the deck's notes lie."""
    ledger.query(
        f"""CREATE OR REPLACE TEMP VIEW deck_paths AS
            SELECT unit_id, path FROM {tables.notes} WHERE tree = '{PATHS}'"""
    )


def count(ledger: Ledger, wanted: Wanted) -> int:
    """How many notes are wanted."""
    condition, values = _condition(wanted)
    ((found,),) = ledger.query(f"SELECT count(*) FROM {NOTES_NOW} WHERE {condition}", values)
    return int(str(found))


def page(ledger: Ledger, wanted: Wanted, after: int, limit: int) -> list[Row]:
    """The next wanted notes after a place."""
    condition, values = _condition(wanted)
    found: list[Row] = []
    # most pages are found close by; only a rare filter has to look at the whole deck
    for last in (after + NEAR, None):
        near = "" if last is None else f"AND place <= {int(last)}"
        found = ledger.rows(
            f"""SELECT * FROM {NOTES_NOW} WHERE place > $after {near} AND {condition}
                ORDER BY place LIMIT $limit""",
            {**values, "after": after, "limit": limit},
        )
        if len(found) == limit:
            break
    return found


def best(ledger: Ledger, wanted: Wanted, limit: int, after: tuple[float, int] | None = None) -> list[Row]:
    """The wanted notes of which the reader is surest, best first; `after`: the (good, place) of the last one
    that was shown. A note that no reader looked at comes last, with a `good` of -1."""
    condition, values = _condition(wanted)
    beyond = "" if after is None else "AND (sure < $good OR (sure = $good AND place > $place))"
    bounds = {} if after is None else {"good": after[0], "place": after[1]}
    found = ledger.query(
        f"""SELECT place FROM (SELECT *, coalesce(good, -1) AS sure FROM {NOTES_NOW})
            WHERE {condition} {beyond} ORDER BY sure DESC, place LIMIT $limit""",
        {**values, **bounds, "limit": limit},
    )
    return [{**row, "good": -1.0 if row["good"] is None else row["good"]} for row in _at(ledger, found)]


def newest(ledger: Ledger, wanted: Wanted, limit: int, skip: int = 0) -> tuple[list[Row], int]:
    """The wanted notes that were said last, newest first, undated ones before them; and how many are wanted.

    Both come of one pass over the deck, which is most of what a page takes.
    """
    condition, values = _condition(wanted)
    found = ledger.query(
        f"""WITH fitting AS MATERIALIZED (SELECT place FROM {NOTES_NOW} WHERE {condition})
            SELECT place, (SELECT count(*) FROM fitting) FROM fitting
            ORDER BY place DESC LIMIT $limit OFFSET $skip""",
        {**values, "limit": limit, "skip": skip},
    )
    if not found:
        return [], count(ledger, wanted) if skip else 0
    return _at(ledger, found), int(str(found[0][1]))


def _at(ledger: Ledger, found: Sequence[tuple[object, ...]]) -> list[Row]:
    """The notes at these places, in their order: texts are read of those alone that are shown."""
    order = {place: number for number, (place, *_) in enumerate(found)}
    rows = ledger.rows(f"SELECT * FROM {NOTES_NOW} WHERE place IN (SELECT unnest(?))", [list(order)])
    return sorted(rows, key=lambda row: order[row["place"]])


def ids(ledger: Ledger, wanted: Wanted) -> list[str]:
    """The wanted notes' ids, in order."""
    condition, values = _condition(wanted)
    found = ledger.query(f"SELECT id FROM {NOTES_NOW} WHERE {condition} ORDER BY place", values)
    return [str(unit) for (unit,) in found]


def card(ledger: Ledger, unit: str) -> Row | None:
    """One note as it is now; None where the account has none of this id."""
    found = ledger.rows(f"SELECT * FROM {NOTES_NOW} WHERE id = ?", [unit])
    return found[0] if found else None


def states_now(ledger: Ledger, units: Sequence[str]) -> dict[str, str]:
    """The present states of those of the notes that the account has."""
    found = ledger.query(f"SELECT id, state FROM {NOTES_NOW} WHERE id IN (SELECT unnest(?))", [list(units)])
    return {str(unit): str(state) for unit, state in found}


def tally(ledger: Ledger) -> dict[str, int]:
    """How many notes are in each state."""
    found = ledger.query(f"SELECT state, count(*) FROM {NOTES_NOW} GROUP BY state ORDER BY state")
    return {str(state): int(str(notes)) for state, notes in found}


def threads(ledger: Ledger, account: str) -> list[Row]:
    """The account's threads with their conversations' first and last time, the largest first."""
    return ledger.rows(
        """
        SELECT t.id, t.label, count(*) AS conversations, min(c.created_at) AS first,
               max(coalesce(c.updated_at, c.created_at)) AS last
        FROM (SELECT id, label, unnest(conversation_ids) AS conversation_id FROM threads WHERE account = ?) t
        JOIN conversations c ON c.conversation_id = t.conversation_id
        GROUP BY t.id, t.label HAVING count(*) > 1 ORDER BY conversations DESC, t.id LIMIT 200
        """,
        [account],
    )


def where_said(ledger: Ledger, unit: str) -> list[Row]:
    """A note's evidence, and then what it needs to be understood: message, span, quote, `needed`."""
    found = ledger.query("SELECT row FROM deck WHERE id = ?", [unit])
    if not found:
        return []
    # by its row: the column of evidence is the widest of all, and is read at one place alone
    (both,) = ledger.rows("SELECT evidence, context FROM units WHERE rowid = ?", list(found[0]))
    return [
        {**one, "needed": name == "context"}
        for name in ("evidence", "context")
        for one in _ROWS.validate_python(both[name])
    ]


def verdicts_of(ledger: Ledger, unit: str) -> list[Row]:
    """What the gate's criteria said of a note: criterion, outcome, reason."""
    found = ledger.query("SELECT row FROM deck WHERE id = ?", [unit])
    if not found:
        return []
    ((verdicts,),) = ledger.query("SELECT verdicts FROM units WHERE rowid = ?", list(found[0]))
    return _ROWS.validate_python(verdicts)


def messages_around(ledger: Ledger, message: str, before: int, after: int) -> list[Row]:
    """A message with those around it in its conversation, in order."""
    return ledger.rows(
        """
        SELECT m.message_id, m.role, m.author, m.created_at, m.text, m.position FROM messages m,
               (SELECT conversation_id, position FROM messages WHERE message_id = $message) here
        WHERE m.conversation_id = here.conversation_id AND NOT m.hidden
          AND m.position BETWEEN here.position - $before AND here.position + $after
        ORDER BY m.position
        """,
        {"message": message, "before": before, "after": after},
    )


def messages_of(ledger: Ledger, conversation: str, start: int, limit: int) -> list[Row]:
    """A conversation's messages from a position on, in order."""
    return ledger.rows(
        """
        SELECT message_id, role, author, created_at, text, position FROM messages
        WHERE conversation_id = ? AND position >= ? AND NOT hidden ORDER BY position LIMIT ?
        """,
        [conversation, start, limit],
    )


def _condition(wanted: Wanted) -> tuple[str, dict[str, object]]:
    parts = ["state IN (SELECT unnest($states))"]
    values: dict[str, object] = {"states": [one.value for one in wanted.states]}
    for name, condition, value in (
        ("category", "category = $category", wanted.category and wanted.category.value),
        ("speaker", "speaker = $speaker", wanted.speaker and wanted.speaker.value),
        ("conversation", "conversation_id = $conversation", wanted.conversation),
        ("since", "said_at >= $since", wanted.since),
        ("before", "said_at < $before", wanted.before),
        (
            "thread",
            "conversation_id IN (SELECT unnest(conversation_ids) FROM threads WHERE id = $thread)",
            wanted.thread,
        ),
        ("name", "id IN (SELECT id FROM named_in WHERE name = $name)", wanted.name),
        (
            "path",
            "id IN (SELECT unit_id FROM deck_paths WHERE path = $path OR starts_with(path, $path || '.'))",
            wanted.path,
        ),
    ):
        if value:
            parts.append(condition)
            values[name] = value
    if wanted.over is not None:
        over = "(state IN ('archived', 'discarded') OR id IN (SELECT id FROM succeeded))"
        parts.append(over if wanted.over else f"NOT {over}")
    for number, word in enumerate(wanted.words.casefold().split()[:10]):
        parts.append(f"contains(searched, $word{number})")
        values[f"word{number}"] = word
    return " AND ".join(parts), values
