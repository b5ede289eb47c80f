"""Last step: staged batches and the owner's acts become the next generation, verified and published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from curation.criteria.duplicate import is_whole
from curation.gate import after_corpus, gate_state
from flows.batches.batch_stages import GATE_ACTOR, compose, embed_points, windows_for
from flows.batches.search_points import Card, unit_point
from flows.generation.kept_notes import beside_kept, pending_acts
from inference.embedder import Embedder
from inference.secret_cover import form_in, shown_quote, without_secrets
from inference.secrets import mask_secrets
from inference.sparse import encode_document
from schemas.act import Act, ActKind
from schemas.unit import Evidence, State, Unit, UnitEvent
from vault.acts import corrections, known_units, record_acts
from vault.batch import Batch, GatedUnit
from vault.batch_merge import merge_batch
from vault.generations import JOURNAL_SEQ, Building
from vault.index import IndexedPoint, Vector
from vault.integrity import check_written
from vault.journal import Journal
from vault.ledger import Ledger, Stamp
from vault.model_calls import merge_fallbacks
from vault.model_paths import merge_model_paths
from vault.nouns_from_rows import unit_from_row
from vault.pair_acts import fold_pair_acts
from vault.points import DraftPoint, Payload, PointKind, PointSpan, SparseVector
from vault.policies import keep_by_policies
from vault.relations import merge_links, merged_evidence, successors
from vault.repeats import record_repeats, repeats

POINTS_AT_ONCE = 5_000
_CARD = TypeAdapter(Card)


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
    loaded = set(wanted)
    merged = ask_corpus(building.ledger, batch, wanted)
    pending = pending_acts(building)
    left = merge_batch(building.ledger, batch.folder, wanted, stamp, pending.texts)
    beside = beside_kept(building, batch, loaded, left, stamp, pending)
    merge_links(building.ledger, batch.folder, wanted, stamp, beside)
    merge_fallbacks(building.ledger, batch.folder, wanted, stamp)
    merge_model_paths(building.ledger, batch.folder, wanted, stamp)
    canonical = record_repeats(building.ledger, merged, wanted, stamp)
    units = [unit.id for unit in batch.units()]
    states, texts = building.ledger.states(units), corrections(building.ledger, units)
    composed = compose(batch, states, windows_for(embedder), texts)
    drafts = [draft for draft in composed if draft.payload.conversation_id in loaded]
    # units that this extraction no longer finds stay on record, and so do their points
    drafts.extend(units_as_points(building, left))
    drafts = with_relations(building.ledger, drafts)
    # by what is loaded, not by its points: a resource may have none left
    existing = building.ledger.points_of(wanted)
    vectors = {**batch.vectors()}
    vectors.update(_missing_vectors(building, drafts, existing, vectors, embedder))
    apply_changes(building, point_changes(drafts, existing, vectors, replaces=True), stamp.run)
    refresh_points(building, canonical, stamp.run)


def refresh_points(following: Building, units: Sequence[str], run: str) -> None:
    """Bring the payloads of the units' points up to date; nothing is embedded."""
    for start in range(0, len(units), POINTS_AT_ONCE):
        drafts = units_as_points(following, units[start : start + POINTS_AT_ONCE])
        homes = sorted({draft.payload.conversation_id for draft in drafts})
        existing = following.ledger.points_of(homes)
        drafts = [_content_as_it_is(draft, existing) for draft in drafts]
        apply_changes(following, point_changes(drafts, existing, {}, replaces=False), run)


def _content_as_it_is(draft: DraftPoint, existing: Mapping[str, tuple[str, str]]) -> DraftPoint:
    """What another version would embed otherwise waits for its own conversation's turn: it keeps its hash."""
    content, _ = existing.get(draft.id, ("", ""))
    if content in ("", draft.payload.content_hash):
        return draft
    return replace(draft, payload=draft.payload.model_copy(update={"content_hash": content}))


def ask_corpus(ledger: Ledger, batch: Batch, wanted: Sequence[str]) -> dict[str, str]:
    """Make the gate's last check on the wanted conversations' units, now that the corpus can be asked.

    Returns the older unit's id by the id of each unit that says the same; the batch has the verdicts.
    """
    older = repeats(ledger, batch.folder, wanted)
    gated = batch.gated_units()
    merged = {one.unit.id: older[one.unit.id] for one in gated if one.unit.id in older and is_whole(one.unit)}
    judged = [(one.unit, after_corpus(one.verdicts, merged.get(one.unit.id))) for one in gated]
    batch.write_units(GatedUnit(unit, gate_state(verdicts), verdicts) for unit, verdicts in judged)
    return merged


def _missing_vectors(
    building: Building,
    drafts: Iterable[DraftPoint],
    existing: Mapping[str, tuple[str, str]],
    vectors: Mapping[str, Vector],
    embedder: Embedder,
) -> dict[str, Vector]:
    """Vectors of the points that need one only now: their text was corrected, or they are no longer rejected
    and so to be found by meaning."""
    asked = [draft for draft in drafts if draft.dense_texts and draft.id not in vectors]
    same = {draft.id for draft in asked if existing.get(draft.id, ("", ""))[0] == draft.payload.content_hash}
    same &= building.index.vectors(sorted(same)).keys()
    missing = [draft for draft in asked if draft.id not in same]
    return embed_points(missing, embedder) if missing else {}


def units_as_points(building: Building, units: Sequence[str]) -> list[DraftPoint]:
    """The points of units that the ledger holds, in their present states and as the owner corrected them."""
    if not units:
        return []
    states = building.ledger.states(units)
    rows = building.ledger.rows(
        """
        SELECT u.* REPLACE (coalesce(k.text, u.text) AS text), u.text AS told, c.title, c.provider,
               coalesce(c.created_at, (
            SELECT arg_min(m.created_at, m.position) FROM messages m
            WHERE m.conversation_id = c.conversation_id AND m.created_at IS NOT NULL
        )) AS began
        FROM units u JOIN conversations c ON c.conversation_id = u.conversation_id
        LEFT JOIN corrections k ON k.unit_id = u.id
        WHERE u.id IN (SELECT unnest(?)) ORDER BY u.id
        """,
        [list(units)],
    )
    points = [unit_point(unit_to_show(row), states[str(row["id"])], _card(row)) for row in rows]
    return with_relations(building.ledger, points)


def unit_to_show(row: Mapping[str, object]) -> Unit:
    """A unit as it is shown, from its row: `told` is the text that was extracted, `text` the owner's if there
    is one. Whether its quotes are withheld is told by the first."""
    unit = without_secrets(unit_from_row({**row, "text": row["told"]}))
    return unit if row["text"] == row["told"] else unit.model_copy(update={"text": row["text"]})


def with_relations(ledger: Ledger, drafts: Sequence[DraftPoint]) -> list[DraftPoint]:
    """The drafts with what relations give a note: its duplicates' evidence, and who takes its place."""
    units = [draft.payload.ref for draft in drafts if draft.payload.kind is PointKind.UNIT]
    merged, newer = merged_evidence(ledger, units), successors(ledger, units)
    related = []
    for draft in drafts:
        payload = draft.payload
        if payload.kind is PointKind.UNIT and (payload.ref in merged or payload.ref in newer):
            # its own come first: a draft that has them already is not given them twice
            own = set(payload.evidence)
            added = tuple(
                source
                for one in merged.get(payload.ref, ())
                if (source := _source(one, withheld=form_in(payload.text) is not None)) not in own
            )
            united = {"evidence": payload.evidence + added, "superseded_by": newer.get(payload.ref)}
            draft = replace(draft, payload=payload.model_copy(update=united))
        related.append(draft)
    return related


_SOURCE_FIELDS = set(PointSpan.model_fields)


def _source(cited: Evidence, *, withheld: bool) -> PointSpan:
    source = PointSpan.model_validate(cited.model_dump(include=_SOURCE_FIELDS))
    return source.model_copy(update={"quote": shown_quote(source.quote, withheld=withheld)})


def _card(row: Mapping[str, object]) -> Card:
    names = ("conversation_id", "account", "provider", "title", "began")
    card = _CARD.validate_python({name: row[name] for name in names})
    return replace(card, title=mask_secrets(card.title)) if card.title else card


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
        if content != draft.payload.content_hash or draft.id in vectors:
            sparse = SparseVector(*encode_document(draft.lexical_text, draft.average_terms))
            vector = vectors[draft.id] if draft.dense_texts else None
            changes.upserts.append(IndexedPoint(draft.id, draft.payload, vector, sparse))
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


def fold_journal(building: Building, embedder: Embedder, run: str, merged: Sequence[Act] = ()) -> None:
    """Let keep policies act on what the ledger holds now, then apply every act that it has not folded yet.

    Each act is folded once: events and texts go to the ledger, states and texts to the points. Only a note
    whose text an act changed is embedded again. `merged` are acts of a branch, under numbers that the
    journal has set aside for them.
    """
    if not building.layout.journal.exists():
        return
    with Journal(building.layout.journal) as journal:
        _fold(building, journal, embedder, run, merged)
        if keep_by_policies(building.ledger, building.ledger.accounts(), journal):
            _fold(building, journal, embedder, run)


def _fold(
    building: Building, journal: Journal, embedder: Embedder, run: str, merged: Sequence[Act] = ()
) -> None:
    ledger = building.ledger
    folded = int(ledger.setting(JOURNAL_SEQ) or 0)
    acts = journal.pending(folded)
    if merged:
        undone = journal.named(act.detail for act in merged if act.kind is ActKind.UNDO)
        acts = sorted({act.id: act for act in (*undone, *acts, *merged)}.values(), key=lambda act: act.seq)
    touched = record_acts(ledger, acts, run)
    new = [act for act in acts if act.seq > folded]
    _judge_the_undone(ledger, new, run)
    touched |= fold_pair_acts(ledger, acts, run)
    touched |= known_units(ledger, (act.subject for act in new))
    drafts = units_as_points(building, sorted(touched))
    existing = ledger.points_of(sorted({draft.payload.conversation_id for draft in drafts}))
    vectors = _missing_vectors(building, drafts, existing, {}, embedder)
    apply_changes(building, point_changes(drafts, existing, vectors, replaces=False), run)
    if new:
        ledger.settle(JOURNAL_SEQ, str(new[-1].seq))


def _judge_the_undone(ledger: Ledger, acts: Sequence[Act], run: str) -> None:
    """Let the gate's latest word hold for units whose keep or discard was taken back since it was said."""
    undone = [act for act in acts if act.kind is ActKind.UNDO]
    stale = ledger.query(
        """
        SELECT u.id, u.gate_state FROM units u JOIN unit_states s ON s.unit_id = u.id
        WHERE u.id IN (SELECT unnest(?)) AND s.actor LIKE 'gate:%' AND s.state <> u.gate_state
        """,
        [[act.subject for act in undone]],
    )
    at = {act.subject: act.at for act in undone}
    ledger.add_events(
        UnitEvent(
            unit_id=str(unit),
            state=State(str(state)),
            actor=GATE_ACTOR,
            reason="judged again while the owner's act stood",
            at=at[str(unit)],
            run=run,
        )
        for unit, state in stale
    )
