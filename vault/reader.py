"""Reading a vault: the published generation, with the owner's newest acts laid over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from schemas.generation import Generation
from schemas.ids import point_id
from schemas.provenance import TIER_WEIGHTS, unit_tier
from schemas.unit import State
from vault.edge import EdgeIndex
from vault.generations import read_manifest, require_published
from vault.index import Index, Scored, Search, StoredPoint, Vector, Where
from vault.journal import Journal, states_after
from vault.layout import INDEX_FOLDER, LEDGER_FILE, VaultLayout
from vault.ledger import Ledger
from vault.points import Payload, PointKind, SparseVector


def restated(payload: Payload, state: State) -> Payload:
    """The payload of a unit whose state became `state`: tier and weight follow from it."""
    tier = unit_tier(state)
    return payload.model_copy(update={"state": state, "tier": tier, "weight": TIER_WEIGHTS[tier]})


def _fits(payload: Payload, where: Where) -> bool:
    state_fits = where.states is None or payload.state in where.states
    return state_fits and (where.tiers is None or payload.tier in where.tiers)


class OverlaidIndex:
    """An index as it will be once the acts that no generation has folded yet are folded."""

    def __init__(self, index: Index, states: Mapping[str, State]) -> None:
        self._index = index
        self._states = states
        self._points = {point_id(PointKind.UNIT, unit): state for unit, state in states.items()}

    def search_dense(self, vector: Vector, where: Where, limit: int) -> list[Scored]:
        """See `Index.search_dense`."""
        return self._overlay(self._index.search_dense(vector, where, limit + len(self._states)), where, limit)

    def search_sparse(self, query: SparseVector, where: Where, limit: int) -> list[Scored]:
        """See `Index.search_sparse`."""
        return self._overlay(self._index.search_sparse(query, where, limit + len(self._states)), where, limit)

    def _overlay(self, found: Sequence[Scored], where: Where, limit: int) -> list[Scored]:
        hits: list[Scored] = []
        for hit in found:
            state = self._states.get(str(hit.stored["ref"]))
            if state is None:
                hits.append(hit)
                continue
            shown = replace(hit, stored=restated(hit.payload, state).stored)
            if _fits(shown.payload, where):
                hits.append(shown)
        return hits[:limit]

    def search_ids(self, searches: Sequence[Search]) -> list[list[tuple[str, float]]]:
        """See `Index.search_ids`."""
        wider = [replace(one, limit=one.limit + len(self._states)) for one in searches]
        found = self._index.search_ids(wider)
        pending = [point for hits in found for point, _ in hits if point in self._points]
        shown = self.payloads(pending)
        return [
            [hit for hit in hits if hit[0] not in shown or _fits(shown[hit[0]], search.where)][: search.limit]
            for hits, search in zip(found, searches, strict=True)
        ]

    def fetch(self, ids: Sequence[str], *, with_vectors: bool = False) -> dict[str, StoredPoint]:
        """See `Index.fetch`; payloads are as stored, without the overlay."""
        return self._index.fetch(ids, with_vectors=with_vectors)

    def payloads(self, ids: Sequence[str]) -> dict[str, Payload]:
        """See `Index.payloads`."""
        found = self._index.payloads(ids)
        for point in found.keys() & self._points.keys():
            found[point] = restated(found[point], self._points[point])
        return found

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """See `Index.vectors`."""
        return self._index.vectors(ids)

    def count(self) -> int:
        """See `Index.count`."""
        return self._index.count()

    def scan(self) -> Iterator[StoredPoint]:
        """See `Index.scan`; payloads are as stored, without the overlay."""
        return self._index.scan()

    def close(self) -> None:
        """See `Index.close`."""
        self._index.close()


class VaultReader:
    """An open vault. Any number of readers, in any number of processes, may work beside the writer."""

    def __init__(self, layout: VaultLayout) -> None:
        self.layout = layout
        self._open()

    def _open(self) -> None:
        number = require_published(self.layout)
        folder = self.layout.generation(number)
        self.generation: Generation = read_manifest(folder)
        self._edge = EdgeIndex.open(folder / INDEX_FOLDER)
        self._ledger: Ledger | None = None

    def __enter__(self) -> VaultReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release files and memory."""
        self._edge.close()
        if self._ledger is not None:
            self._ledger.close()

    def refresh(self) -> bool:
        """Move to the generation that is published now; call it before each request. True if it moved."""
        if require_published(self.layout) == self.generation.number:
            return False
        self.close()
        self._open()
        return True

    @property
    def ledger(self) -> Ledger:
        """The ledger, read-only, opened when first needed: a recall answers from the index alone."""
        if self._ledger is None:
            path = self.layout.generation(self.generation.number) / LEDGER_FILE
            self._ledger = Ledger.open(path, read_only=True)
        return self._ledger

    def pending_states(self) -> dict[str, State]:
        """States that follow from acts no generation has folded yet, by unit id."""
        if not self.layout.journal.exists():
            return {}
        with Journal(self.layout.journal) as journal:
            return states_after(journal.after(self.generation.journal_seq))

    @property
    def index(self) -> Index:
        """The index with the pending acts laid over it."""
        states = self.pending_states()
        return OverlaidIndex(self._edge, states) if states else self._edge


def open_vault(root: Path) -> VaultReader:
    """Open the published generation of the vault in `root`.

    Raises VaultEmpty where nothing is published, IntegrityError where `CURRENT` is broken.
    """
    return VaultReader(VaultLayout(root))
