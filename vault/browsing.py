"""What the pages of the application list: conversations, threads, days, and the notes of a conversation.

Everything is of the account whose deck is laid out on the connection (`vault.deck`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from schemas.unit import RECALLED_STATES
from vault.deck import Row
from vault.ledger import Ledger

RECALLED = [state.value for state in RECALLED_STATES]

_SUCCEEDED = """
CREATE OR REPLACE TEMP TABLE succeeded AS
SELECT id, arg_max(successor, "at") AS successor, arg_max(effect, "at") AS effect FROM (
    SELECT other_id AS id, unit_id AS successor, "at", 'standing' AS effect FROM relations_current
    WHERE account = $account AND kind = 'supersedes'
    UNION ALL
    SELECT other_id, unit_id, "at", 'proposed' FROM judgements
    WHERE account = $account AND effect = 'proposed' AND verdict <> 'duplicate'
) WHERE (id, successor) NOT IN (SELECT (g, s) FROM (SELECT unnest($gone) g, unnest($kept) s)) GROUP BY id
"""


@dataclass(frozen=True, slots=True)
class WantedTalks:
    """Which conversations; "" and None mean any."""

    account: str
    provider: str = ""
    words: str = ""
    """This stands in the title, whatever its case."""
    thread: str = ""
    since: datetime | None = None
    before: datetime | None = None
    archive: str = ""
    """They came, as they are now, from the archive with this hash."""


def lay_out_succeeded(ledger: Ledger, account: str, parted: Sequence[tuple[str, str]]) -> None:
    """Make the table `succeeded`: which note takes the place of which. `parted`: (goes, stays) of those pairs
    that the owner said are two."""
    ledger.query(
        _SUCCEEDED,
        {"account": account, "gone": [goes for goes, _ in parted], "kept": [stays for _, stays in parted]},
    )


def talks(ledger: Ledger, wanted: WantedTalks, limit: int, skip: int = 0) -> list[Row]:
    """Conversations, the newest first, undated ones last: with how many notes recall shows of each."""
    condition, values = _talk_condition(wanted)
    return ledger.rows(
        f"""
        WITH shown AS (
            SELECT * FROM conversations c WHERE {condition}
            ORDER BY created_at DESC NULLS LAST, conversation_id LIMIT $limit OFFSET $skip
        )
        SELECT s.conversation_id, s.title, s.provider, s.native_id, s.created_at, s.updated_at, s.messages,
               s.model, s.project, coalesce(n.notes, 0) AS notes
        FROM shown s LEFT JOIN (
            SELECT conversation_id, count(*) AS notes FROM deck LEFT JOIN pending p ON p.unit_id = deck.id
            WHERE conversation_id IN (SELECT conversation_id FROM shown)
              AND coalesce(p.state, deck.state) IN (SELECT unnest($recalled)) GROUP BY conversation_id
        ) n ON n.conversation_id = s.conversation_id
        ORDER BY s.created_at DESC NULLS LAST, s.conversation_id
        """,
        {**values, "limit": limit, "skip": skip, "recalled": RECALLED},
    )


def count_talks(ledger: Ledger, wanted: WantedTalks) -> int:
    """How many conversations are wanted."""
    condition, values = _talk_condition(wanted)
    ((found,),) = ledger.query(f"SELECT count(*) FROM conversations c WHERE {condition}", values)
    return int(str(found))


def talk_card(ledger: Ledger, account: str, conversation: str) -> Row | None:
    """One conversation of the account with its summary, if there is one; None where there is none such."""
    found = ledger.rows(
        """SELECT c.conversation_id, c.title, c.provider, c.model, c.project, c.created_at, c.messages,
                  (SELECT text FROM summaries_current s
                   WHERE s.conversation_id = c.conversation_id) AS summary
           FROM conversations c WHERE c.conversation_id = ? AND c.account = ?""",
        [conversation, account],
    )
    return found[0] if found else None


def notes_at_words(ledger: Ledger, conversation: str, messages: Sequence[str]) -> list[Row]:
    """The notes that stand on words of these messages of a conversation: message, span, and the note as it is
    now, in the order of the words. What the gate rejected as no note is left out."""
    rows = ledger.query(
        "SELECT row FROM deck WHERE conversation_id = ? AND state <> 'rejected'", [conversation]
    )
    return ledger.rows(
        """
        SELECT e.message_id, e."start", e."end", d.id, coalesce(p.text, d.text) AS text, d.category,
               coalesce(p.state, d.state) AS state, d.speaker
        FROM (SELECT id, unnest(evidence, max_depth := 2) FROM units WHERE rowid IN (SELECT unnest($rows))) e
        JOIN deck d ON d.id = e.id LEFT JOIN pending p ON p.unit_id = d.id
        WHERE e.message_id IN (SELECT unnest($messages)) ORDER BY e.message_id, e."start", e."end", d.id
        """,
        {"rows": [row for (row,) in rows], "messages": list(messages)},
    )


def threads_of_talk(ledger: Ledger, account: str, conversation: str) -> list[Row]:
    """The threads of the conversation, each with the talks before and after it there."""
    return ledger.rows(
        """
        SELECT id, label, len(conversation_ids) AS conversations,
               CASE WHEN place > 1 THEN conversation_ids[place - 1] END AS before,
               conversation_ids[place + 1] AS after
        FROM (SELECT *, list_position(conversation_ids, $talk) AS place FROM threads
              WHERE account = $account AND list_contains(conversation_ids, $talk))
        WHERE len(conversation_ids) > 1
        """,
        {"account": account, "talk": conversation},
    )


def thread_list(ledger: Ledger, account: str, words: str, limit: int, skip: int = 0) -> list[Row]:
    """Threads of several conversations, the one that was last added to first; `words` stand in the label."""
    return ledger.rows(
        """
        WITH member AS (
            SELECT id, label, unnest(conversation_ids) AS conversation_id FROM threads
            WHERE account = $account AND len(conversation_ids) > 1 AND contains(lower(label), lower($words))
        ), shown AS (
            SELECT t.id, t.label, count(*) AS conversations, sum(c.messages) AS messages,
                   min(c.created_at) AS first, max(coalesce(c.updated_at, c.created_at)) AS last
            FROM member t JOIN conversations c ON c.conversation_id = t.conversation_id
            GROUP BY t.id, t.label ORDER BY last DESC NULLS LAST, t.id LIMIT $limit OFFSET $skip
        )
        SELECT s.*, len(m.in_force) AS decisions, len(m.open_questions) AS open_questions
        FROM shown s LEFT JOIN thread_maps m ON m.thread_id = s.id ORDER BY s.last DESC NULLS LAST, s.id
        """,
        {"account": account, "words": words, "limit": limit, "skip": skip},
    )


def count_threads(ledger: Ledger, account: str, words: str = "") -> int:
    """How many threads of several conversations there are."""
    ((found,),) = ledger.query(
        """SELECT count(*) FROM threads
           WHERE account = ? AND len(conversation_ids) > 1 AND contains(lower(label), lower(?))""",
        [account, words],
    )
    return int(str(found))


def thread_named(ledger: Ledger, account: str, thread: str) -> str | None:
    """The thread's present id, whether it is named by that or by one that it had before."""
    found = ledger.query(
        "SELECT id FROM threads WHERE account = ? AND (id = ? OR list_contains(aliases, ?)) LIMIT 1",
        [account, thread, thread],
    )
    return str(found[0][0]) if found else None


def days(ledger: Ledger, first: date, last: date) -> list[Row]:
    """Days from the first to the last on which notes were said that recall shows: day, notes."""
    return ledger.rows(
        """
        SELECT CAST(said_at AS DATE) AS day, count(*) AS notes
        FROM deck LEFT JOIN pending p ON p.unit_id = deck.id
        WHERE said_at >= $first AND said_at < CAST($last AS DATE) + 1
          AND coalesce(p.state, deck.state) IN (SELECT unnest($recalled)) GROUP BY day ORDER BY day
        """,
        {"first": first, "last": last, "recalled": RECALLED},
    )


def years(ledger: Ledger) -> list[Row]:
    """Years in which notes were said that recall shows, newest first: year, notes."""
    return ledger.rows(
        """
        SELECT year(said_at) AS year, count(*) AS notes FROM deck LEFT JOIN pending p ON p.unit_id = deck.id
        WHERE said_at IS NOT NULL AND coalesce(p.state, deck.state) IN (SELECT unnest($recalled))
        GROUP BY year ORDER BY year DESC
        """,
        {"recalled": RECALLED},
    )


def succession(ledger: Ledger, units: Sequence[str]) -> dict[str, Row]:
    """Of the notes that another takes the place of: that other's id and text, and whether that stands or is
    proposed."""
    found = ledger.rows(
        """SELECT s.id, s.successor, s.effect, coalesce(p.text, d.text) AS text FROM succeeded s
           JOIN deck d ON d.id = s.successor LEFT JOIN pending p ON p.unit_id = d.id
           WHERE s.id IN (SELECT unnest(?))""",
        [list(units)],
    )
    return {str(row["id"]): row for row in found}


def related_notes(ledger: Ledger, unit: str) -> list[Row]:
    """Notes that stand in a relation to this one: kind, direction (`to`, `from`), reason, and the other."""
    return ledger.rows(
        """
        SELECT r.kind, r.way, r.reason, d.id, coalesce(p.text, d.text) AS text,
               coalesce(p.state, d.state) AS state, d.said_at
        FROM (SELECT kind, 'to' AS way, other_id AS other, reason FROM relations_current WHERE unit_id = $unit
              UNION ALL
              SELECT kind, 'from', unit_id, reason FROM relations_current WHERE other_id = $unit) r
        JOIN deck d ON d.id = r.other LEFT JOIN pending p ON p.unit_id = d.id
        ORDER BY r.kind, r.way, d.said_at, d.id LIMIT 50
        """,
        {"unit": unit},
    )


def _talk_condition(wanted: WantedTalks) -> tuple[str, dict[str, object]]:
    parts, values = ["account = $account"], dict[str, object](account=wanted.account)
    for name, condition, value in (
        ("provider", "provider = $provider", wanted.provider),
        ("words", "contains(lower(coalesce(title, '')), lower($words))", wanted.words),
        ("since", "created_at >= $since", wanted.since),
        ("before", "created_at < $before", wanted.before),
        ("archive", "archive_hash = $archive", wanted.archive),
        (
            "thread",
            "conversation_id IN (SELECT unnest(conversation_ids) FROM threads WHERE id = $thread)",
            wanted.thread,
        ),
    ):
        if value:
            parts.append(condition)
            values[name] = value
    return " AND ".join(parts), values
