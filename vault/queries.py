"""What people ask of the ledger: lists, single notes, transcripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from schemas.errors import UsageError
from schemas.ids import SHORT_ID, stored_form
from schemas.unit import RECALLED_STATES, Category, Speaker, State
from vault.ledger import Ledger

Row = dict[str, object]

RECALLED = [state.value for state in RECALLED_STATES]
"""What is told beside a record: what was discarded, rejected or archived is shown where it is asked for."""

SHORTEST_PREFIX = 6
"""Characters of an id that are enough to name it, where they name only one."""


@dataclass(frozen=True, slots=True)
class NoteFilter:
    """Which notes to list. None means any."""

    account: str
    categories: tuple[Category, ...] | None = None
    speakers: tuple[Speaker, ...] | None = None
    states: tuple[State, ...] | None = RECALLED_STATES
    since: datetime | None = None
    before: datetime | None = None
    conversation: str | None = None
    said_times: int | None = None
    """At least so many pieces of evidence."""
    limit: int | None = None


ORDERS = {
    "oldest": "said_at NULLS LAST, id",
    "newest": "said_at DESC NULLS LAST, id",
    "category": "category, said_at NULLS LAST, id",
    "conversation": "min(said_at) OVER (PARTITION BY conversation_id) NULLS LAST, conversation_id,"
    " said_at NULLS LAST, id",
    "often": "said_times DESC, said_at NULLS LAST, id",
}
"""Orders of notes by name: when they were said, their category, their conversation, how often they were said.
Undated ones are last among equals."""


def list_notes(
    ledger: Ledger, wanted: NoteFilter, table: str = "units_current", order: str = "oldest"
) -> list[Row]:
    """Notes in one of ORDERS.

    `table`: where they stand, such as `vault.notes_then.NOTES_THEN`.
    """
    return _noted(ledger, wanted, table, ORDERS[order])


def newest_notes(ledger: Ledger, wanted: NoteFilter) -> list[Row]:
    """Notes, those said last first; undated ones are left out."""
    dated = replace(wanted, since=wanted.since or datetime.min.replace(tzinfo=UTC))
    return _noted(ledger, dated, "units_current", "said_at DESC, id")


def _noted(ledger: Ledger, wanted: NoteFilter, table: str, order: str) -> list[Row]:
    conditions: list[str] = ["account = ?"]
    values: list[object] = [wanted.account]
    for column, choices in (
        ("category", wanted.categories),
        ("speaker", wanted.speakers),
        ("state", wanted.states),
    ):
        if choices is not None:
            conditions.append(f"{column} IN (SELECT unnest(?))")
            values.append([choice.value for choice in choices])
    for condition, value in (
        ("said_at >= ?", wanted.since),
        ("said_at < ?", wanted.before),
        ("conversation_id = ?", wanted.conversation),
        ("said_times >= ?", wanted.said_times),
    ):
        if value is not None:
            conditions.append(condition)
            values.append(value)
    limit = f"LIMIT {int(wanted.limit)}" if wanted.limit is not None else ""
    return ledger.rows(
        f"""
        SELECT id, category, text, speaker, state, said_at, conversation, conversation_id, quote, said_times
        FROM {table} WHERE {" AND ".join(conditions)}
        ORDER BY {order} {limit}
        """,
        values,
    )


def resolve_ids(ledger: Ledger, table: str, column: str, named: str, account: str | None = None) -> list[str]:
    """The id in a table that was named, else the first three that begin so (at least six characters).

    An id may be written with or without its hyphens. With `account`, as if there were no other.
    """
    return [one for _, one in _begin_so(ledger, ((table, column),), named, account)]


NAMED = (
    ("units", "id"),
    ("chunks", "id"),
    ("conversations", "conversation_id"),
    ("session_summaries", "id"),
    ("threads", "id"),
    ("resources", "id"),
)
"""Tables and columns of what an id can name."""


def resolve_records(ledger: Ledger, named: str, account: str | None = None) -> list[tuple[str, str]]:
    """(table, id) of what `resolve_ids` finds in each table of `NAMED`, in their order, by one statement."""
    return _begin_so(ledger, NAMED, named, account)


def _begin_so(
    ledger: Ledger, places: Sequence[tuple[str, str]], named: str, account: str | None
) -> list[tuple[str, str]]:
    if len(named) < SHORTEST_PREFIX:
        raise UsageError(
            f"{named!r} is too short to name a record", remedy=f"Give at least {SHORTEST_PREFIX} characters"
        )
    stored = stored_form(named)
    first = " UNION ALL ".join(
        f"""(SELECT {place} AS place, {column} AS id FROM {table} WHERE starts_with({column}, $named)
             AND ($account IS NULL OR account = $account) ORDER BY {column} LIMIT 3)"""
        for place, (table, column) in enumerate(places)
    )
    found: dict[int, list[str]] = {}
    for place, one in ledger.query(f"{first} ORDER BY place, id", {"named": stored, "account": account}):
        found.setdefault(int(str(place)), []).append(str(one))
    return [
        (places[place][0], one)
        for place, ids in found.items()
        for one in ([stored] if stored in ids else ids)
    ]


def shared_ids(ledger: Ledger) -> tuple[str, ...]:
    """The beginnings of SHORT_ID characters that several records share, whatever kind they are of; sorted."""
    ids = " UNION ALL ".join(f"SELECT {column} AS id FROM {table}" for table, column in NAMED)
    found = ledger.query(
        f"SELECT left(id, {SHORT_ID}) AS short FROM ({ids}) GROUP BY short HAVING count(*) > 1 ORDER BY short"
    )
    return tuple(str(short) for (short,) in found)


def texts_of_notes(ledger: Ledger, ids: Sequence[str]) -> dict[str, str]:
    """What each of the notes says now; an id that is none of a note is left out."""
    found = ledger.query(
        "SELECT id, text FROM units_current WHERE id IN (SELECT unnest(?))", [sorted(set(ids))]
    )
    return {str(unit): str(text) for unit, text in found}


def note_in_full(ledger: Ledger, unit: str) -> Row:
    """A note with its evidence, the words around its first quote, the notes before and after it that stand,
    its events and the gate's verdicts."""
    (row,) = ledger.rows(
        """
        SELECT u.* REPLACE (now.text AS text), now.conversation, now.provider, now.state, now.text_before
        FROM units u JOIN units_current now ON now.id = u.id WHERE u.id = ?
        """,
        [unit],
    )
    row["around"] = ledger.rows(
        """
        SELECT m.message_id, m.role, m.author, m.created_at, m.text FROM units u
        JOIN messages m ON m.message_id = u.evidence[1].message_id WHERE u.id = ?
        """,
        [unit],
    )
    row["neighbours"] = ledger.rows(
        """
        WITH told AS (
            SELECT u.id, u.category, now.text,
                   row_number() OVER (ORDER BY u.said_at NULLS LAST, u.evidence[1].message_id,
                                      u.evidence[1]."start", u.id) AS place
            FROM units u JOIN units_current now ON now.id = u.id
            WHERE u.conversation_id = $conversation AND (now.state IN (SELECT unnest($shown)) OR u.id = $unit)
        )
        SELECT other.id, other.category, other.text, other.place - one.place AS place
        FROM told one JOIN told other ON abs(other.place - one.place) = 1
        WHERE one.id = $unit ORDER BY place
        """,
        {"unit": unit, "conversation": row["conversation_id"], "shown": RECALLED},
    )
    row["events"] = ledger.rows(
        'SELECT state, actor, reason, "at" FROM unit_events WHERE unit_id = ? ORDER BY event_no', [unit]
    )
    row["acts"] = ledger.rows(
        'SELECT kind, actor, reason, "at", detail FROM acts WHERE subject = ? ORDER BY seq', [unit]
    )
    return row


def chunk_in_full(ledger: Ledger, chunk: str) -> Row:
    """A chunk with its place in the heading tree, the chunks before and after it, and where it comes from."""
    (row,) = ledger.rows(
        """
        SELECT k.*, coalesce(c.title, r.title) AS conversation,
               coalesce(c.provider, r.provider) AS provider, m.role, m.created_at AS said_at
        FROM chunks k LEFT JOIN conversations c ON c.conversation_id = k.conversation_id
        LEFT JOIN resources r ON r.id = k.conversation_id
        LEFT JOIN messages m ON m.message_id = k.source_id WHERE k.id = ?
        """,
        [chunk],
    )
    row["neighbours"] = ledger.rows(
        """
        WITH cut AS (
            SELECT id, heading_path, text, row_number() OVER (ORDER BY "start") AS place
            FROM chunks WHERE source_id = $source
        )
        SELECT other.id, other.heading_path, other.text, other.place - one.place AS place
        FROM cut one JOIN cut other ON abs(other.place - one.place) = 1
        WHERE one.id = $chunk ORDER BY place
        """,
        {"chunk": chunk, "source": row["source_id"]},
    )
    return row


def conversation_in_full(ledger: Ledger, conversation: str) -> Row:
    """A conversation, its messages in order with their segments, and those of its notes that stand;
    `gone_since` is the time of the newest export of its account where that lacks it."""
    (row,) = ledger.rows(
        """
        SELECT c.*, g.gone_since FROM conversations c
        LEFT JOIN gone_conversations g ON g.conversation_id = c.conversation_id WHERE c.conversation_id = ?
        """,
        [conversation],
    )
    row["message_list"] = ledger.rows(
        """
        SELECT m.message_id, m.parent, m.role, m.author, m.created_at, m.text, m.hidden,
               m.gone, m.on_active_branch,
               list({'start': s."start", 'end': s."end", 'origin': s.origin} ORDER BY s."start")
                   FILTER (s.origin IS NOT NULL) AS segments
        FROM messages m LEFT JOIN segments s ON s.message_id = m.message_id
        WHERE m.conversation_id = ? GROUP BY ALL ORDER BY any_value(m.position)
        """,
        [conversation],
    )
    row["notes"] = ledger.rows(
        """
        SELECT id, category, text, speaker, state, said_at, quote FROM units_current
        WHERE conversation_id = ? AND state IN (SELECT unnest(?)) ORDER BY said_at NULLS LAST, id
        """,
        [conversation, RECALLED],
    )
    return row


def resource_in_full(ledger: Ledger, resource: str) -> Row:
    """A resource with its text and the outline of its chunks."""
    (row,) = ledger.rows("SELECT * FROM resources WHERE id = ?", [resource])
    row["chunks"] = ledger.rows(
        'SELECT id, level, heading_path, "start", "end" FROM chunks WHERE source_id = ? ORDER BY "start"',
        [resource],
    )
    return row


def summary_in_full(ledger: Ledger, summary: str) -> Row:
    """A session summary with its conversation and the notes that it rests on."""
    (row,) = ledger.rows(
        """
        SELECT s.*, c.title AS conversation, c.provider, c.created_at AS began
        FROM summaries_current s LEFT JOIN conversations c ON c.conversation_id = s.conversation_id
        WHERE s.id = ?
        """,
        [summary],
    )
    row["notes"] = notes_named(ledger, row.pop("unit_ids"))
    return row


def notes_named(ledger: Ledger, units: object) -> list[Row]:
    """Notes by id, in the order of the ids; those that the ledger does not hold are left out."""
    return ledger.rows(
        """
        SELECT u.id, u.category, u.text, u.state, u.said_at, u.conversation_id
        FROM (SELECT unnest(?) AS id, generate_subscripts(?, 1) AS place) n
        JOIN units_current u ON u.id = n.id ORDER BY n.place
        """,
        [units, units],
    )


def import_remarks(ledger: Ledger, reason: str) -> dict[tuple[str, str, str], tuple[str, int]]:
    """By (archive hash, account, work) of the archives whose report has a note of that reason: the note's
    remedy, and how many conversations and resources came of the archive all the same."""
    found = ledger.query(
        """
        SELECT archive_hash, account, work, conversations + resources,
               list_filter(notes, lambda n: n.reason = $1)[1].remedy
        FROM imports WHERE complete AND list_contains(list_transform(notes, lambda n: n.reason), $1)
        """,
        [reason],
    )
    return {
        (str(archive), str(account), str(work)): (str(remedy), int(str(kept)))
        for archive, account, work, kept, remedy in found
    }


def imports(ledger: Ledger) -> list[Row]:
    """Every import report, newest first."""
    return ledger.rows("SELECT * FROM imports ORDER BY imported_at DESC, archive")


def overview(ledger: Ledger) -> list[Row]:
    """By account: conversations, messages, first and last time, notes by state, resources, and how many of
    the conversations are gone from the newest export."""
    return ledger.rows(
        """
        SELECT a.account, count(c.conversation_id) AS conversations, coalesce(sum(c.messages), 0) AS messages,
               min(c.created_at) AS first, max(coalesce(c.updated_at, c.created_at)) AS last,
               (SELECT count(*) FROM units_current u WHERE u.account = a.account
                AND u.state IN ('passed', 'review', 'kept')) AS notes,
               (SELECT count(*) FROM units_current u WHERE u.account = a.account
                AND u.state = 'kept') AS kept,
               (SELECT count(*) FROM resources r WHERE r.account = a.account) AS resources,
               (SELECT count(*) FROM gone_conversations g WHERE g.account = a.account) AS gone
        FROM (SELECT account FROM conversations UNION SELECT account FROM resources) a
        LEFT JOIN conversations c ON c.account = a.account
        GROUP BY a.account ORDER BY a.account
        """
    )


EXPORTS: dict[str, str] = {
    "units": """
        SELECT u.* REPLACE (now.text AS text), now.state, now.text_before
        FROM units u JOIN units_current now ON now.id = u.id ORDER BY u.id
    """,
    "resources": "SELECT * FROM resources ORDER BY id",
    "summaries": "SELECT * FROM summaries_current ORDER BY conversation_id",
    "threads": """
        SELECT t.*, m.* EXCLUDE (id, thread_id, account, run) FROM threads t
        LEFT JOIN thread_maps_current m ON m.thread_id = t.id ORDER BY t.id
    """,
    "chunks": 'SELECT * FROM chunks ORDER BY source_id, "start"',
    "conversations": """
        SELECT c.*, (
            SELECT g.gone_since FROM gone_conversations g WHERE g.conversation_id = c.conversation_id
        ) AS gone_since, (
            SELECT list({'id': m.message_id, 'parent': m.parent, 'role': m.role, 'author': m.author,
                         'created_at': m.created_at, 'text': m.text, 'gone': m.gone,
                         'on_active_branch': m.on_active_branch}
                        ORDER BY m.position)
            FROM messages m WHERE m.conversation_id = c.conversation_id
        ) AS message_list
        FROM conversations c ORDER BY c.conversation_id
    """,
}
"""What `mnemic export` writes, by name."""


_FORMULA = "^[=+@\\t\\r\\n＝＋－＠-]"
"""How a cell begins that a spreadsheet takes for a formula, wherever quotes stand."""


def export(ledger: Ledger, what: str, file_format: str, path: Path) -> int:
    """Write every row of `what` to a file as jsonl, parquet or csv; returns how many rows.

    In csv an apostrophe comes before a text that a spreadsheet would take for a formula.
    """
    options = {
        "jsonl": "FORMAT json, ARRAY false",
        "parquet": "FORMAT parquet, COMPRESSION zstd",
        "csv": "FORMAT csv, HEADER true",
    }[file_format]
    quoted = str(path).replace("'", "''")
    rows = _without_formulas(ledger, EXPORTS[what]) if file_format == "csv" else EXPORTS[what]
    ((count,),) = ledger.query(f"COPY ({rows}) TO '{quoted}' ({options})")
    return int(str(count))


def _without_formulas(ledger: Ledger, query: str) -> str:
    columns = ledger.query(f"SELECT column_name, column_type FROM (DESCRIBE {query})")
    cells = ", ".join(
        f"if(regexp_matches({name}, '{_FORMULA}'), chr(39) || {name}, {name}) AS {name}"
        for name in (f'"{column}"' for column, kind in columns if kind == "VARCHAR")
    )
    return f"SELECT * REPLACE ({cells}) FROM ({query})"
