"""Threads in the ledger: what they are found by, what they were, and what they are now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from schemas.base import Instant
from schemas.conversation import Message
from schemas.deferred import deferred
from schemas.ids import stored_form
from schemas.thread import Profile, SessionSummary, Thread, ThreadMap
from schemas.unit import RECALLED_STATES, State, Unit
from vault.ledger import Ledger
from vault.nouns_from_rows import unit_from_row
from vault.queries import Row

if TYPE_CHECKING:
    import pyarrow as pa

    from vault import rows
else:
    pa = deferred("pyarrow")
    rows = deferred("vault.rows")


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation as its thread sees it."""

    conversation_id: str
    title: str | None
    project: str | None
    provider: str
    began: Instant | None
    ended: Instant | None
    """Time of its newest message."""
    last_message: str | None
    """The message that ends its active branch."""


_SESSION = ("conversation_id", "title", "project", "provider", "began", "ended", "last_message")
_SESSIONS = TypeAdapter(list[Session])


def profiles_of(ledger: Ledger, conversations: Sequence[str]) -> dict[str, Profile]:
    """What each of the conversations is about, by its id, in the order given."""
    found = ledger.rows(
        """SELECT conversation_id, account, terms, words, counts FROM profiles
           WHERE conversation_id IN (SELECT unnest(?))""",
        [list(conversations)],
    )
    profiles = {str(row["conversation_id"]): Profile.model_validate(row) for row in found}
    return {one: profiles[one] for one in conversations if one in profiles}


def threads_of(ledger: Ledger, account: str) -> list[Thread]:
    """The account's threads, in the order of their ids."""
    found = ledger.rows(
        "SELECT id, account, label, conversation_ids, aliases FROM threads WHERE account = ? ORDER BY id",
        [account],
    )
    return [Thread.model_validate(row) for row in found]


def thread_maps_of(ledger: Ledger, account: str) -> dict[str, ThreadMap]:
    """The map of each of the account's threads, by the thread's id; one that is in doubt tells nothing."""
    found = ledger.rows(
        "SELECT * EXCLUDE (run, withheld) FROM thread_maps_current WHERE account = ?", [account]
    )
    return {str(row["thread_id"]): ThreadMap.model_validate(row) for row in found}


def summary_of(ledger: Ledger, conversation: str) -> SessionSummary | None:
    """The summary of a conversation as it may be told now, where it has one."""
    found = ledger.rows(
        "SELECT * EXCLUDE (run, withheld) FROM summaries_current WHERE conversation_id = ?", [conversation]
    )
    return SessionSummary.model_validate(found[0]) if found else None


def mapped_by_rules(ledger: Ledger) -> set[str]:
    """The first conversation of each thread whose map no model wrote."""
    found = ledger.query(
        """SELECT t.conversation_ids[1] FROM threads t JOIN thread_maps m ON m.thread_id = t.id
           WHERE starts_with(m.writer, 'offline/')"""
    )
    return {str(one) for (one,) in found}


def messages_of(ledger: Ledger, messages: Sequence[str]) -> dict[str, Message]:
    """Messages by id."""
    found = ledger.rows("SELECT * FROM messages WHERE message_id IN (SELECT unnest(?))", [list(messages)])
    names = [name for name in Message.model_fields if name != "id"]
    return {
        str(row["message_id"]): Message.model_validate(
            {"id": row["message_id"], **{name: row[name] for name in names}}
        )
        for row in found
    }


def write_threads(
    ledger: Ledger, threads: Sequence[Thread], maps: Sequence[ThreadMap], gone: Collection[str], run: str
) -> None:
    """Add threads and their maps, or replace those that had their ids; `gone` ones are removed."""
    ids = [*(thread.id for thread in threads), *gone]
    for table, column, schema, nouns in (
        ("threads", "id", rows.THREADS, threads),
        ("thread_maps", "thread_id", rows.THREAD_MAPS, maps),
    ):
        ledger.query(f"DELETE FROM {table} WHERE {column} IN (SELECT unnest(?))", [ids])
        made = [{**one.model_dump(), "run": run} for one in nouns]
        ledger.append(table, pa.Table.from_pylist(made, schema=schema))


def sessions_of(ledger: Ledger, account: str) -> list[Session]:
    """The account's conversations in the order of time, undated ones last."""
    found = ledger.query(
        """
        SELECT c.conversation_id, c.title, c.project, c.provider,
               coalesce(c.created_at, min(m.created_at)) AS began, max(m.created_at) AS ended,
               arg_max(m.message_id, m.position) FILTER (m.on_active_branch AND NOT m.hidden)
        FROM conversations c LEFT JOIN messages m ON m.conversation_id = c.conversation_id
        WHERE c.account = ? GROUP BY c.conversation_id, c.title, c.project, c.provider, c.created_at
        ORDER BY began NULLS LAST, c.conversation_id
        """,
        [account],
    )
    return _SESSIONS.validate_python([dict(zip(_SESSION, row, strict=True)) for row in found])


def conversations_touched(ledger: Ledger, run: str) -> set[str]:
    """Conversations that the run read, and those a note of which it gave another state, text or relation."""
    found = ledger.query(
        """
        SELECT conversation_id FROM conversations WHERE run = $run
        UNION SELECT conversation_id FROM units WHERE id IN
            (SELECT unit_id FROM unit_events WHERE run = $run UNION SELECT subject FROM acts WHERE run = $run
             UNION SELECT unit_id FROM relations WHERE run = $run
             UNION SELECT other_id FROM relations WHERE run = $run)
        """,
        {"run": run},
    )
    return {str(one) for (one,) in found}


def term_counts(ledger: Ledger, account: str) -> dict[str, int]:
    """How many of the account's conversations have a term in their profile."""
    found = ledger.query(
        """SELECT term, count(*) FROM (SELECT unnest(terms) AS term FROM profiles WHERE account = ?)
           GROUP BY term""",
        [account],
    )
    return {str(term): int(str(count)) for term, count in found}


_TOLD_STATES = (*RECALLED_STATES, State.ARCHIVED)


def units_told(ledger: Ledger, conversations: Sequence[str]) -> list[tuple[Unit, State]]:
    """The conversations' units that recall would show, or would have shown before they were archived.

    In the order in which they were said, with the texts that the owner corrected.
    """
    found = ledger.rows(
        """
        SELECT u.* REPLACE (coalesce(k.text, u.text) AS text), s.state, k.text IS NOT NULL AS corrected
        FROM units u JOIN unit_states s ON s.unit_id = u.id
        LEFT JOIN corrections k ON k.unit_id = u.id
        LEFT JOIN messages m ON m.message_id = u.evidence[1].message_id
        WHERE u.conversation_id IN (SELECT unnest(?)) AND s.state IN (SELECT unnest(?)) AND u.active_branch
        ORDER BY u.conversation_id, m.position, u.evidence[1]."start", u.id
        """,
        [list(conversations), [state.value for state in _TOLD_STATES]],
    )

    told = [(unit_from_row(row), row) for row in found]
    return [
        (as_corrected(unit) if row["corrected"] else unit, State(str(row["state"]))) for unit, row in told
    ]


def as_corrected(unit: Unit) -> Unit:
    """A unit whose text the owner corrected, as it is retold: its quotes say what the owner took back."""
    evidence = tuple(one.model_copy(update={"quote": unit.text}) for one in unit.evidence)
    return unit.model_copy(update={"evidence": evidence, "context": (), "estimate": None})


def merged_into(ledger: Ledger, named: str, account: str | None = None) -> list[str]:
    """Ids of the threads that a thread was merged into whose id is, or begins with, what was named.

    With `account`, as if there were no other.
    """
    merged = ledger.query(
        """
        SELECT DISTINCT id FROM (SELECT id, account, unnest(aliases) AS alias FROM threads)
        WHERE starts_with(alias, $named) AND ($account IS NULL OR account = $account) ORDER BY id LIMIT 3
        """,
        {"named": stored_form(named), "account": account},
    )
    return [str(one) for (one,) in merged]


def thread_in_full(ledger: Ledger, thread: str) -> Row:
    """A thread with its conversations and its map."""
    (row,) = ledger.rows("SELECT * FROM threads WHERE id = ?", [thread])
    row["conversations"] = ledger.rows(
        """
        SELECT c.conversation_id, c.title, c.provider, c.created_at
        FROM (SELECT unnest(conversation_ids) AS one, generate_subscripts(conversation_ids, 1) AS place
              FROM threads WHERE id = ?) t
        JOIN conversations c ON c.conversation_id = t.one ORDER BY t.place
        """,
        [thread],
    )
    (row["map"],) = ledger.rows(
        "SELECT * EXCLUDE (account, run) FROM thread_maps_current WHERE thread_id = ?", [thread]
    )
    return row


def list_threads(
    ledger: Ledger, account: str, conversation: str | None = None, among: Collection[str] | None = None
) -> list[Row]:
    """The account's threads, or the one of a conversation; the one that was last added to comes first.

    `among`: as if there were no other conversations.
    """
    return ledger.rows(
        """
        WITH cut AS (
            SELECT * REPLACE (CASE WHEN $among IS NULL THEN conversation_ids
                              ELSE list_filter(conversation_ids, lambda one: list_contains($among, one)) END
                              AS conversation_ids) FROM threads
        )
        SELECT t.id, t.label, len(t.conversation_ids) AS sessions, t.conversation_ids, t.aliases,
               min(c.created_at) AS first, max(coalesce(c.updated_at, c.created_at)) AS last,
               any_value(len(m.in_force)) AS decisions, any_value(len(m.open_questions)) AS open_questions
        FROM cut t LEFT JOIN conversations c ON list_contains(t.conversation_ids, c.conversation_id)
        LEFT JOIN thread_maps_current m ON m.thread_id = t.id
        WHERE t.account = $account AND len(t.conversation_ids) > 1
          AND ($conversation IS NULL OR list_contains(t.conversation_ids, $conversation))
        GROUP BY ALL ORDER BY last DESC NULLS LAST, t.id
        """,
        {"account": account, "conversation": conversation, "among": None if among is None else sorted(among)},
    )
