"""An index carried to a server as one more generation of it: nothing is embedded, everything is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from schemas.errors import IntegrityError
from vault.index import Index, IndexedPoint
from vault.integrity import check_written, points_digest
from vault.points import stored_digest
from vault.server import ServerIndex

VECTORS_COMPARED = 1000
"""Points whose vectors are read back too; of all others the payloads are."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """What a push did and verified."""

    written: int
    unchanged: int
    removed: int
    points: int
    """Points read back, and equal by id and payload."""
    vectors: int
    """Vectors read back and equal."""
    digest: str
    """`vault.integrity.points_digest` over what was read back: that of the generation's manifest."""


def push(source: Index, server: ServerIndex, advance: Callable[[int], None] = lambda _: None) -> Pushed:
    """Make the server's generation equal to the index; what stands there already is not sent again.

    Raises IntegrityError where what was read back is not what was sent; ServiceRefused, ServiceUnavailable.
    """
    wanted = {point.id: stored_digest(point.stored) for point in source.scan()}
    standing = server.digests()
    if standing != wanted or server.count() != len(wanted):
        server.undo()
        standing = server.digests()
    server.upsert(_changed(source, wanted, standing, advance))
    gone = sorted(standing.keys() - wanted.keys())
    server.delete(gone)
    there = {one.id: stored_digest(one.stored) for one in server.scan()}
    wrong = sorted(one for one in wanted.keys() | there.keys() if wanted.get(one) != there.get(one))
    if wrong or server.count() != len(wanted):
        raise IntegrityError(
            "the server does not hold what was sent",
            where=wrong[0] if wrong else "",
            why=f"{len(wrong)} points differ; there are {server.count()}, not {len(wanted)}",
            remedy="Run the same again",
        )
    sample = list(islice(source.points(), VECTORS_COMPARED))
    check_written(server, sample)
    sent = sum(standing.get(point) != digest for point, digest in wanted.items())
    return Pushed(sent, len(wanted) - sent, len(gone), len(there), len(sample), points_digest(there))


def _changed(
    source: Index, wanted: Mapping[str, str], standing: Mapping[str, str], advance: Callable[[int], None]
) -> Iterator[IndexedPoint]:
    for point in source.points():
        advance(1)
        if standing.get(point.id) != wanted[point.id]:
            yield point
