from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_memory import ACCOUNT, NOON, make_index, note

from chunking import estimate_tokens
from inference.embedder import Embedder
from inference.sparse import encode_document
from retrieval import Package, PackagePart
from schemas.ids import point_id
from schemas.provenance import Tier
from schemas.unit import Category, State
from tests.asking import recall
from vault.edge import EdgeIndex
from vault.index import IndexedPoint
from vault.points import PointKind, SparseVector

GARDEN = "The moss garden needs water every second morning in summer."
BREAD = "The sourdough rests for twelve hours before it is baked."
LEDGER = "We keep the ledger in DuckDB because it needs no server."
LONG = "# Watering the garden\n\nMoss wants shade and water in the morning.\n\n" + "\n\n".join(
    f"Bed {n}: the roses of bed {n} get {n} litres of water. Their soil is turned in March."
    for n in range(40)
)

NOTES = [
    note("garden", GARDEN, quote="needs water every second morning", conversation="garden talk"),
    note(
        "bread", BREAD, conversation="kitchen", category=Category.DECISION, said_at=NOON - timedelta(days=300)
    ),
    note(
        "ledger", LEDGER, conversation="work", category=Category.DECISION, tier=Tier.ENGRAM, state=State.KEPT
    ),
    note("undated", "Undated: the garden hose leaks at the tap.", conversation="garden talk", said_at=None),
    note("rejected", "The garden gate is green.", conversation="garden talk", state=State.REJECTED),
    note("long", LONG, PointKind.CHUNK, conversation="garden talk", message="long answer"),
    note("other", "The neighbour's garden has a pond.", account="nils", conversation="pond"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> EdgeIndex:
    return make_index(tmp_path_factory.mktemp("index") / "shard", embedder, NOTES)


def ids(package: Package) -> list[str]:
    return [hit.id for hit in package.hits]


def test_the_note_that_answers_comes_first(index: EdgeIndex, embedder: Embedder) -> None:
    package = recall("how often do I water the moss?", index=index, embedder=embedder, account=ACCOUNT)
    first = package.hits[0]
    assert first.conversation_id == "garden talk"
    assert first.part is PackagePart.CORE
    assert first.conversation_title == "About garden talk"
    assert 0.3 < package.confidence <= 1


def test_every_hit_says_where_it_comes_from(index: EdgeIndex, embedder: Embedder) -> None:
    package = recall("garden water", index=index, embedder=embedder, account=ACCOUNT)
    for hit in package.hits:
        assert hit.kind is PointKind.CONVERSATION or hit.evidence[0].message_id
        assert hit.score == pytest.approx(hit.relevance * hit.weight * hit.recency * hit.novelty, abs=2e-4)
    garden = next(hit for hit in package.hits if hit.id == "garden")
    assert garden.evidence[0].quote == "needs water every second morning"
    assert "About garden talk" in package.render()


def test_nothing_crosses_accounts(index: EdgeIndex, embedder: Embedder) -> None:
    mine = recall("garden with a pond", index=index, embedder=embedder, account=ACCOUNT)
    theirs = recall("garden with a pond", index=index, embedder=embedder, account="nils")
    assert "other" not in ids(mine)
    assert "other" in ids(theirs)
    assert {hit.conversation_id for hit in theirs.hits} == {"pond"}


def test_filters_hold(index: EdgeIndex, embedder: Embedder) -> None:
    def ask(query: str = "garden bread ledger", **bounds: object) -> list[str]:
        found = recall(query, index=index, embedder=embedder, account=ACCOUNT, judged=False, **bounds)  # type: ignore[arg-type]
        return sorted(ids(found))

    assert ask(categories=(Category.DECISION,)) == ["bread", "ledger"]
    assert ask(tiers=(Tier.ENGRAM,)) == ["ledger"]
    assert ask(states=(State.REJECTED,)) == ["rejected"]
    assert "rejected" not in ask()
    assert set(ask(conversations=("kitchen",))) <= {"bread", "kitchen"}
    assert "garden" not in ask(before=NOON - timedelta(days=100))
    assert "bread" in ask("sourdough", before=NOON - timedelta(days=100))
    assert "bread" not in ask("sourdough", after=NOON - timedelta(days=100))
    assert ask("garden water", kinds=(PointKind.CHUNK,)) == ["long"]


def test_recency_counts_from_the_moment_asked_about(index: EdgeIndex, embedder: Embedder) -> None:
    def recency(as_of: datetime) -> dict[str, float]:
        package = recall(
            "garden bread ledger", index=index, embedder=embedder, account=ACCOUNT, as_of=as_of, judged=False
        )
        return {hit.id: hit.recency for hit in package.hits}

    then = recency(NOON - timedelta(days=300))
    later = recency(NOON)
    assert then["bread"] == 1.0
    assert later["bread"] < 0.63
    assert later["garden"] == 1.0
    assert later["undated"] == 1.0
    assert recency(datetime(2036, 1, 1, tzinfo=UTC))["ledger"] == 1.0


@pytest.mark.parametrize("query", ["zzzqqq xxyyzz", "corporate tax rates in Luxembourg", "", "  \n", "!?"])
def test_nothing_relevant_is_an_empty_package_that_says_so(
    index: EdgeIndex, embedder: Embedder, query: str
) -> None:
    package = recall(query, index=index, embedder=embedder, account=ACCOUNT, explained=True)
    assert package.hits == ()
    assert package.dropped
    assert "Nothing in this memory" in package.notices[0]
    assert "Nothing in this memory" in package.render()
    assert all(one.stage == "similarity floor" for one in package.dropped)


def test_an_unknown_account_has_no_memory(index: EdgeIndex, embedder: Embedder) -> None:
    package = recall("garden", index=index, embedder=embedder, account="nobody")
    assert not package.hits
    assert not package.dropped
    assert package.confidence == 0


def test_a_single_exact_word_is_found(index: EdgeIndex, embedder: Embedder) -> None:
    package = recall("DuckDB", index=index, embedder=embedder, account=ACCOUNT)
    assert "ledger" in ids(package)


def test_a_query_from_a_broken_terminal_is_still_a_query(index: EdgeIndex, embedder: Embedder) -> None:
    package = recall("garden \udcff water", index=index, embedder=embedder, account=ACCOUNT)
    assert "garden" in ids(package)


def test_a_query_longer_than_the_embedders_window(index: EdgeIndex, embedder: Embedder) -> None:
    package = recall("water the garden " * 300, index=index, embedder=embedder, account=ACCOUNT)
    assert package.hits[0].conversation_id == "garden talk"


def test_the_same_question_gets_the_same_package(index: EdgeIndex, embedder: Embedder) -> None:
    def ask() -> Package:
        return recall("garden water", index=index, embedder=embedder, account=ACCOUNT, as_of=NOON)

    assert ask() == ask()


def test_every_candidate_is_a_hit_or_was_dropped_with_a_reason(index: EdgeIndex, embedder: Embedder) -> None:
    package = recall(
        "garden water",
        index=index,
        embedder=embedder,
        account=ACCOUNT,
        limit=2,
        budget=300,
        explained=True,
    )
    mine = [one for one in NOTES if one.account == ACCOUNT and one.state is not State.REJECTED]
    conversations = {one.conversation_id for one in mine}
    accounted = [*ids(package), *(one.id for one in package.dropped)]
    assert sorted(accounted) == sorted({one.ref for one in mine} | conversations)
    assert all(one.stage and one.reason for one in package.dropped)
    assert len(package.hits) <= 2


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    budget=st.integers(0, 1200),
    query=st.sampled_from(["garden water", "ledger", "rose beds and their litres of water", "zzz"]),
    limit=st.integers(1, 20),
)
def test_the_budget_is_never_exceeded(
    index: EdgeIndex, embedder: Embedder, budget: int, query: str, limit: int
) -> None:
    package = recall(query, index=index, embedder=embedder, account=ACCOUNT, limit=limit, budget=budget)
    markdown = package.render()
    assert estimate_tokens(markdown) == package.tokens <= budget
    assert sum(hit.tokens for hit in package.hits) <= budget
    for hit in package.hits:
        original = next((one.text for one in NOTES if one.ref == hit.id), hit.text)
        assert hit.cut or hit.text == original
        assert hit.text.removesuffix(" […]").rstrip() in original


def test_an_oversize_passage_is_cut_at_its_structure_and_the_package_says_so(
    index: EdgeIndex, embedder: Embedder
) -> None:
    package = recall(
        "litres of water for the roses of bed 7",
        index=index,
        embedder=embedder,
        account=ACCOUNT,
        kinds=(PointKind.CHUNK,),
        budget=400,
    )
    (passage,) = package.hits
    assert passage.cut
    assert passage.text.removesuffix(" […]").endswith("March.")
    assert "1 cut short" in package.notices[0]
    assert package.notices[0] in package.render()


def test_equal_words_become_one_hit_with_all_the_evidence(tmp_path: Path, embedder: Embedder) -> None:
    text = "The kiln is fired on Thursdays."
    index = make_index(
        tmp_path,
        embedder,
        [
            note("first", text, conversation="a", quote="fired on Thursdays", said_at=NOON),
            note("second", text.upper(), conversation="b", quote="on Thursdays, as ever", said_at=NOON),
            note("kept", text, conversation="c", tier=Tier.ENGRAM, state=State.KEPT, quote="Thursdays it is"),
        ],
    )
    package = recall(
        "when is the kiln fired?", index=index, embedder=embedder, account=ACCOUNT, as_of=NOON, explained=True
    )
    units = [hit for hit in package.hits if hit.kind is PointKind.UNIT]
    assert [hit.id for hit in units] == ["kept"]
    assert sorted(units[0].also) == ["first", "second"]
    assert {said.quote for said in units[0].evidence} == {
        "fired on Thursdays",
        "on Thursdays, as ever",
        "Thursdays it is",
    }
    assert {one.stage for one in package.dropped if one.kind is PointKind.UNIT} == {"exact dedup"}


def test_a_document_is_not_held_back_for_standing_in_no_conversation(
    tmp_path: Path, embedder: Embedder
) -> None:
    words = "Stoneware is fired at 1,240 degrees."
    notes = [
        note("chat", words, PointKind.CHUNK, conversation="talk"),
        note("manual", words + " See table 4.", PointKind.CHUNK, conversation="manual", tier=Tier.RESOURCE),
    ]
    index = make_index(tmp_path, embedder, notes)
    index.delete([point_id(PointKind.CONVERSATION, "manual")])
    package = recall(
        "how hot is stoneware fired?", index=index, embedder=embedder, account=ACCOUNT, as_of=NOON
    )
    assert ids(package)[0] == "manual"


def test_one_conversation_does_not_crowd_out_the_others(tmp_path: Path, embedder: Embedder) -> None:
    crowd = [
        note(f"crowd {n}", f"The kiln was fired {n} times in May.", conversation="a") for n in range(2, 12)
    ]
    single = note("single", "The kiln cracked.", conversation="b")
    index = make_index(tmp_path, embedder, [*crowd, single])
    package = recall("kiln", index=index, embedder=embedder, account=ACCOUNT, limit=4, as_of=NOON)
    assert "single" in ids(package)
    assert [hit.score for hit in package.hits] == sorted((hit.score for hit in package.hits), reverse=True)


def test_a_conversation_without_a_word_is_no_hit(tmp_path: Path, embedder: Embedder) -> None:
    empty = note("paint", "Paint for the boat", PointKind.CONVERSATION, conversation="paint", category=None)
    empty = empty.model_copy(update={"conversation_title": empty.text})
    told = note("u1", "The boat is painted green", conversation="talk")
    index = make_index(tmp_path / "index", embedder, [told])
    (vector,) = embedder.embed([empty.text])
    words = SparseVector(*encode_document(empty.text))
    index.upsert([IndexedPoint(point_id(empty.kind, empty.ref), empty, vector, words)])
    package = recall("the boat's paint", index=index, embedder=embedder, account=ACCOUNT, judged=False)
    assert "paint" not in {hit.id for hit in package.hits}
    assert package.hits


def test_ties_are_broken_by_id(tmp_path: Path, embedder: Embedder) -> None:
    notes = [note(f"n{n}", f"Locker {n} is empty.", said_at=NOON) for n in range(4)]
    first = make_index(tmp_path / "a", embedder, notes)
    second = make_index(tmp_path / "b", embedder, notes[::-1])
    answers = [
        recall("locker", index=one, embedder=embedder, account=ACCOUNT, as_of=NOON) for one in (first, second)
    ]
    assert ids(answers[0]) == ids(answers[1])
