"""Generations on a server, and an index carried to one; the client's local mode stands for the server."""

from __future__ import annotations

from pathlib import Path

import pytest
from qdrant_client import QdrantClient
from test_index_conformance import DIMENSION, direction, point

from schemas.unit import State
from vault.edge import EdgeIndex
from vault.index import Where
from vault.integrity import points_digest
from vault.points import stored_digest
from vault.pushing import push
from vault.server import ServerIndex, ServerOptions

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")


@pytest.fixture
def client() -> QdrantClient:
    return QdrantClient(":memory:")


def generation(client: QdrantClient, number: int) -> ServerIndex:
    return ServerIndex.create(client, ServerOptions(quantised=True), number, DIMENSION)


def names(index: ServerIndex) -> dict[str, State]:
    hits = index.search_dense(direction(1), Where("ada", states=None), 20)
    return {hit.payload.ref: hit.payload.state for hit in hits}


def test_a_generation_sees_itself_and_never_the_next(client: QdrantClient) -> None:
    first = generation(client, 1)
    first.upsert([point("stays", 1), point("goes", 1), point("changes", 1)])
    second = generation(client, 2)
    second.delete([point("goes", 1).id])
    second.set_payloads([(point("changes", 1).id, point("changes", 1, state=State.KEPT).payload)])
    second.upsert([point("comes", 1)])
    passed, kept = State.PASSED, State.KEPT
    assert names(first) == {"stays": passed, "goes": passed, "changes": passed}
    assert names(second) == {"stays": passed, "changes": kept, "comes": passed}
    assert (first.count(), second.count()) == (3, 3)
    third = generation(client, 3)
    third.set_payloads([(point("changes", 1).id, point("changes", 1).payload)])  # as it was at first
    assert [names(one)["changes"] for one in (first, second, third)] == [passed, kept, passed]


def test_a_half_done_generation_is_undone(client: QdrantClient) -> None:
    first = generation(client, 1)
    first.upsert([point("stays", 1), point("goes", 1)])
    before = {one.id: stored_digest(one.stored) for one in first.scan()}
    second = generation(client, 2)
    second.upsert([point("comes", 1), point("stays", 2)])
    second.delete([point("goes", 1).id])
    second.undo()
    assert {one.id: stored_digest(one.stored) for one in second.scan()} == before


def test_a_push_sends_what_changed_and_says_what_it_verified(client: QdrantClient, tmp_path: Path) -> None:
    edge = EdgeIndex.create(tmp_path / "index", DIMENSION)
    edge.upsert(point(f"n{number}", number, term=number + 1) for number in range(40))
    first = push(edge, generation(client, 1))
    assert (first.written, first.unchanged, first.points, first.vectors) == (40, 0, 40, 40)
    assert push(edge, generation(client, 1)).written == 0
    edge.upsert([point("n3", 5), point("new", 1)])
    edge.set_payloads([(point("n4", 4).id, point("n4", 4, state=State.KEPT).payload)])
    edge.delete([point("n7", 7).id])
    second = push(edge, generation(client, 2))
    assert (second.written, second.unchanged, second.removed) == (3, 37, 1)
    expected = {one.id: stored_digest(one.stored) for one in edge.scan()}
    assert second.digest == points_digest(expected)
    assert generation(client, 1).count() == 40
    edge.close()
