"""Last step: staged batches and the owner's acts become the next generation, verified and published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from flows.working import compose, windows_for
from inference.embedder import Embedder
from inference.sparse import encode_document
from retrieval.points import Card, unit_point
from schemas.unit import UnitEvent
from vault.batch import Batch, unit_from_row
from vault.generations import JOURNAL_SEQ, Building
from vault.index import IndexedPoint, Vector
from vault.integrity import check_written
from vault.journal import STATE_AFTER, Act
from vault.ledger import Stamp
from vault.points import DraftPoint, Payload, SparseVector
from vault.relations import merge_links


@dataclass(frozen=True, slots=True)
class PointChanges:
    """What is to change in the index."""

    upserts: list[IndexedPoint]
    payloads: list[tuple[str, Payload]]
    gone: list[str]


def load_batch(
    building: Building, batch: Batch, wanted: Sequence[str], embedder: Embedder, stamp: Stamp
) -> None:
    """Load the wanted conversations of a batch into the building generation and read their points back.

    Raises IntegrityError where a point read back is not the one written.
    """
    left = building.ledger.merge_batch(batch.folder, wanted, stamp)
    merge_links(building.ledger, batch.folder, wanted, stamp)
    states = building.ledger.states([unit.id for unit in batch.units()])
    loaded = set(wanted)
    composed = compose(batch, states, windows_for(embedder))
    drafts = [draft for draft in composed if draft.payload.conversation_id in loaded]
    # units that this extraction no longer finds stay on record, and so do their points
    drafts.extend(units_as_points(building, left))
    # by what is loaded, not by its points: a resource may have none left
    existing = building.ledger.points_of(wanted)
    apply_changes(building, point_changes(drafts, existing, batch.vectors(), replaces=True), stamp.run)


def units_as_points(building: Building, units: Sequence[str]) -> list[DraftPoint]:
    """The points of units that the ledger holds, in their present states."""
    if not units:
        return []
    states = building.ledger.states(units)
    rows = building.ledger.rows(
        """
        SELECT u.*, c.title, c.provider, coalesce(c.created_at, (
            SELECT arg_min(m.created_at, m.position) FROM messages m
            WHERE m.conversation_id = c.conversation_id AND m.created_at IS NOT NULL
        )) AS began
        FROM units u JOIN conversations c ON c.conversation_id = u.conversation_id
        WHERE u.id IN (SELECT unnest(?)) ORDER BY u.id
        """,
        [list(units)],
    )
    points = []
    for row in rows:
        unit = unit_from_row(row)
        points.append(unit_point(unit, states[unit.id], _card(row)))
    return points


def _card(row: Mapping[str, object]) -> Card:
    names = ("conversation_id", "account", "provider", "title", "began")
    return TypeAdapter(Card).validate_python({name: row[name] for name in names})


def point_changes(
    drafts: Iterable[DraftPoint],
    existing: Mapping[str, tuple[str, str]],
    vectors: Mapping[str, Vector],
    *,
    replaces: bool,
) -> PointChanges:
    """Compare what should be with (content hash, payload hash) by id of what is.

    With `replaces`, existing points that no draft stands for are gone; otherwise they are left alone.
    """
    changes = PointChanges([], [], [])
    wanted: set[str] = set()
    for draft in drafts:
        wanted.add(draft.id)
        content, payload = existing.get(draft.id, ("", ""))
        if content != draft.payload.content_hash:
            sparse = SparseVector(*encode_document(draft.lexical_text, draft.average_terms))
            changes.upserts.append(IndexedPoint(draft.id, draft.payload, vectors[draft.id], sparse))
        elif payload != draft.payload.digest:
            changes.payloads.append((draft.id, draft.payload))
    if replaces:
        changes.gone.extend(sorted(existing.keys() - wanted))
    return changes


def apply_changes(building: Building, changes: PointChanges, run: str) -> None:
    """Write the changes to index and ledger, and read the written points back."""
    building.index.upsert(changes.upserts)
    building.index.set_payloads(changes.payloads)
    building.index.delete(changes.gone)
    check_written(building.index, changes.upserts)
    written = [(point.id, point.payload) for point in changes.upserts] + changes.payloads
    building.ledger.replace_points(
        [_point_row(point, payload, run) for point, payload in written], changes.gone
    )


def _point_row(point: str, payload: Payload, run: str) -> dict[str, str]:
    return {
        "point_id": point,
        "kind": payload.kind.value,
        "ref": payload.ref,
        "account": payload.account,
        "conversation_id": payload.conversation_id,
        "content_hash": payload.content_hash,
        "payload_hash": payload.digest,
        "run": run,
    }


def fold_journal(building: Building, acts: Sequence[Act], run: str) -> None:
    """Apply the owner's acts: events in the ledger, tier and weight in the index. Nothing is embedded."""
    ledger = building.ledger
    known = {
        str(unit)
        for (unit,) in ledger.query(
            "SELECT id FROM units WHERE id IN (SELECT unnest(?))", [[act.unit_id for act in acts]]
        )
    }
    ledger.add_events(
        UnitEvent(
            unit_id=act.unit_id,
            state=STATE_AFTER[act.kind],
            actor=act.actor,
            reason=act.reason,
            at=act.at,
            run=run,
        )
        for act in acts
        if act.unit_id in known
    )
    drafts = units_as_points(building, sorted(known))
    existing = ledger.points_of(sorted({draft.payload.conversation_id for draft in drafts}))
    apply_changes(building, point_changes(drafts, existing, {}, replaces=False), run)
    if acts:
        ledger.settle(JOURNAL_SEQ, str(acts[-1].seq))
