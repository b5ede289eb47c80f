"""What a new extraction finds in the words of a kept or corrected note that it no longer finds itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from curation.kept_links import links_to_kept
from schemas.relation import Link, RelationKind
from schemas.unit import State, Unit
from vault.acts import Overlay, corrections, overlay_of
from vault.batch import Batch
from vault.generations import JOURNAL_SEQ, Building
from vault.journal import Journal
from vault.ledger import Ledger, Stamp
from vault.nouns_from_rows import unit_from_row
from vault.relations import parted_units

_OWNED = (State.KEPT, State.DISCARDED)


def beside_kept(
    building: Building,
    batch: Batch,
    loaded: Collection[str],
    left: Sequence[str],
    stamp: Stamp,
    overlay: Overlay,
) -> list[Link]:
    """Links from the units of a batch that was just merged to the owner's among `left`: kept or corrected.

    `left` are units of the loaded conversations that the batch does not hold, `overlay` the acts that are
    not folded yet. A new unit that says what one of the owner's says, or said before it was corrected, is
    archived at once, so that nothing is shown twice; the owner's stands for both.
    """
    ledger = building.ledger
    kept = _kept(ledger, left, overlay)
    if not kept:
        return []
    homes = {unit.conversation_id for unit in kept} & set(loaded)
    found = [unit for unit in batch.units(rejected=False) if unit.conversation_id in homes]
    states = _states(ledger, [unit.id for unit in found], overlay)
    parted = {unit for account in {one.account for one in kept} for unit in parted_units(ledger, account)}
    free = [unit for unit in found if states.get(unit.id) not in _OWNED and unit.id not in parted]
    links = _one_a_pair(links_to_kept(free, kept))
    doubles = {one.unit_id: one for one in links if one.kind is RelationKind.DUPLICATE_OF}
    ledger.add_events(
        stamp.event(one.unit_id, State.ARCHIVED, stamp.extractor, one.reason) for one in doubles.values()
    )
    return links


def _one_a_pair(links: Iterable[Link]) -> list[Link]:
    """A corrected note is compared by both of its texts: of two links, the one that says `duplicate`."""
    found: dict[tuple[str, str], Link] = {}
    for link in links:
        pair = (link.unit_id, link.other_id)
        if pair not in found or link.kind is RelationKind.DUPLICATE_OF:
            found[pair] = link
    return list(found.values())


def pending_acts(building: Building) -> Overlay:
    """The acts that are not folded yet: a note kept a moment ago is kept."""
    if not building.layout.journal.exists():
        return Overlay()
    with Journal(building.layout.journal) as journal:
        return overlay_of(journal, int(building.ledger.setting(JOURNAL_SEQ) or 0), lambda: building.ledger)


def _kept(ledger: Ledger, units: Sequence[str], overlay: Overlay) -> list[Unit]:
    """Those of the units that are the owner's: with the owner's own text where there is one, and as they were
    before."""
    states = _states(ledger, units, overlay)
    texts = {**corrections(ledger, units), **overlay.texts}
    corrected = {unit for unit in units if unit in texts and states.get(unit) is not State.DISCARDED}
    wanted = [unit for unit in units if states.get(unit) is State.KEPT or unit in corrected]
    rows = ledger.rows("SELECT * FROM units WHERE id IN (SELECT unnest(?)) ORDER BY id", [wanted])
    found = list(map(unit_from_row, rows))
    told = [unit.model_copy(update={"text": texts[unit.id]}) for unit in found if unit.id in texts]
    return [*told, *found]


def _states(ledger: Ledger, units: Sequence[str], overlay: Overlay) -> Mapping[str, State]:
    return {**ledger.states(units), **overlay.states}
