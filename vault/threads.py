"""Threads in the ledger: what they are found by, what they were, and what they are now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
from pydantic import TypeAdapter

from schemas.base import Instant
from schemas.thread import Profile, SessionSummary, Thread, ThreadMap
from schemas.unit import RECALLED_STATES, Unit
from vault import rows
from vault.batch import unit_from_row
from vault.ledger import Ledger


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


_SESSION = ("conversation_id", "title", "project", "provider", "began", "ended")


def profiles_of(ledger: Ledger, account: str) -> list[Profile]:
    """What each of the account's conversations is about, in the order of their ids."""
    found = ledger.rows(
        """SELECT conversation_id, account, terms, words, counts FROM profiles
           WHERE account = ? ORDER BY conversation_id""",
        [account],
    )
    return [Profile.model_validate(row) for row in found]


def threads_of(ledger: Ledger, account: str) -> list[Thread]:
    """The account's threads, those without conversations too, in the order of their ids."""
    found = ledger.rows(
        "SELECT id, account, label, conversation_ids, aliases FROM threads WHERE account = ? ORDER BY id",
        [account],
    )
    return [Thread.model_validate(row) for row in found]


def thread_maps_of(ledger: Ledger, account: str) -> dict[str, ThreadMap]:
    """The map of each of the account's threads, by the thread's id."""
    found = ledger.rows("SELECT * EXCLUDE (run) FROM thread_maps WHERE account = ?", [account])
    return {str(row["thread_id"]): ThreadMap.model_validate(row) for row in found}


def summary_of(ledger: Ledger, conversation: str) -> SessionSummary | None:
    """The summary of a conversation, where it has one."""
    found = ledger.rows(
        "SELECT * EXCLUDE (run) FROM session_summaries WHERE conversation_id = ?", [conversation]
    )
    return SessionSummary.model_validate(found[0]) if found else None


def replace_threads(
    ledger: Ledger, account: str, threads: Sequence[Thread], maps: Sequence[ThreadMap], run: str
) -> None:
    """Put the account's threads and maps in the place of what it had."""
    for table, schema, nouns in (("threads", rows.THREADS, threads), ("thread_maps", rows.THREAD_MAPS, maps)):
        ledger.query(f"DELETE FROM {table} WHERE account = ?", [account])
        made = [{**one.model_dump(), "run": run} for one in nouns]
        ledger.append(table, pa.Table.from_pylist(made, schema=schema))


def sessions_of(ledger: Ledger, account: str) -> list[Session]:
    """The account's conversations in the order of time, undated ones last."""
    found = ledger.query(
        """
        SELECT c.conversation_id, c.title, c.project, c.provider,
               coalesce(c.created_at, min(m.created_at)) AS began, max(m.created_at) AS ended
        FROM conversations c LEFT JOIN messages m ON m.conversation_id = c.conversation_id
        WHERE c.account = ? GROUP BY c.conversation_id, c.title, c.project, c.provider, c.created_at
        ORDER BY began NULLS LAST, c.conversation_id
        """,
        [account],
    )
    return [TypeAdapter(Session).validate_python(dict(zip(_SESSION, row, strict=True))) for row in found]


def units_in_force(ledger: Ledger, conversations: Sequence[str]) -> dict[str, list[Unit]]:
    """The conversations' units that recall would show, in the order in which they were said."""
    found = ledger.rows(
        """
        SELECT u.* FROM units u JOIN unit_states s ON s.unit_id = u.id
        LEFT JOIN messages m ON m.message_id = u.evidence[1].message_id
        WHERE u.conversation_id IN (SELECT unnest(?)) AND s.state IN (SELECT unnest(?))
        ORDER BY u.conversation_id, m.position, u.evidence[1]."start", u.id
        """,
        [list(conversations), [state.value for state in RECALLED_STATES]],
    )
    units: dict[str, list[Unit]] = {}
    for row in found:
        unit = unit_from_row(row)
        units.setdefault(unit.conversation_id, []).append(unit)
    return units
