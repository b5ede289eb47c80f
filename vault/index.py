"""The index protocol: candidates by meaning and by words, filtered inside the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

from schemas.provenance import Tier
from schemas.unit import RECALLED_STATES, Category, State
from vault.points import Payload, PointKind, SparseVector, ThreadMember, Threads, payload_from_stored

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Vector: TypeAlias = "npt.NDArray[np.float32]"
Accounts: TypeAlias = str | tuple[str, ...]
"""One account; or several that are all one person's, as only their owner can say."""


def named(account: Accounts) -> list[str]:
    """The names that points of the accounts bear."""
    return [account] if isinstance(account, str) else list(account)


@dataclass(frozen=True, slots=True)
class Where:
    """Which points may be candidates. Every condition holds inside the engine, before the top is taken.

    None means any. `before` and `after` bound the time of the conversation (`before` exclusive, `after`
    inclusive); a point without a time passes neither bound.
    """

    account: Accounts
    kinds: tuple[PointKind, ...] | None = None
    states: tuple[State, ...] | None = RECALLED_STATES
    tiers: tuple[Tier, ...] | None = None
    categories: tuple[Category, ...] | None = None
    conversations: tuple[str, ...] | None = None
    before: datetime | None = None
    after: datetime | None = None
    providers: tuple[str, ...] | None = None
    people: tuple[str, ...] | None = None
    """Who said it: names, or `owner`, `assistant`, `other`, `source`."""
    among: frozenset[str] | None = None
    """Only points with these ids."""
    besides: frozenset[str] = frozenset()
    """No points with these ids."""

    @property
    def whose(self) -> str:
        """The account; of several, the one that was named first."""
        return named(self.account)[0]


@dataclass(frozen=True)
class Scored:
    """A candidate: cosine similarity in [-1, 1] from a dense search, a BM25 sum from a sparse one."""

    id: str
    score: float
    stored: Mapping[str, object]
    """The payload in its stored form, as the engine returned it."""

    @cached_property
    def payload(self) -> Payload:
        """The payload, validated when it is first asked for: a search looks at many more than it shows."""
        return payload_from_stored(self.stored)


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """One search of several that are made together: by meaning for a vector, by words for a sparse one."""

    query: Vector | SparseVector
    where: Where
    limit: int


@dataclass(frozen=True, slots=True)
class StoredPoint:
    """A point as it lies in the index."""

    id: str
    stored: dict[str, object]
    """The payload in its stored form, unvalidated: integrity checks must see what is really there."""
    vector: Vector | None
    """None where it was not asked for, or the point is found by its words alone."""


@dataclass(frozen=True, slots=True)
class IndexedPoint:
    """A point to write."""

    id: str
    payload: Payload
    vector: Vector | None
    """Shape (dimension,), unit length; None of a point that is found by its words alone."""
    sparse: SparseVector


class Index(Protocol):
    """Reading side of an index engine."""

    def search_dense(self, vector: Vector, where: Where, limit: int) -> list[Scored]:
        """Nearest points by cosine similarity, best first."""

    def search_sparse(self, query: SparseVector, where: Where, limit: int) -> list[Scored]:
        """Best points by BM25, best first; term rarity is counted over the account's own points."""

    def search_ids(self, searches: Sequence[Search]) -> list[list[tuple[str, float]]]:
        """Several searches in one go: of each, (point id, score), best first, without payloads.

        A recall makes six searches and shows a few of the points that they find.
        """

    def fetch(self, ids: Sequence[str], *, with_vectors: bool = False) -> dict[str, StoredPoint]:
        """The named points by id; a missing id is absent from the answer."""

    def payloads(self, ids: Sequence[str]) -> dict[str, Payload]:
        """The named points' payloads alone, validated; a missing id is absent from the answer."""

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """The named points' vectors alone; a missing id is absent from the answer."""

    def threads(self, account: Accounts) -> Threads:
        """Which of the account's conversations belong together; read once, while nothing is written."""

    def members(self, account: Accounts) -> Mapping[str, tuple[ThreadMember, ...]]:
        """The same by the thread's id."""

    def count(self) -> int:
        """How many points there are."""

    def scan(self) -> Iterator[StoredPoint]:
        """Every point, without vectors, in id order."""

    def points(self) -> Iterator[IndexedPoint]:
        """Every point whole, with both vectors, in id order."""

    def close(self) -> None:
        """Release files and memory."""


class WritableIndex(Index, Protocol):
    """Writing side: only ever given a private copy that no reader sees."""

    def upsert(self, points: Iterable[IndexedPoint]) -> None:
        """Write points whole, replacing those with the same ids."""

    def set_payloads(self, payloads: Iterable[tuple[str, Payload]]) -> None:
        """Replace payloads; vectors stay."""

    def delete(self, ids: Sequence[str]) -> None:
        """Remove points; an absent id is no error."""
