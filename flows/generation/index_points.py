"""Every point that the index must hold, from the ledger alone: what a rebuild and a check start from.

One source for each kind of thing that has points; a new `PointKind` is one more line in `SOURCES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from flows.batches.search_points import Windows, points_of, resource_point, thread_point
from flows.generation.loading import unit_to_show, with_relations
from schemas.chunk import Chunk
from schemas.resource import Resource
from schemas.unit import State
from vault.ledger import Ledger
from vault.points import DraftPoint, PointKind
from vault.threads import sessions_of, summary_of, thread_maps_of, threads_of

Compose = Callable[[Ledger, Sequence[str], Windows], Iterator[DraftPoint]]
"""(ledger, ids of what the points belong to, windows) to the points."""


@dataclass(frozen=True, slots=True)
class PointSource:
    """One kind of thing that has points."""

    kinds: frozenset[PointKind]
    ids: str
    """Query for the ids of all such things, in order."""
    compose: Compose


def _chunks(ledger: Ledger, owner: str) -> list[Chunk]:
    rows = ledger.rows(
        """
        SELECT k.* FROM chunks k LEFT JOIN messages m ON m.message_id = k.source_id
        WHERE k.conversation_id = ? ORDER BY m.position, k."start"
        """,
        [owner],
    )
    return [
        Chunk.model_validate({name: row[name] for name in Chunk.model_fields if name in row}) for row in rows
    ]


def _of_conversations(ledger: Ledger, ids: Sequence[str], windows: Windows) -> Iterator[DraftPoint]:
    for one in ids:
        conversation = ledger.conversation(one)
        if conversation is None:
            continue
        found = ledger.rows(
            """
            SELECT u.* REPLACE (coalesce(k.text, u.text) AS text), u.text AS told
            FROM units u LEFT JOIN corrections k ON k.unit_id = u.id
            WHERE u.conversation_id = ? ORDER BY u.id
            """,
            [one],
        )
        units = [unit_to_show(row) for row in found]
        states = ledger.states([unit.id for unit in units])
        own = ((unit, states.get(unit.id, State.PASSED)) for unit in units)
        summary = summary_of(ledger, one)
        drafts = points_of(conversation, own, _chunks(ledger, one), windows, summary)
        yield from with_relations(ledger, list(drafts))


def _of_resources(ledger: Ledger, ids: Sequence[str], windows: Windows) -> Iterator[DraftPoint]:
    for one in ids:
        for row in ledger.rows("SELECT * FROM resources WHERE id = ?", [one]):
            resource = Resource.model_validate({name: row[name] for name in Resource.model_fields})
            for chunk in _chunks(ledger, one):
                if "heading_only" not in chunk.flags:
                    yield resource_point(chunk, resource, windows)


def _of_threads(ledger: Ledger, ids: Sequence[str], windows: Windows) -> Iterator[DraftPoint]:
    wanted = set(ids)
    for account in ledger.accounts() if wanted else ():
        maps = thread_maps_of(ledger, account)
        sessions = {one.conversation_id: one for one in sessions_of(ledger, account)}
        for thread in threads_of(ledger, account):
            if thread.id in wanted and thread.id in maps:
                yield thread_point(thread, maps[thread.id], sessions, windows)


SOURCES: tuple[PointSource, ...] = (
    PointSource(
        frozenset({PointKind.CONVERSATION, PointKind.SUMMARY, PointKind.UNIT, PointKind.CHUNK}),
        "SELECT conversation_id FROM conversations ORDER BY conversation_id",
        _of_conversations,
    ),
    PointSource(frozenset({PointKind.CHUNK}), "SELECT id FROM resources ORDER BY id", _of_resources),
    PointSource(frozenset({PointKind.THREAD}), "SELECT id FROM threads ORDER BY id", _of_threads),
)


def points_from_ledger(
    ledger: Ledger, windows: Windows, only: frozenset[str] | None = None
) -> Iterator[DraftPoint]:
    """Every point that the ledger stands for; with `only`, those of the named owners."""
    for source in SOURCES:
        ids = [str(one) for (one,) in ledger.query(source.ids)]
        yield from source.compose(ledger, [one for one in ids if only is None or one in only], windows)
