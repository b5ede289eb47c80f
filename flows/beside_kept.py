"""What a new extraction finds in the words of a kept note that it no longer finds itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from curation.kept import links_to_kept
from schemas.relation import Link, RelationKind
from schemas.unit import State, Unit
from vault.acts import Overlay, corrections, overlay_of
from vault.batch import Batch, unit_from_row
from vault.generations import JOURNAL_SEQ, Building
from vault.journal import Journal
from vault.ledger import Ledger, Stamp
from vault.relations import parted_units

_OWNED = (State.KEPT, State.DISCARDED)


def beside_kept(
    building: Building, batch: Batch, loaded: Collection[str], left: Sequence[str], stamp: Stamp
) -> list[Link]:
    """Links from the units of a batch that was just merged to the kept ones among `left`.

    `left` are units of the loaded conversations that the batch does not hold. A new unit that says what a
    kept one says is archived at once, so that nothing is shown twice; the kept one stands for both.
    """
    ledger, overlay = building.ledger, _pending(building)
    kept = _kept(ledger, left, overlay)
    if not kept:
        return []
    homes = {unit.conversation_id for unit in kept} & set(loaded)
    found = [unit for unit in batch.units(rejected=False) if unit.conversation_id in homes]
    states = _states(ledger, [unit.id for unit in found], overlay)
    parted = {unit for account in {one.account for one in kept} for unit in parted_units(ledger, account)}
    free = [unit for unit in found if states.get(unit.id) not in _OWNED and unit.id not in parted]
    links = list(links_to_kept(free, kept))
    doubles = {one.unit_id: one for one in links if one.kind is RelationKind.DUPLICATE_OF}
    ledger.add_events(
        stamp.event(one.unit_id, State.ARCHIVED, stamp.extractor, one.reason) for one in doubles.values()
    )
    return links


def _pending(building: Building) -> Overlay:
    """The acts that are not folded yet: a note kept a moment ago is kept."""
    if not building.layout.journal.exists():
        return Overlay()
    with Journal(building.layout.journal) as journal:
        return overlay_of(journal, int(building.ledger.setting(JOURNAL_SEQ) or 0), lambda: building.ledger)


def _kept(ledger: Ledger, units: Sequence[str], overlay: Overlay) -> list[Unit]:
    """Those of the units that are kept, with the owner's own text where there is one."""
    states = _states(ledger, units, overlay)
    wanted = [unit for unit in units if states.get(unit) is State.KEPT]
    texts = {**corrections(ledger, wanted), **overlay.texts}
    rows = ledger.rows("SELECT * FROM units WHERE id IN (SELECT unnest(?)) ORDER BY id", [wanted])
    return [
        unit.model_copy(update={"text": texts.get(unit.id, unit.text)}) for unit in map(unit_from_row, rows)
    ]


def _states(ledger: Ledger, units: Sequence[str], overlay: Overlay) -> Mapping[str, State]:
    return {**ledger.states(units), **overlay.states}
