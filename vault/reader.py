"""Reading a vault: the published generation, with the owner's newest acts laid over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from schemas.act import ActKind
from schemas.errors import IntegrityError, UnknownId
from schemas.generation import Generation
from schemas.ids import point_id, short_id, summary_id
from schemas.provenance import unit_tier, unit_weight
from schemas.unit import State
from vault.acts import Overlay, extended, lay_over, overlay_of
from vault.edge import EdgeIndex
from vault.generations import read_manifest, require_published
from vault.index import Accounts, Index, IndexedPoint, Scored, Search, StoredPoint, Vector, Where
from vault.journal import Journal
from vault.layout import INDEX_FOLDER, VaultLayout
from vault.ledger import Ledger
from vault.occupancy import Occupancy, occupy
from vault.opening import open_index, open_ledger
from vault.options import provenance_modifiers
from vault.points import OVERVIEWS, Payload, PointKind, SparseVector, ThreadMember, Threads
from vault.retellings import acted_on, overviews_in_doubt

READ_AHEAD_BYTES = 1 << 22


def restated(payload: Payload, state: State) -> Payload:
    """The payload of a unit whose state became `state`: tier and weight follow from it."""
    weight = unit_weight(state, payload.speaker, modified=provenance_modifiers())
    return payload.model_copy(update={"state": state, "tier": unit_tier(state), "weight": weight})


class OverlaidIndex:
    """An index as it will be once the acts that no generation has folded yet are folded.

    States and texts are the new ones. Only by the words of a new text a note is not found before the fold:
    its vectors are still those of the old one. What retells a note that was taken back is not there until the
    fold writes it anew; `withheld` gives the ids of those points, and is asked only where one might be shown.
    """

    def __init__(self, index: Index, overlay: Overlay, withheld: Callable[[], frozenset[str]]) -> None:
        self._index = index
        self._overlay = overlay
        self._withheld = withheld
        self._moved = {point_id(PointKind.UNIT, unit): state for unit, state in overlay.states.items()}

    def search_dense(self, vector: Vector, where: Where, limit: int) -> list[Scored]:
        """See `Index.search_dense`."""
        found = [hit for part in self._parts(where) for hit in self._index.search_dense(vector, part, limit)]
        return self._shown(found, limit)

    def search_sparse(self, query: SparseVector, where: Where, limit: int) -> list[Scored]:
        """See `Index.search_sparse`."""
        found = [hit for part in self._parts(where) for hit in self._index.search_sparse(query, part, limit)]
        return self._shown(found, limit)

    def search_ids(self, searches: Sequence[Search]) -> list[list[tuple[str, float]]]:
        """See `Index.search_ids`."""
        parts = [[replace(one, where=part) for part in self._parts(one.where)] for one in searches]
        found = iter(self._index.search_ids([part for one in parts for part in one]))
        answers = []
        for search, asked in zip(searches, parts, strict=True):
            hits = [hit for _ in asked for hit in next(found)]
            hits.sort(key=lambda hit: (-hit[1], hit[0]))
            answers.append(hits[: search.limit])
        return answers

    def _parts(self, where: Where) -> Iterator[Where]:
        """The searches that one search becomes: the engine filters by the states that it holds, so points
        whose state moved are asked for by id."""
        moved = frozenset(self._moved)
        hidden = where.besides | moved
        if where.kinds is None or not set(OVERVIEWS).isdisjoint(where.kinds):
            hidden |= self._withheld()
        yield replace(where, besides=hidden)
        fitting = frozenset(point for point, state in self._moved.items() if _fits(state, where))
        fitting -= where.besides
        if where.among is not None:
            fitting &= where.among
        if fitting:
            yield replace(where, states=None, tiers=None, among=fitting)

    def _shown(self, found: list[Scored], limit: int) -> list[Scored]:
        found.sort(key=lambda hit: (-hit.score, hit.id))
        return [
            replace(hit, stored=self._as_now(hit.payload).stored)
            if hit.stored["ref"] in self._overlay.units
            else hit
            for hit in found[:limit]
        ]

    def _as_now(self, payload: Payload) -> Payload:
        if payload.kind is not PointKind.UNIT:
            return payload
        if payload.ref in self._overlay.states:
            payload = restated(payload, self._overlay.states[payload.ref])
        if payload.ref in self._overlay.texts:
            payload = payload.model_copy(update={"text": self._overlay.texts[payload.ref]})
        return payload

    def fetch(self, ids: Sequence[str], *, with_vectors: bool = False) -> dict[str, StoredPoint]:
        """See `Index.fetch`; payloads are as stored, without the overlay."""
        return self._index.fetch(ids, with_vectors=with_vectors)

    def payloads(self, ids: Sequence[str]) -> dict[str, Payload]:
        """See `Index.payloads`."""
        found = self._index.payloads(ids)
        retelling = {point for point, one in found.items() if one.kind in OVERVIEWS}
        hidden = self._withheld() if retelling else frozenset()
        return {point: self._as_now(one) for point, one in found.items() if point not in hidden}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """See `Index.vectors`."""
        return self._index.vectors(ids)

    def threads(self, account: Accounts) -> Threads:
        """See `Index.threads`."""
        return self._index.threads(account)

    def members(self, account: Accounts) -> Mapping[str, tuple[ThreadMember, ...]]:
        """See `Index.members`."""
        return self._index.members(account)

    def count(self) -> int:
        """See `Index.count`."""
        return self._index.count()

    def scan(self) -> Iterator[StoredPoint]:
        """See `Index.scan`; payloads are as stored, without the overlay."""
        return self._index.scan()

    def points(self) -> Iterator[IndexedPoint]:
        """See `Index.points`; payloads are as stored, without the overlay."""
        return self._index.points()

    def close(self) -> None:
        """See `Index.close`."""
        self._index.close()


def _fits(state: State, where: Where) -> bool:
    return (where.states is None or state in where.states) and (
        where.tiers is None or unit_tier(state) in where.tiers
    )


OPENING_ATTEMPTS = 100
"""Publications that may overtake an opening reader before it gives up."""


def hold_published(layout: VaultLayout) -> tuple[Occupancy, int]:
    """Hold the published generation against removal; it may be succeeded while this looks for it."""
    for _ in range(OPENING_ATTEMPTS):
        number = require_published(layout)
        hold = occupy(layout.generation(number))
        if hold is not None:
            return hold, number
    raise IntegrityError(
        "the published generation cannot be held for reading",
        where=str(layout.generation(number)),
        remedy="Run `mnemic doctor`",
    )


class VaultReader:
    """An open vault. Any number of readers, in any number of processes, may work beside the writer."""

    def __init__(self, layout: VaultLayout) -> None:
        self.layout = layout
        self._is_branch = layout.is_branch
        self._openings = 0
        self._open()

    def _open(self) -> None:
        self._hold, number = hold_published(self.layout)
        self._openings += 1
        folder = self.layout.generation(number)
        self.generation: Generation = read_manifest(folder)
        self._opened_edge: EdgeIndex | None = None
        self._ledger: Ledger | None = None
        self._laid_over = Overlay()
        self._overlaid = (self.generation.journal_seq, Overlay())
        """The journal's last seq that was looked at, and what follows from the acts up to it."""
        self._hidden = (frozenset[str](), frozenset[str]())
        """Notes that acts which are not folded take back, and the points of what may retell them."""

    @property
    def _edge(self) -> EdgeIndex:
        """The index, opened when first needed: the ledger alone answers what it is asked."""
        if self._opened_edge is None:
            self._opened_edge = open_index(self.layout, self.generation)
        return self._opened_edge

    def __enter__(self) -> VaultReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release files and memory."""
        if self._opened_edge is not None:
            self._opened_edge.close()
        if self._ledger is not None:
            self._ledger.close()
        self._hold.release()

    def refresh(self) -> bool:
        """Move to the generation that is published now; call it before each request. True if it moved.

        Of a branch that was deleted and made again, another generation may have the number. Raises UnknownId
        where the branch is gone.
        """
        if self._is_branch and not self.layout.root.exists():
            raise UnknownId(
                f"the branch {self.layout.root.name} is gone",
                where=str(self.layout.root),
                why="it was deleted since it was opened",
                remedy="Leave --branch out to read the main line; `mnemic branch --list` shows what there is",
            )
        number = require_published(self.layout)
        if number == self.generation.number and self._hold.holds(self.layout.generation(number)):
            return False
        self.close()
        self._open()
        return True

    def warm(self) -> None:
        """Read the index's files once, so that they lie in the system's page cache: one sequential pass
        instead of a wait on the disk at every tenth note of the first recalls."""
        folder = self.layout.generation(self.generation.number) / INDEX_FOLDER
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                with path.open("rb", buffering=0) as file:
                    while file.read(READ_AHEAD_BYTES):
                        pass

    @property
    def ledger(self) -> Ledger:
        """The ledger, read-only, opened when first needed: a recall answers from the index alone.

        Its view `units_current` shows notes as the acts that are not folded yet make them.
        """
        ledger = self._opened_ledger()
        overlay = self.overlay()
        if overlay != self._laid_over:
            lay_over(ledger, overlay, self._laid_over)
            self._laid_over = overlay
        return ledger

    def _opened_ledger(self) -> Ledger:
        if self._ledger is None:
            self._ledger = open_ledger(self.layout, self.generation)
            self._laid_over = Overlay()
        return self._ledger

    def overlay(self) -> Overlay:
        """What acts that no generation has folded yet make of the notes."""
        if not self.layout.journal.exists():
            return Overlay()
        with Journal(self.layout.journal) as journal:
            newest = journal.last_seq()
            if newest != self._overlaid[0]:
                seen, overlay = self._overlaid
                new = journal.after(seen)
                if any(act.kind is ActKind.UNDO for act in new):
                    overlay = overlay_of(journal, self.generation.journal_seq, self._opened_ledger)
                else:
                    overlay = extended(overlay, new)
                self._overlaid = max(seen, newest), overlay
        return self._overlaid[1]

    @property
    def opening(self) -> int:
        """Which opening of a generation this is: with equal ones, the generation is the same."""
        return self._openings

    @property
    def position(self) -> tuple[int, int]:
        """The opening and the newest act that is seen: with equal ones, answers are equal."""
        self.overlay()
        return self._openings, self._overlaid[0]

    def short_id(self, identity: str) -> str:
        """What to call a record: short, and by no other record's name in the open generation."""
        return short_id(identity, self.generation.shared_ids)

    def pending_states(self) -> dict[str, State]:
        """States that follow from acts no generation has folded yet, by unit id."""
        return self.overlay().states

    @property
    def published_index(self) -> Index:
        """The index as it was published, without the pending acts."""
        return self._edge

    @property
    def index(self) -> Index:
        """The index with the pending acts laid over it."""
        overlay = self.overlay()
        laid_over = overlay.units or self._untold
        return OverlaidIndex(self._edge, overlay, self._withheld) if laid_over else self._edge

    @property
    def _untold(self) -> bool:
        """Whether an earlier version published this: its summaries may tell what folded acts took back."""
        rows = self.generation.rows
        return bool(rows.get("acts")) and "restated_summaries" not in rows

    def _withheld(self) -> frozenset[str]:
        """The points of summaries and maps that may tell what acts which are not folded yet took back."""
        taken_back = self.overlay().taken_back
        if self._untold:
            taken_back |= set(acted_on(self._opened_ledger()))
        if taken_back != self._hidden[0]:
            conversations, threads = overviews_in_doubt(self._opened_ledger(), sorted(taken_back))
            points = [point_id(PointKind.SUMMARY, summary_id(one)) for one in conversations]
            points += [point_id(PointKind.THREAD, one) for one in threads]
            self._hidden = taken_back, frozenset(points)
        return self._hidden[1]


def open_vault(root: Path) -> VaultReader:
    """Open the published generation of the vault in `root`.

    Raises VaultEmpty where nothing is published, IntegrityError where `CURRENT` is broken; so do ledger and
    index, when they are first asked for, where a file of theirs is damaged.
    """
    return VaultReader(VaultLayout(root))
