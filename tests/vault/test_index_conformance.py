"""What every index engine must do; each runs all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from qdrant_client import QdrantClient

from schemas.ids import point_id
from schemas.provenance import TIER_WEIGHTS, Tier
from schemas.unit import Category, Speaker, State
from vault.edge import EdgeIndex
from vault.index import IndexedPoint, Search, Vector, Where, WritableIndex
from vault.points import Payload, PointKind, SparseVector, ThreadMember, stored_digest
from vault.server import ServerIndex, ServerOptions

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")

DIMENSION = 8
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


NAMED = {name: point_id(PointKind.UNIT, name) for name in (f"n{number}" for number in range(5))}


def direction(number: int) -> Vector:
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[number % DIMENSION] = 1.0
    return vector


def point(
    name: str, number: int, *, account: str = "ada", state: State = State.PASSED, term: int = 1
) -> IndexedPoint:
    payload = Payload(
        kind=PointKind.UNIT,
        ref=name,
        account=account,
        text=f"note {name}",
        tier=Tier.CHAT,
        weight=TIER_WEIGHTS[Tier.CHAT],
        state=state,
        category=Category.FACT,
        speaker=Speaker.OTHER if number == 4 else Speaker.OWNER,
        speaker_name="Gideon" if number == 4 else None,
        conversation_id=f"conversation-{number}",
        provider="claude" if number == 3 else "chatgpt",
        said_at=BEGAN + timedelta(days=number),
        conversation_at=BEGAN + timedelta(days=number),
        content_hash="0",
    )
    identity = point_id(PointKind.UNIT, name)
    return IndexedPoint(identity, payload, direction(number), SparseVector((term,), (1.0,)))


@pytest.fixture(params=["edge", "server"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WritableIndex]:
    """Each engine: the embedded shard, and the client in its local mode."""
    made: WritableIndex
    if request.param == "edge":
        made = EdgeIndex.create(tmp_path / "index", DIMENSION)
    else:
        made = ServerIndex.create(QdrantClient(":memory:"), ServerOptions(), 1, DIMENSION)
    yield made
    made.close()


def test_a_point_comes_back_as_it_was_written(index: WritableIndex) -> None:
    written = point("a", 3)
    index.upsert([written])
    stored = index.fetch([written.id], with_vectors=True)[written.id]
    assert stored_digest(stored.stored) == written.payload.digest
    assert stored.vector is not None
    assert np.allclose(stored.vector, written.vector)


def test_a_missing_point_is_absent_from_the_answer(index: WritableIndex) -> None:
    assert index.fetch([point_id(PointKind.UNIT, "nobody")]) == {}


def test_nothing_of_another_account_is_found(index: WritableIndex) -> None:
    index.upsert([point("mine", 1), point("theirs", 1, account="bob")])
    assert [hit.payload.ref for hit in index.search_dense(direction(1), Where("ada"), 10)] == ["mine"]
    query = SparseVector((1,), (1.0,))
    assert [hit.payload.ref for hit in index.search_sparse(query, Where("bob"), 10)] == ["theirs"]


def test_filters_hold_before_the_top_is_taken(index: WritableIndex) -> None:
    index.upsert([point(f"rejected-{number}", 1, state=State.REJECTED) for number in range(50)])
    index.upsert([point("passed", 2)])
    assert [hit.payload.ref for hit in index.search_dense(direction(1), Where("ada"), 1)] == ["passed"]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (Where("ada", before=BEGAN + timedelta(days=2)), {"n0", "n1"}),
        (Where("ada", after=BEGAN + timedelta(days=3)), {"n3", "n4"}),
        (Where("ada", conversations=("conversation-2",)), {"n2"}),
        (Where("ada", kinds=(PointKind.CHUNK,)), set()),
        (Where("ada", categories=(Category.DECISION,)), set()),
        (Where("ada", tiers=(Tier.CHAT,)), {"n0", "n1", "n2", "n3", "n4"}),
        (Where("ada", providers=("claude",)), {"n3"}),
        (Where("ada", people=("Gideon",)), {"n4"}),
        (Where("ada", people=("owner",), besides=frozenset({NAMED["n1"]})), {"n0", "n2", "n3"}),
        (Where("ada", among=frozenset({NAMED["n1"], NAMED["n2"]})), {"n1", "n2"}),
    ],
)
def test_every_filter(index: WritableIndex, where: Where, expected: set[str]) -> None:
    index.upsert([point(f"n{number}", number) for number in range(5)])
    found = index.search_dense(direction(0) + direction(1), where, 10)
    assert {hit.payload.ref for hit in found} == expected


def test_rarity_of_a_term_is_counted_in_the_account_that_asks(index: WritableIndex) -> None:
    """A word that is everywhere in another person's archive may be rare in mine."""
    index.upsert([point("rare", 1, term=7), *(point(f"n{number}", 2, term=8) for number in range(9))])
    query = SparseVector((7,), (1.0,))
    alone = index.search_sparse(query, Where("ada"), 1)[0].score
    index.upsert([point(f"theirs-{number}", 3, account="bob", term=7) for number in range(100)])
    assert index.search_sparse(query, Where("ada"), 1)[0].score == pytest.approx(alone)


def test_payloads_change_without_touching_vectors(index: WritableIndex) -> None:
    before = point("a", 1)
    index.upsert([before])
    kept = before.payload.model_copy(update={"state": State.KEPT, "tier": Tier.ENGRAM, "weight": 1.0})
    index.set_payloads([(before.id, kept)])
    (hit,) = index.search_dense(direction(1), Where("ada", tiers=(Tier.ENGRAM,)), 5)
    assert hit.payload == kept
    assert hit.score == pytest.approx(1.0)


def test_deleting_removes_and_forgives_what_is_absent(index: WritableIndex) -> None:
    index.upsert([point("a", 1), point("b", 2)])
    index.delete([point("a", 1).id, point("never", 1).id])
    assert {stored.stored["ref"] for stored in index.scan()} == {"b"}
    assert index.count() == 1


def test_searches_made_together_find_what_they_find_alone(index: WritableIndex) -> None:
    index.upsert([point(f"n{number}", number, term=number) for number in range(6)])
    vector = direction(1) + 0.5 * direction(2)
    words = SparseVector((2, 3), (1.0, 1.0))
    nothing = SparseVector((), ())
    ada, bob = Where("ada"), Where("bob")
    together = index.search_ids(
        [Search(vector, ada, 2), Search(nothing, ada, 2), Search(words, ada, 2), Search(words, bob, 2)]
    )
    alone = [index.search_dense(vector, ada, 2), [], index.search_sparse(words, ada, 2), []]
    assert together == [[(hit.id, hit.score) for hit in hits] for hits in alone]


def test_a_remembered_payload_is_read_again_after_a_write(index: WritableIndex) -> None:
    before = point("a", 1)
    index.upsert([before])
    assert index.payloads([before.id, point("nobody", 1).id]) == {before.id: before.payload}
    kept = before.payload.model_copy(update={"state": State.KEPT})
    index.set_payloads([(before.id, kept)])
    assert index.payloads([before.id]) == {before.id: kept}
    index.delete([before.id])
    assert index.payloads([before.id]) == {}
    assert index.vectors([before.id]) == {}


def test_points_among_and_besides(index: WritableIndex) -> None:
    points = [point(f"n{number}", 1) for number in range(4)]
    index.upsert(points)
    ids = [one.id for one in points]
    for where, expected in (
        (Where("ada", among=frozenset(ids[:2])), set(ids[:2])),
        (Where("ada", besides=frozenset(ids[:3])), set(ids[3:])),
    ):
        assert {hit.id for hit in index.search_dense(direction(1), where, 9)} == expected


def test_every_point_is_told_whole(index: WritableIndex) -> None:
    written = {one.id: one for one in (point(f"n{number}", number, term=number + 1) for number in range(5))}
    index.upsert(written.values())
    told = {one.id: one for one in index.points()}
    assert told.keys() == written.keys()
    for one, whole in told.items():
        assert whole.vector is not None
        assert (whole.payload, whole.sparse) == (written[one].payload, written[one].sparse)
        assert np.allclose(whole.vector, written[one].vector)


def test_a_point_without_a_vector_is_found_by_words_alone(index: WritableIndex) -> None:
    bare = replace(point("bare", 1), vector=None)
    index.upsert([bare, point("whole", 1)])
    ids, words = [bare.id, point("whole", 1).id], SparseVector((1,), (1.0,))
    assert [hit.payload.ref for hit in index.search_dense(direction(1), Where("ada"), 9)] == ["whole"]
    assert {hit.payload.ref for hit in index.search_sparse(words, Where("ada"), 9)} == {"bare", "whole"}
    assert index.vectors(ids).keys() == {ids[1]}
    assert index.fetch(ids, with_vectors=True)[bare.id].vector is None
    assert {one.payload.ref: one.vector is None for one in index.points()} == {"bare": True, "whole": False}
    index.set_payloads([(bare.id, bare.payload.model_copy(update={"text": "told anew"}))])
    assert index.vectors(ids).keys() == {ids[1]}
    index.upsert([replace(bare, vector=direction(2))])
    assert index.vectors(ids).keys() == set(ids)


def test_writing_a_point_again_replaces_it(index: WritableIndex) -> None:
    index.upsert([point("a", 1)])
    index.upsert([point("a", 2)])
    assert index.count() == 1
    assert np.allclose(index.vectors([point("a", 2).id])[point("a", 2).id], direction(2))


def test_a_conversation_knows_its_thread(index: WritableIndex) -> None:
    members = tuple(
        ThreadMember(conversation_id=f"conversation-{number}", began=BEGAN) for number in range(2)
    )
    own = point("map", 1)
    overview = own.payload.model_copy(update={"kind": PointKind.THREAD, "members": members})
    index.upsert([replace(own, payload=overview), point("other", 3)])
    assert index.threads("ada") == {"conversation-0": members, "conversation-1": members}
    assert index.threads("ben") == {}
    index.delete([own.id])
    assert index.threads("ada") == {}
