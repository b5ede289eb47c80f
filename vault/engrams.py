"""What an export for a person's notebook tells: notes with their relations, summaries, thread maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import TypeAdapter

from schemas.base import Instant
from schemas.relation import RelationKind
from schemas.unit import Category, Speaker, State
from vault.ledger import Ledger

TOLD = (RelationKind.SUPERSEDES, RelationKind.DERIVED_FROM, RelationKind.CONTRADICTS)
"""Relations that a page names; duplicates are archived, and stand in their canonical note's evidence."""


@dataclass(frozen=True, slots=True)
class ToldNote:
    """A note as a page tells it."""

    id: str
    text: str
    """As the owner corrected it."""
    first_text: str
    """As it was extracted: it never changes."""
    category: Category
    speaker: Speaker
    speaker_name: str | None
    state: State
    said_at: Instant | None
    conversation_id: str
    conversation: str | None
    provider: str | None
    quotes: tuple[str, ...]
    native_id: str | None = None
    """The conversation's, at its service."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A standing relation of two notes, and the words and conversation of both."""

    kind: RelationKind
    unit_id: str
    unit_text: str
    unit_conversation: str
    other_id: str
    other_text: str
    other_conversation: str


@dataclass(frozen=True, slots=True)
class Summarised:
    """A conversation with its summary."""

    id: str
    title: str | None
    provider: str
    began: Instant | None
    text: str
    short: bool
    native_id: str = ""


def notes_to_tell(ledger: Ledger, account: str, states: Sequence[State]) -> list[ToldNote]:
    """The account's notes in these states, in the order of their ids."""
    return _read(
        ToldNote,
        ledger.rows(
            """
            SELECT u.id, now.text, u.text AS first_text, u.category, u.speaker, u.speaker_name, now.state,
                   u.said_at, u.conversation_id, now.conversation, now.provider,
                   list_transform(u.evidence, lambda e: e.quote) AS quotes, c.native_id
            FROM units u JOIN units_current now ON now.id = u.id
            LEFT JOIN conversations c ON c.conversation_id = u.conversation_id
            WHERE u.account = ? AND now.state IN (SELECT unnest(?)) ORDER BY u.id
            """,
            [account, [state.value for state in states]],
        ),
    )


def ties(ledger: Ledger, account: str) -> list[Tie]:
    """The account's standing relations that a page names, in the order in which they were added."""
    return _read(
        Tie,
        ledger.rows(
            """
            SELECT r.kind, r.unit_id, a.text AS unit_text, a.conversation_id AS unit_conversation,
                   r.other_id, b.text AS other_text, b.conversation_id AS other_conversation
            FROM relations_current r JOIN units_current a ON a.id = r.unit_id
            JOIN units_current b ON b.id = r.other_id
            WHERE r.account = ? AND r.kind IN (SELECT unnest(?)) ORDER BY r.relation_no
            """,
            [account, [kind.value for kind in TOLD]],
        ),
    )


def summaries_to_tell(ledger: Ledger, account: str) -> list[Summarised]:
    """The account's conversations that have a summary, in the order of their ids."""
    return _read(
        Summarised,
        ledger.rows(
            """
            SELECT c.conversation_id AS id, c.title, c.provider, coalesce(c.created_at, (
                       SELECT min(m.created_at) FROM messages m WHERE m.conversation_id = c.conversation_id
                   )) AS began, s.text, s."short", c.native_id
            FROM summaries_current s JOIN conversations c ON c.conversation_id = s.conversation_id
            WHERE c.account = ? ORDER BY c.conversation_id
            """,
            [account],
        ),
    )


T = TypeVar("T")


def _read(kind: type[T], rows: Sequence[object]) -> list[T]:
    reader = TypeAdapter(kind)
    return [reader.validate_python(row) for row in rows]
