"""Does the index hold what the ledger says? Compared by id, never by position.

The system behind this design once welded ids to other rows' content: a comparison by position cannot see it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from schemas.deferred import deferred
from schemas.errors import IntegrityError
from schemas.ids import point_id
from vault.index import Index, IndexedPoint, StoredPoint
from vault.ledger import Ledger
from vault.points import stored_digest

if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")


READ_BACK_BATCH = 1000
VECTOR_TOLERANCE = 1e-5
"""Largest difference of a component: the engine stores float32 and may normalise again."""

REMEDY = "Run the ingest again; the published generation is untouched"


def check_written(index: Index, points: Sequence[IndexedPoint]) -> None:
    """Read the points back and compare payload and vector.

    Raises IntegrityError naming the first that differs.
    """
    remaining = iter(points)
    while batch := list(islice(remaining, READ_BACK_BATCH)):
        found = index.fetch([point.id for point in batch], with_vectors=True)
        vectors = {}
        for point in batch:
            stored = found.get(point.id)
            if stored is None:
                raise IntegrityError("a point that was written is missing", where=point.id, remedy=REMEDY)
            if stored_digest(stored.stored) != point.payload.digest:
                raise IntegrityError("a point holds another payload", where=point.id, remedy=REMEDY)
            if (stored.vector is None) != (point.vector is None):
                what = "a point holds no vector" if stored.vector is None else "a point holds another vector"
                raise IntegrityError(what, where=point.id, remedy=REMEDY)
            if stored.vector is not None:
                vectors[point.id] = stored.vector, point.vector
        if not vectors:
            continue
        stored_ones, written = map(np.stack, zip(*vectors.values(), strict=True))
        far = np.abs(stored_ones - written).max(axis=1) > VECTOR_TOLERANCE
        if far.any():
            culprit = list(vectors)[int(far.argmax())]
            raise IntegrityError("a point holds another vector", where=culprit, remedy=REMEDY)


def points_digest(hashes: Mapping[str, str]) -> str:
    """SHA-256 over the sorted (point id, payload hash) pairs."""
    digest = hashlib.sha256()
    for point, payload in sorted(hashes.items()):
        digest.update(f"{point}:{payload}\n".encode())
    return digest.hexdigest()


def differences(index: Index, ledger: Ledger, limit: int = 20) -> list[str]:
    """Every way in which index and ledger disagree, up to `limit`, each naming a point."""
    expected = dict(_expected(ledger))
    found: list[str] = []
    for point in index.scan():
        found.extend(_difference(point, expected.pop(point.id, None)))
        if len(found) >= limit:
            return found
    found.extend(
        f"{point}: missing: the ledger has it, the index does not" for point in islice(expected, limit)
    )
    return found[:limit]


SAMPLE = 1000
"""Points read back beside those that a run wrote."""


def spot_check(index: Index, ledger: Ledger, written: Mapping[str, str], sample: int = SAMPLE) -> list[str]:
    """What is wrong with the points that were `written` (payload hash by id), with a sample of the others,
    or with their number. The sample is drawn by hash, another one for every set of written points.
    """
    ((total,),) = ledger.query("SELECT count(*) FROM points")
    found = []
    if index.count() != total:
        found.append(f"the index has {index.count()} points, the ledger {total}")
    seed = points_digest(written)
    others = ledger.query(
        "SELECT point_id, payload_hash FROM points ORDER BY hash(point_id || ?) LIMIT ?", [seed, sample]
    )
    expected = {str(point): str(payload) for point, payload in others} | dict(written)
    remaining = iter(expected)
    while batch := list(islice(remaining, READ_BACK_BATCH)):
        stored = index.fetch(batch)
        for point in batch:
            if point in stored:
                found.extend(_difference(stored[point], expected[point]))
            else:
                found.append(f"{point}: missing: the ledger has it, the index does not")
    return found


def _difference(point: StoredPoint, wanted: str | None) -> list[str]:
    """What is wrong with a point, by the payload hash that the ledger has for it (None: it has none)."""
    if wanted is None:
        return [f"{point.id}: foreign: the index has it, the ledger does not"]
    if wanted == stored_digest(point.stored):
        return []
    own = point_id(str(point.stored.get("kind")), str(point.stored.get("ref")))
    if own != point.id:
        return [f"{point.id}: swapped: it holds the payload of {own}"]
    return [f"{point.id}: changed or stale: its payload is not the one that the ledger has"]


def expected_digest(ledger: Ledger) -> tuple[int, str]:
    """How many points the ledger expects, and the digest over them."""
    hashes = dict(_expected(ledger))
    return len(hashes), points_digest(hashes)


def _expected(ledger: Ledger) -> Iterable[tuple[str, str]]:
    for point, payload in ledger.query("SELECT point_id, payload_hash FROM points"):
        yield str(point), str(payload)
