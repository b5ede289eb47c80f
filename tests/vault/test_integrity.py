from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from test_index_conformance import DIMENSION, direction, point

from schemas.errors import IntegrityError
from vault.edge import EdgeIndex
from vault.index import IndexedPoint
from vault.integrity import check_written, differences, points_digest
from vault.ledger import Ledger

POINTS = [point(f"n{number}", number) for number in range(5)]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[EdgeIndex]:
    made = EdgeIndex.create(tmp_path / "index", DIMENSION)
    made.upsert(POINTS)
    yield made
    made.close()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.duckdb", read_only=False) as made:
        made.replace_points([row(one) for one in POINTS], [])
        yield made


def row(one: IndexedPoint) -> dict[str, str]:
    return {
        "point_id": one.id,
        "kind": one.payload.kind.value,
        "ref": one.payload.ref,
        "account": one.payload.account,
        "conversation_id": one.payload.conversation_id,
        "content_hash": one.payload.content_hash,
        "payload_hash": one.payload.digest,
        "run": "r",
    }


def swap_payloads(index: EdgeIndex) -> None:
    """The welding fault: right text, right vectors, under each other's ids."""
    first, second = POINTS[0], POINTS[1]
    index.set_payloads([(first.id, second.payload), (second.id, first.payload)])


def delete_one(index: EdgeIndex) -> None:
    index.delete([POINTS[0].id])


def change_a_text(index: EdgeIndex) -> None:
    index.set_payloads([(POINTS[0].id, POINTS[0].payload.model_copy(update={"text": "other"}))])


def add_a_foreign_one(index: EdgeIndex) -> None:
    index.upsert([point("foreign", 1)])


def test_an_index_that_holds_what_the_ledger_says_has_no_differences(
    index: EdgeIndex, ledger: Ledger
) -> None:
    check_written(index, POINTS)
    assert differences(index, ledger) == []


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        (swap_payloads, POINTS[0].id),
        (delete_one, POINTS[0].id),
        (change_a_text, POINTS[0].id),
        (add_a_foreign_one, point("foreign", 1).id),
    ],
)
def test_every_fault_is_found_and_named(
    index: EdgeIndex, ledger: Ledger, fault: Callable[[EdgeIndex], None], named: str
) -> None:
    fault(index)
    assert any(named in line for line in differences(index, ledger))


@pytest.mark.parametrize("fault", [swap_payloads, delete_one, change_a_text])
def test_a_point_that_came_back_changed_stops_the_load(
    index: EdgeIndex, fault: Callable[[EdgeIndex], None]
) -> None:
    fault(index)
    with pytest.raises(IntegrityError):
        check_written(index, POINTS)


def test_a_swapped_vector_is_found(index: EdgeIndex) -> None:
    wrong = IndexedPoint(POINTS[0].id, POINTS[0].payload, direction(5), POINTS[0].sparse)
    index.upsert([wrong])
    with pytest.raises(IntegrityError, match="another vector"):
        check_written(index, POINTS)


def test_a_lost_vector_is_found(index: EdgeIndex) -> None:
    index.upsert([replace(POINTS[0], vector=None)])
    with pytest.raises(IntegrityError, match="no vector"):
        check_written(index, POINTS)
    check_written(index, [replace(POINTS[0], vector=None), *POINTS[1:]])


def test_the_digest_does_not_depend_on_order() -> None:
    hashes = {"b": "2", "a": "1"}
    assert points_digest(hashes) == points_digest(dict(sorted(hashes.items())))
    assert points_digest(hashes) != points_digest({"a": "2", "b": "1"})
