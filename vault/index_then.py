"""The index as an earlier generation had its notes: today's vectors, with the states and texts of then."""

from __future__ import annotations

from schemas.ids import point_id
from schemas.unit import State
from vault.acts import Overlay
from vault.history import PastGeneration
from vault.index import Index
from vault.notes_then import recall_notes
from vault.points import PointKind
from vault.reader import OverlaidIndex, VaultReader


def index_then(reader: VaultReader, then: PastGeneration) -> tuple[Index, frozenset[str]]:
    """The index with the notes of that generation as they were, and the points of notes that it did not have.

    Only notes are as they were: passages, summaries and maps are on record as they are now, and whoever asks
    leaves them out. A note that had other words then is found by its vectors of now.
    """
    ledger = reader.ledger
    recall_notes(ledger, then)
    other = ledger.query(
        """
        SELECT n.id, n.state, n.text, s.state, coalesce(k.text, u.text) FROM notes_then n
        JOIN units u ON u.id = n.id LEFT JOIN unit_states s ON s.unit_id = n.id
        LEFT JOIN corrections k ON k.unit_id = n.id
        WHERE n.state IS DISTINCT FROM s.state OR n.text IS DISTINCT FROM coalesce(k.text, u.text)
        """
    )
    states = {str(unit): State(str(state)) for unit, state, _, now, _ in other if state != now}
    texts = {str(unit): str(text) for unit, _, text, _, now in other if text != now}
    absent = ledger.query("SELECT id FROM units ANTI JOIN notes_then n ON n.id = units.id")
    hidden = frozenset(point_id(PointKind.UNIT, str(unit)) for (unit,) in absent)
    return OverlaidIndex(reader.published_index, Overlay(states, texts), frozenset), hidden
