"""What stands around notes: where it comes, within which bounds, and that it takes nothing from them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from small_memory import ACCOUNT, NOON, make_index, note

from inference.embedder import Embedder
from retrieval import Package, PackagePart
from retrieval.question import NOTES
from schemas.ids import summary_id
from schemas.thread import NOTHING_SAID
from schemas.unit import Category
from tests.asking import recall
from vault.edge import EdgeIndex
from vault.points import OVERVIEWS, Payload, PointKind, ThreadMember

ASKED = "the hornbeam hedge at the fence"
HEDGE = PointKind.THREAD


def began(day: int) -> datetime:
    return NOON + timedelta(days=day)


def summary(conversation: str, text: str) -> Payload:
    return note(summary_id(conversation), text, PointKind.SUMMARY, conversation=conversation)


def hedge_map(*providers: str) -> Payload:
    members = tuple(
        ThreadMember(conversation_id=one, began=began(day), provider=provider)
        for day, (one, provider) in enumerate(zip(("planting", "pruning"), providers, strict=True))
    )
    point = note("hedge", "The hornbeam hedge: planted, then pruned.", HEDGE, conversation="hedge")
    return point.model_copy(update={"members": members, "conversation_at": began(1), "said_at": began(1)})


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> EdgeIndex:
    planted = [note(f"p{n}", f"The hornbeam hedge has {n} metres at the fence.", conversation="planting")
               for n in range(4)]  # fmt: skip
    pruned = note("cut", "The hornbeam hedge is cut in June.", conversation="pruning", said_at=began(1))
    told = [
        summary("planting", "A hornbeam hedge of four metres was planted along the fence of the garden."),
        summary("pruning", f"{NOTHING_SAID} Nothing was noted on the hornbeam hedge."),
        hedge_map("claude", "chatgpt"),
    ]
    return make_index(tmp_path_factory.mktemp("hedge"), embedder, [*planted, pruned, *told])


def ask(index: EdgeIndex, embedder: Embedder | None, **bounds: Any) -> Package:
    return recall(ASKED, index=index, embedder=embedder, account=ACCOUNT, as_of=began(9), **bounds)


def overviews(package: Package) -> list[str]:
    return [hit.kind.value for hit in package.hits if hit.kind in OVERVIEWS]


def test_a_map_and_a_summary_come_after_as_many_notes_as_were_asked_for(
    index: EdgeIndex, embedder: Embedder
) -> None:
    package, alone = ask(index, embedder, limit=3), ask(index, embedder, limit=3, kinds=NOTES)
    assert [hit.id for hit in package.hits[:3]] == [hit.id for hit in alone.hits]
    assert [hit.id for hit in package.hits[3:]] == ["hedge", summary_id("planting")]
    assert {hit.part for hit in package.hits[3:]} == {PackagePart.PERIPHERAL}
    assert all(
        before.score >= after.score for before, after in zip(package.hits, package.hits[1:], strict=False)
    )
    assert package.confidence == alone.confidence
    assert overviews(ask(index, None, mode="bm25")) == ["thread", "summary"]


def test_most_bounds_the_whole_package(index: EdgeIndex, embedder: Embedder) -> None:
    counts = {most: ask(index, embedder, limit=3, most=most) for most in (3, 4, 5, 9)}
    assert {most: len(package.hits) for most, package in counts.items()} == {3: 3, 4: 4, 5: 5, 9: 5}
    assert overviews(counts[3]) == []
    assert overviews(counts[4]) == ["thread"]


def test_where_no_note_answers_nothing_stands_around(index: EdgeIndex, embedder: Embedder) -> None:
    assert (
        recall("quarterly tax of a bakery in Lisbon", index=index, embedder=embedder, account=ACCOUNT).hits
        == ()
    )


@pytest.mark.parametrize("budget", [120, 300, 700])
def test_an_overview_never_costs_a_note_its_place_nor_the_budget(
    index: EdgeIndex, embedder: Embedder, budget: int
) -> None:
    package, alone = (
        ask(index, embedder, budget=budget),
        ask(index, embedder, budget=budget, kinds=NOTES),
    )
    notes = [hit.id for hit in package.hits if hit.kind not in OVERVIEWS]
    assert notes == [hit.id for hit in alone.hits]
    assert package.tokens <= budget
    assert package.notices == alone.notices


@pytest.mark.parametrize(
    ("bounds", "told"),
    [
        ({}, ["thread", "summary"]),
        ({"before": began(2)}, ["thread", "summary"]),
        ({"before": began(1)}, ["summary"]),
        ({"after": began(0)}, ["thread", "summary"]),
        ({"after": began(1)}, []),
        ({"providers": ("transcript",)}, ["summary"]),
        ({"conversations": ("planting",)}, ["summary"]),
        ({"conversations": ("planting", "pruning")}, ["thread", "summary"]),
        ({"categories": (Category.FACT,)}, []),
        ({"people": ("owner",)}, []),
        ({"kinds": (PointKind.UNIT,)}, []),
    ],
)
def test_a_map_stands_beside_notes_where_all_its_conversations_are_within_the_bounds(
    index: EdgeIndex, embedder: Embedder, bounds: dict[str, Any], told: list[str]
) -> None:
    assert overviews(ask(index, embedder, **bounds)) == told


@pytest.mark.parametrize(
    ("bounds", "found"),
    [
        ({"before": began(2), "after": began(0)}, True),
        ({"before": began(1)}, False),
        ({"after": began(1)}, False),
        ({"providers": ("claude",)}, False),
        ({"providers": ("claude", "chatgpt")}, True),
        ({"conversations": ("planting",)}, False),
        ({"conversations": ("planting", "pruning", "other")}, True),
        ({"people": ("owner",)}, False),
    ],
)
def test_a_map_that_is_asked_for_is_found_within_its_members_bounds(
    index: EdgeIndex, embedder: Embedder, bounds: dict[str, Any], found: bool
) -> None:
    assert overviews(ask(index, embedder, kinds=(HEDGE,), **bounds)) == ["thread"] * found


def test_the_summary_of_an_empty_conversation_answers_nothing(index: EdgeIndex, embedder: Embedder) -> None:
    hits = ask(index, embedder, kinds=(PointKind.SUMMARY,)).hits
    assert [hit.conversation_id for hit in hits] == ["planting"]


def test_members_of_before_there_were_providers_are_stored_as_they_were() -> None:
    old = hedge_map("", "")
    assert "provider" not in old.stored["members"][0]  # type: ignore[index]


def test_a_time_without_a_zone_is_taken_for_utc(index: EdgeIndex, embedder: Embedder) -> None:
    naive = began(2).replace(tzinfo=None)
    package = ask(index, embedder, before=naive, after=NOON.replace(tzinfo=None))
    assert package.hits
    now = recall(ASKED, index=index, embedder=embedder, account=ACCOUNT, as_of=naive)
    assert now.as_of == began(2)
    assert now.hits
