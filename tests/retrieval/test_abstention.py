from __future__ import annotations

from pathlib import Path

import pytest
from small_memory import ACCOUNT, NOON, make_index, note

from inference.embedder import Embedder
from retrieval import Package, recall
from retrieval.abstention import FEWEST_CANDIDATES
from schemas.provenance import Tier
from vault.edge import EdgeIndex
from vault.points import PointKind

PLACES = ("Bergen", "Os", "Lerwick", "Stromness", "Kirkwall", "Wick", "Thurso", "Oban")
NOTES = [
    note(f"trip {n}", f"For the trip to {place} I {act} the {thing}.", conversation=f"trip to {place}")
    for n, (place, act, thing) in enumerate(
        (place, act, thing)
        for place in PLACES
        for act in ("booked", "planned", "cancelled")
        for thing in ("ferry", "hotel", "train", "dinner")
    )
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> EdgeIndex:
    return make_index(tmp_path_factory.mktemp("abstention") / "shard", embedder, NOTES)


def ask(index: EdgeIndex, embedder: Embedder, query: str, **bounds: object) -> Package:
    return recall(query, index=index, embedder=embedder, account=ACCOUNT, as_of=NOON, explain=True, **bounds)  # type: ignore[arg-type]


def test_what_is_near_but_not_about_it_is_not_answered(index: EdgeIndex, embedder: Embedder) -> None:
    assert len(NOTES) > FEWEST_CANDIDATES
    query = "Which physiotherapist did the doctor recommend for the shoulder exercises and travel insurance?"
    package = ask(index, embedder, query)
    assert package.hits == ()
    assert package.dropped
    assert "Nothing in this memory" in package.render()


def test_what_is_there_is_answered(index: EdgeIndex, embedder: Embedder) -> None:
    package = ask(index, embedder, "Which ferry did I book for the trip to Bergen?")
    assert package.hits[0].conversation_id == "trip to Bergen"


def test_a_page_on_the_owner_does_not_stand_before_every_answer(tmp_path: Path, embedder: Embedder) -> None:
    page = "I am Hanne, I live in Orkney, I sail a small boat called Teist, and I look after my dad."
    notes = [
        note(
            "page",
            page,
            PointKind.CHUNK,
            conversation="custom instructions",
            tier=Tier.RESOURCE,
            said_at=None,
        ),
        note("said", "No epoxy anywhere on Teist: we rivet larch.", PointKind.CHUNK, conversation="boat"),
    ]
    index = make_index(tmp_path, embedder, notes)
    package = ask(index, embedder, "What did I decide about epoxy on Teist?")
    assert [hit.id for hit in package.hits if hit.kind is PointKind.CHUNK] == ["said"]
    assert {one.id: one.stage for one in package.dropped}["page"] in ("fit-gate", "similarity floor")
    alone = ask(index, embedder, "Who am I and where do I live?", tiers=(Tier.RESOURCE,))
    assert [hit.id for hit in alone.hits] == ["page"]
