"""The index on a Qdrant server or cluster.

Not run against a server yet: tests run the client's local mode, and calls over TLS to a small server of ours.

A generation is a filter. A point's payload says in which generation it appears and in which it leaves, so
publishing costs only what changed and readers of the generation before see nothing of it. One point has one
version after another; a version's id is made of the point's id, its payload and the generation (without the
generation, a payload that comes back would take the place of its own past).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID, uuid5

import httpx
import numpy as np
from qdrant_client import QdrantClient
from qdrant_client.http import models
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from schemas.errors import ServiceRefused, ServiceUnavailable
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

DENSE, BM25 = "dense", "bm25"
POINT, APPEARS, LEAVES, DIGEST = "point_id", "appears", "leaves", "digest"
OWN_FIELDS = (POINT, APPEARS, LEAVES, DIGEST)
FOREVER = 2**31 - 1
"""`leaves` of a version that no generation has replaced: a number, since ranges do not see null."""

KEYWORD_FIELDS = ("kind", "state", "tier", "category", "conversation_id", "message_id", "provider", POINT)
FLOAT_FIELDS = ("said_at_epoch", "conversation_at_epoch")
WRITE_BATCH, READ_BATCH = 256, 1000
ATTEMPTS = 5
FIRST_PAUSE = 0.5
"""Seconds; it doubles at each attempt."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How vectors lie on the server."""

    collection: str = "mnemic"
    on_disk: bool = True
    """Vectors and payloads on disk, read through the page cache."""
    quantised: bool = False
    """A copy of the vectors as int8 in memory; the originals stay and are read to score again."""


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def _trying(call: Callable[[], T]) -> T:
    """What the server answers, asked again where it is overloaded or out of reach.

    Raises ServiceRefused where no call can succeed, ServiceUnavailable where it stays out of reach.
    """
    for attempt in range(ATTEMPTS):
        try:
            return call()
        except UnexpectedResponse as error:
            status, why = error.status_code or 0, error.reason_phrase
            if status < 500 and status != 429:
                raise ServiceRefused(
                    "the Qdrant server refuses the call",
                    why=f"{status} {why}",
                    remedy="Check the address and QDRANT_API_KEY",
                ) from error
        except (ResponseHandlingException, httpx.TransportError) as error:
            why = str(error)
        if attempt + 1 < ATTEMPTS:
            time.sleep(FIRST_PAUSE * 2**attempt)
    raise ServiceUnavailable(
        "the Qdrant server does not answer",
        why=why,
        remedy="Run the same again: what is done is not done twice",
    )


def _matching(field: str, values: Iterable[str]) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchAny(any=[str(value) for value in values]))


def _between(field: str, **bounds: float) -> models.FieldCondition:
    return models.FieldCondition(key=field, range=models.Range(**bounds))


class ServerIndex:
    """One generation of a collection as an `Index`; writing makes that generation."""

    def __init__(self, client: QdrantClient, options: ServerOptions, generation: int) -> None:
        self._client = client
        self._name = options.collection
        self._generation = generation
        self._threads: dict[Accounts, Threads] = {}
        self._members: dict[Accounts, Mapping[str, tuple[ThreadMember, ...]]] = {}

    @classmethod
    def create(
        cls, client: QdrantClient, options: ServerOptions, generation: int, dimension: int
    ) -> ServerIndex:
        """A generation to write; the collection is made where it is missing."""
        index = cls(client, options, generation)
        if not _trying(lambda: client.collection_exists(options.collection)):
            _trying(lambda: index._make(options, dimension))
        return index

    def _make(self, options: ServerOptions, dimension: int) -> None:
        scalar = models.ScalarQuantizationConfig(type=models.ScalarType.INT8, always_ram=True)
        self._client.create_collection(
            self._name,
            vectors_config={
                DENSE: models.VectorParams(
                    size=dimension, distance=models.Distance.COSINE, on_disk=options.on_disk
                )
            },
            sparse_vectors_config={BM25: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            on_disk_payload=options.on_disk,
            quantization_config=models.ScalarQuantization(scalar=scalar) if options.quantised else None,
        )
        tenant = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
        schemas: dict[str, Any] = {"account": tenant}
        schemas |= dict.fromkeys(KEYWORD_FIELDS, models.PayloadSchemaType.KEYWORD)
        schemas |= dict.fromkeys(FLOAT_FIELDS, models.PayloadSchemaType.FLOAT)
        schemas |= dict.fromkeys((APPEARS, LEAVES), models.PayloadSchemaType.INTEGER)
        for field, schema in schemas.items():
            self._client.create_payload_index(self._name, field, field_schema=schema)

    def undo(self) -> None:
        """Take back this generation, as an interrupted attempt at it left it, and any after it."""
        begun = models.Filter(must=[_between(APPEARS, gte=self._generation)])
        _trying(lambda: self._client.delete(self._name, models.FilterSelector(filter=begun), wait=True))
        ended = models.Filter(must=[_between(LEAVES, gte=self._generation, lt=FOREVER)])
        _trying(
            lambda: self._client.set_payload(
                self._name, {LEAVES: FOREVER}, models.FilterSelector(filter=ended), wait=True
            )
        )

    # Reading

    def _here(self) -> list[models.Condition]:
        return [_between(APPEARS, lte=self._generation), _between(LEAVES, gt=self._generation)]

    def _corpus(self, where: Where) -> models.Filter:
        whose = _matching("account", named(where.account))
        return models.Filter(must=[whose, *self._here()])

    def _filter(self, where: Where) -> models.Filter:
        must: list[Any] = [_matching("account", named(where.account))]
        for field, values in (
            ("kind", where.kinds),
            ("state", where.states),
            ("tier", where.tiers),
            ("category", where.categories),
            ("conversation_id", where.conversations),
            ("provider", where.providers),
            (POINT, where.among),
        ):
            if values is not None:
                must.append(_matching(field, values))
        if where.people is not None:
            said = [_matching(field, where.people) for field in ("speaker", "speaker_name")]
            must.append(models.Filter(should=said))
        if where.before is not None:
            must.append(_between("conversation_at_epoch", lt=where.before.timestamp()))
        if where.after is not None:
            must.append(_between("conversation_at_epoch", gte=where.after.timestamp()))
        besides = [_matching(POINT, where.besides)] if where.besides else None
        return models.Filter(must=[*must, *self._here()], must_not=besides)

    def _search(self, search: Search) -> list[Scored]:
        query, params = search.query, None
        if isinstance(query, SparseVector):
            if not query.indices:
                return []
            asked: Any = models.SparseVector(indices=list(query.indices), values=list(query.values))
            params = models.SearchParams(idf=models.IdfCorpusParams(corpus=self._corpus(search.where)))
        else:
            asked = query.tolist()
        answer = _trying(
            lambda: self._client.query_points(
                self._name,
                query=asked,
                using=BM25 if isinstance(query, SparseVector) else DENSE,
                query_filter=self._filter(search.where),
                search_params=params,
                limit=search.limit,
                with_payload=True,
            )
        )
        return [Scored(_point_of(hit), float(hit.score), _stored(hit)) for hit in answer.points]

    def search_dense(self, vector: Vector, where: Where, limit: int) -> list[Scored]:
        """See `Index.search_dense`."""
        return self._search(Search(vector, where, limit))

    def search_sparse(self, query: SparseVector, where: Where, limit: int) -> list[Scored]:
        """See `Index.search_sparse`."""
        return self._search(Search(query, where, limit))

    def search_ids(self, searches: Sequence[Search]) -> list[list[tuple[str, float]]]:
        """See `Index.search_ids`."""
        return [[(hit.id, hit.score) for hit in self._search(one)] for one in searches]

    def _records(
        self, condition: models.Filter, *, vectors: Sequence[str] = (), fields: Sequence[str] | bool = True
    ) -> Iterator[models.Record]:
        offset: Any = None
        while True:
            found, offset = _trying(
                lambda after=offset: self._client.scroll(  # type: ignore[misc]  # bound, not inferred
                    self._name,
                    scroll_filter=condition,
                    limit=READ_BATCH,
                    offset=after,
                    with_payload=fields if isinstance(fields, bool) else list(fields),
                    with_vectors=list(vectors) or False,
                )
            )
            yield from found
            if offset is None:
                return

    def _named(
        self, ids: Iterable[str], here: Sequence[models.Condition], *, vectors: Sequence[str] = ()
    ) -> Iterator[models.Record]:
        for batch in _batches(ids, READ_BATCH):
            yield from self._records(models.Filter(must=[_matching(POINT, batch), *here]), vectors=vectors)

    def fetch(self, ids: Sequence[str], *, with_vectors: bool = False) -> dict[str, StoredPoint]:
        """See `Index.fetch`."""
        found = self._named(ids, self._here(), vectors=(DENSE,) if with_vectors else ())
        return {
            _point_of(one): StoredPoint(_point_of(one), _stored(one), _dense(one) if with_vectors else None)
            for one in found
        }

    def payloads(self, ids: Sequence[str]) -> dict[str, Payload]:
        """See `Index.payloads`."""
        return {point: payload_from_stored(one.stored) for point, one in self.fetch(ids).items()}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """See `Index.vectors`."""
        found = self._named(ids, self._here(), vectors=(DENSE,))
        read = {_point_of(one): _dense(one) for one in found}
        return {point: vector for point, vector in read.items() if vector is not None}

    def threads(self, account: Accounts) -> Threads:
        """See `Index.threads`."""
        if account not in self._threads:
            self._threads[account] = threads_among(self.members(account))
        return self._threads[account]

    def members(self, account: Accounts) -> Mapping[str, tuple[ThreadMember, ...]]:
        """See `Index.members`."""
        if account not in self._members:
            found = self._records(self._filter(Where(account, kinds=(PointKind.THREAD,), states=None)))
            self._members[account] = members_among(payload_from_stored(_stored(one)) for one in found)
        return self._members[account]

    def count(self) -> int:
        """See `Index.count`."""
        here = models.Filter(must=self._here())
        return _trying(lambda: self._client.count(self._name, count_filter=here, exact=True)).count

    def scan(self) -> Iterator[StoredPoint]:
        """See `Index.scan`; in the order of the versions' ids."""
        for one in self._records(models.Filter(must=self._here())):
            yield StoredPoint(_point_of(one), _stored(one), None)

    def points(self) -> Iterator[IndexedPoint]:
        """See `Index.points`; in the order of the versions' ids."""
        for one in self._records(models.Filter(must=self._here()), vectors=(DENSE, BM25)):
            yield _whole(one, payload_from_stored(_stored(one)))

    def digests(self) -> dict[str, str]:
        """Payload digest by point id of what stands in the generation that is being written."""
        here = models.Filter(must=self._here())
        records = self._records(here, fields=(POINT, DIGEST))
        return {_point_of(one): str((one.payload or {})[DIGEST]) for one in records}

    # Writing

    def upsert(self, points: Iterable[IndexedPoint]) -> None:
        """See `WritableIndex.upsert`."""
        self._threads.clear()
        self._members.clear()
        for batch in _batches(points, WRITE_BATCH):
            rows = [self._version(point) for point in batch]
            replaced = self._standing([point.id for point in batch])
            _trying(lambda made=rows: self._client.upsert(self._name, made, wait=True))  # type: ignore[misc]
            self._end([one for one in replaced if one.id not in {row.id for row in rows}])

    def _version(self, point: IndexedPoint) -> models.PointStruct:
        own = {
            POINT: point.id,
            APPEARS: self._generation,
            LEAVES: FOREVER,
            DIGEST: point.payload.digest,
        }
        return models.PointStruct(
            id=str(uuid5(UUID(point.id), f"{point.payload.digest}:{self._generation}")),
            payload={**point.payload.stored, **own},
            vector=_vectors_of(point),
        )

    def _standing(self, ids: Sequence[str], vectors: Sequence[str] = ()) -> list[models.Record]:
        return list(self._named(ids, [_between(LEAVES, gte=FOREVER)], vectors=vectors))

    def _end(self, versions: Sequence[models.Record]) -> None:
        """Versions of this very generation go; those of earlier ones leave with it."""
        mine = [one.id for one in versions if (one.payload or {})[APPEARS] == self._generation]
        theirs = [one.id for one in versions if (one.payload or {})[APPEARS] != self._generation]
        if mine:
            _trying(lambda: self._client.delete(self._name, models.PointIdsList(points=mine), wait=True))
        if theirs:
            leaving = {LEAVES: self._generation}
            _trying(lambda: self._client.set_payload(self._name, leaving, theirs, wait=True))

    def set_payloads(self, payloads: Iterable[tuple[str, Payload]]) -> None:
        """See `WritableIndex.set_payloads`: a new version with the vectors of the old one."""
        for batch in _batches(payloads, WRITE_BATCH):
            wanted = dict(batch)
            standing = self._standing(list(wanted), (DENSE, BM25))
            self.upsert(_whole(one, wanted[_point_of(one)]) for one in standing)

    def delete(self, ids: Sequence[str]) -> None:
        """See `WritableIndex.delete`."""
        self._threads.clear()
        self._members.clear()
        for batch in _batches(ids, READ_BATCH):
            self._end(self._standing(batch))

    def close(self) -> None:
        """See `Index.close`."""
        self._client.close()


def _point_of(record: models.Record | models.ScoredPoint) -> str:
    return str((record.payload or {})[POINT])


def _stored(record: models.Record | models.ScoredPoint) -> dict[str, object]:
    found: Mapping[str, object] = record.payload or {}
    return {name: value for name, value in found.items() if name not in OWN_FIELDS}


def _dense(record: models.Record) -> Vector | None:
    vectors: Any = record.vector
    dense = vectors.get(DENSE)
    return None if dense is None else np.asarray(dense, dtype=np.float32)


def _vectors_of(point: IndexedPoint) -> dict[str, Any]:
    words = models.SparseVector(indices=list(point.sparse.indices), values=list(point.sparse.values))
    return {BM25: words} if point.vector is None else {DENSE: point.vector.tolist(), BM25: words}


def _whole(record: models.Record, payload: Payload) -> IndexedPoint:
    vectors: Any = record.vector
    sparse = vectors[BM25]
    words = SparseVector(tuple(sparse.indices), tuple(sparse.values))
    return IndexedPoint(_point_of(record), payload, _dense(record), words)
