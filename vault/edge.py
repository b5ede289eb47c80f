"""The embedded index: a qdrant-edge shard in the generation's folder.

The shard is created with its write-ahead log off. The log would be its lock, and many processes read one
published shard; what it would protect is a private copy that a crash simply drops (design, "Generations").
"""

from __future__ import annotations

import atexit
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from qdrant_edge import (
    CountRequest,
    Distance,
    EdgeConfig,
    EdgeShard,
    EdgeSparseVectorParams,
    EdgeVectorParams,
    FieldCondition,
    Filter,
    HasIdCondition,
    IdfParams,
    KeywordIndexParams,
    MatchAny,
    MatchValue,
    Modifier,
    PayloadSchemaType,
    Point,
    Query,
    QueryBatchRequest,
    QueryRequest,
    RangeFloat,
    Record,
    ScoredPoint,
    ScrollRequest,
    SearchParams,
    UpdateOperation,
)
from qdrant_edge import SparseVector as EdgeSparseVector

from schemas.deferred import deferred
from vault.files import copy_tree
from vault.index import Accounts, IndexedPoint, Scored, Search, StoredPoint, Vector, Where, named
from vault.points import (
    Payload,
    PointKind,
    SparseVector,
    ThreadMember,
    Threads,
    members_among,
    payload_from_stored,
    threads_among,
)
from vault.readonly import may_write
from vault.remembered import RememberedPayloads

if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")


DENSE, BM25 = "dense", "bm25"

KEYWORD_FIELDS = ("kind", "state", "tier", "category", "conversation_id", "provider")
FLOAT_FIELDS = ("conversation_at_epoch",)
"""What a search is bounded by (`_filter`), and no more: a field's index is nine files, which every generation
makes durable, copies and sums. Shards made before index two fields more, which does no harm."""

WRITE_BATCH = 1000
SCAN_BATCH = 2000

REMEMBERED_PAYLOADS = 20_000
"""About 3 KB each. A recall reads some 300, many of them again at the next question on the subject."""

T = TypeVar("T")


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def _condition(field: str, values: Sequence[str]) -> FieldCondition:
    # the engine looks at every point of a filter, and takes twice as long for a set of one as for the one
    match = MatchValue(str(values[0])) if len(values) == 1 else MatchAny([str(value) for value in values])
    return FieldCondition(field, match=match)


def _account_filter(where: Where) -> Filter:
    return Filter(must=[_condition("account", named(where.account))])


def _filter(where: Where) -> Filter:
    must: list[Any] = [_condition("account", named(where.account))]
    for field, values in (
        ("kind", where.kinds),
        ("state", where.states),
        ("tier", where.tiers),
        ("category", where.categories),
        ("conversation_id", where.conversations),
        ("provider", where.providers),
    ):
        if values is not None:
            must.append(_condition(field, values))
    if where.people is not None:
        said: list[Any] = [_condition(field, where.people) for field in ("speaker", "speaker_name")]
        must.append(Filter(should=said))
    if where.before is not None:
        bound = RangeFloat(lt=where.before.timestamp())
        must.append(FieldCondition("conversation_at_epoch", range=bound))
    if where.after is not None:
        bound = RangeFloat(gte=where.after.timestamp())
        must.append(FieldCondition("conversation_at_epoch", range=bound))
    if where.among is not None:
        must.append(HasIdCondition(set(where.among)))
    must_not: list[Any] = [HasIdCondition(set(where.besides))] if where.besides else []
    return Filter(must=must, must_not=must_not)


def _request(search: Search, *, with_payload: bool) -> QueryRequest:
    query, params = search.query, None
    if isinstance(query, SparseVector):
        nearest = Query.Nearest(EdgeSparseVector(list(query.indices), list(query.values)), using=BM25)
        # one account's vocabulary must not move another's scores
        params = SearchParams(idf=IdfParams(corpus=_account_filter(search.where)))
    else:
        nearest = Query.Nearest(query.tolist(), using=DENSE)
    return QueryRequest(
        limit=search.limit,
        query=nearest,
        filter=_filter(search.where),
        params=params,
        with_payload=with_payload,
    )


def _dense(record: Record) -> Vector | None:
    vectors: Any = record.vector
    dense = vectors.get(DENSE)
    return None if dense is None else np.asarray(dense, dtype=np.float32)


def _vectors_of(point: IndexedPoint) -> dict[str, Any]:
    words = EdgeSparseVector(list(point.sparse.indices), list(point.sparse.values))
    return {BM25: words} if point.vector is None else {DENSE: point.vector.tolist(), BM25: words}


def _scored(found: Iterable[ScoredPoint]) -> list[Scored]:
    return [Scored(str(hit.id), float(hit.score), hit.payload or {}) for hit in found]


class EdgeIndex:
    """A qdrant-edge shard as an `Index`; writable only while it is nobody else's."""

    def __init__(self, shard: EdgeShard) -> None:
        self._shard = shard
        self._remembered = RememberedPayloads(REMEMBERED_PAYLOADS)
        self._threads: dict[Accounts, Threads] = {}
        self._members: dict[Accounts, Mapping[str, tuple[ThreadMember, ...]]] = {}

    @classmethod
    def create(cls, folder: Path, dimension: int) -> EdgeIndex:
        """A new, empty shard with its payload indexes."""
        folder.mkdir(parents=True, exist_ok=True)
        config = EdgeConfig(
            vectors={DENSE: EdgeVectorParams(size=dimension, distance=Distance.Cosine)},
            sparse_vectors={BM25: EdgeSparseVectorParams(modifier=Modifier.Idf)},
            wal_enabled=False,
        )
        shard = EdgeShard.create(str(folder), config)
        # `account` is in every filter, so its points lie together
        shard.update(UpdateOperation.create_field_index("account", KeywordIndexParams(is_tenant=True)))
        for field in KEYWORD_FIELDS:
            shard.update(UpdateOperation.create_field_index(field, PayloadSchemaType.Keyword))
        for field in FLOAT_FIELDS:
            shard.update(UpdateOperation.create_field_index(field, PayloadSchemaType.Float))
        return cls(shard)

    @classmethod
    def open(cls, folder: Path) -> EdgeIndex:
        """Open an existing shard; any number of processes may read one published shard.

        The engine opens its files for writing even to read them. Where it may not, it gets a copy of its own
        in the temporary folder, which goes when this process ends.
        """
        if not may_write(folder):
            private = Path(tempfile.mkdtemp(prefix="mnemic-read-only-"))
            atexit.register(shutil.rmtree, private, ignore_errors=True)
            copy_tree(folder, private / folder.name)
            folder = private / folder.name
            for path in (folder, *folder.rglob("*")):
                path.chmod(path.stat().st_mode | stat.S_IWUSR)
        return cls(EdgeShard.load(str(folder)))

    def search_dense(self, vector: Vector, where: Where, limit: int) -> list[Scored]:
        """See `Index.search_dense`."""
        return _scored(self._shard.query(_request(Search(vector, where, limit), with_payload=True)))

    def search_sparse(self, query: SparseVector, where: Where, limit: int) -> list[Scored]:
        """See `Index.search_sparse`."""
        if not query.indices:
            return []
        return _scored(self._shard.query(_request(Search(query, where, limit), with_payload=True)))

    def search_ids(self, searches: Sequence[Search]) -> list[list[tuple[str, float]]]:
        """See `Index.search_ids`."""
        asked = [one for one in searches if not isinstance(one.query, SparseVector) or one.query.indices]
        answers = iter(
            self._shard.query_batch(QueryBatchRequest([_request(one, with_payload=False) for one in asked]))
        )
        made = set(map(id, asked))
        return [
            [(str(hit.id), float(hit.score)) for hit in next(answers)] if id(one) in made else []
            for one in searches
        ]

    def fetch(self, ids: Sequence[str], *, with_vectors: bool = False) -> dict[str, StoredPoint]:
        """See `Index.fetch`."""

        records = self._shard.retrieve(list(ids), True, [DENSE] if with_vectors else False)
        found: dict[str, StoredPoint] = {}
        for record in records:
            dense = _dense(record) if with_vectors else None
            found[str(record.id)] = StoredPoint(str(record.id), dict(record.payload or {}), dense)
        return found

    def payloads(self, ids: Sequence[str]) -> dict[str, Payload]:
        """See `Index.payloads`."""
        found = self._remembered.known(ids)
        new = [point for point in ids if point not in found]
        read = {
            str(record.id): payload_from_stored(record.payload or {})
            for record in self._shard.retrieve(list(new), True, False)
        }
        self._remembered.remember(read)
        return found | read

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """See `Index.vectors`."""

        read = {str(one.id): _dense(one) for one in self._shard.retrieve(list(ids), False, [DENSE])}
        return {point: vector for point, vector in read.items() if vector is not None}

    def threads(self, account: Accounts) -> Threads:
        """See `Index.threads`."""
        if account not in self._threads:
            self._threads[account] = threads_among(self.members(account))
        return self._threads[account]

    def members(self, account: Accounts) -> Mapping[str, tuple[ThreadMember, ...]]:
        """See `Index.members`."""
        if account not in self._members:
            found = self._scrolled(_filter(Where(account, kinds=(PointKind.THREAD,), states=None)))
            self._members[account] = members_among(payload_from_stored(one.payload or {}) for one in found)
        return self._members[account]

    def count(self) -> int:
        """See `Index.count`."""
        return self._shard.count(CountRequest(exact=True))

    def scan(self) -> Iterator[StoredPoint]:
        """See `Index.scan`."""
        for record in self._scrolled():
            yield StoredPoint(str(record.id), dict(record.payload or {}), None)

    def points(self) -> Iterator[IndexedPoint]:
        """See `Index.points`."""

        for record in self._scrolled(vectors=(DENSE, BM25)):
            vectors: Any = record.vector
            sparse = vectors[BM25]
            yield IndexedPoint(
                str(record.id),
                payload_from_stored(record.payload or {}),
                _dense(record),
                SparseVector(tuple(sparse.indices), tuple(sparse.values)),
            )

    def _scrolled(self, bounds: Filter | None = None, vectors: Sequence[str] = ()) -> Iterator[Record]:
        """Every point within the bounds, in id order."""
        offset = None
        while True:
            request = ScrollRequest(
                limit=SCAN_BATCH,
                offset=offset,
                filter=bounds,
                with_payload=True,
                with_vector=list(vectors) or False,
            )
            records, offset = self._shard.scroll(request)
            yield from records
            if offset is None:
                return

    def upsert(self, points: Iterable[IndexedPoint]) -> None:
        """See `WritableIndex.upsert`."""
        self._forget()
        for batch in _batches(points, WRITE_BATCH):
            rows = [Point(point.id, _vectors_of(point), point.payload.stored) for point in batch]
            self._shard.update(UpdateOperation.upsert_points(rows))

    def set_payloads(self, payloads: Iterable[tuple[str, Payload]]) -> None:
        """See `WritableIndex.set_payloads`."""
        self._forget()
        for point, payload in payloads:
            self._shard.update(UpdateOperation.overwrite_payload([point], payload.stored))

    def delete(self, ids: Sequence[str]) -> None:
        """See `WritableIndex.delete`."""
        self._forget()
        for batch in _batches(ids, WRITE_BATCH):
            self._shard.update(UpdateOperation.delete_points(list(batch)))

    def build_graph(self) -> None:
        """Merge the shard's segments and build the graph (HNSW) of the dense vectors. It takes minutes at a
        hundred thousand points; afterwards a search by meaning follows the graph."""
        self._forget()
        self._shard.optimize()

    def _forget(self) -> None:
        """After a write nothing that was read is certain."""
        self._remembered.forget()
        self._threads.clear()
        self._members.clear()

    def flush(self) -> None:
        """Write everything to disk. Without a log, nothing is durable before this."""
        self._shard.flush()

    def close(self) -> None:
        """See `Index.close`."""
        self._shard.close()
