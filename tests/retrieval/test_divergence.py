from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.embedder import Embedder
from retrieval.diverge.agreement import NotesVerdict, PairRelation, compared, rank_biased_overlap
from retrieval.diverge.analysts import BREADTH_SHARE, pair_of
from tests.asking import question
from tests.retrieval.small_memory import ACCOUNT, NOON, make_index, note
from vault.edge import EdgeIndex
from vault.points import Payload, PointKind

RANKINGS = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=10)


@given(RANKINGS, RANKINGS)
def test_overlap_is_a_share_and_symmetric(one: list[str], other: list[str]) -> None:
    assert 0 <= rank_biased_overlap(one, other) <= 1
    assert rank_biased_overlap(one, other) == pytest.approx(rank_biased_overlap(other, one))


def test_overlap_of_what_is_known() -> None:
    assert rank_biased_overlap("abc", "abc") == pytest.approx(1)
    assert rank_biased_overlap("abc", "xyz") == 0
    assert rank_biased_overlap([], []) == 1
    assert rank_biased_overlap("abc", "acb") < 1
    # (1-p)/p (p X1/1 + p² X2/2) + X2/2 p² with X = 0, 2 and p = .9
    assert rank_biased_overlap("ab", "ba") == pytest.approx(0.1 / 0.9 * 0.81 + 0.81)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[EdgeIndex]:
    said = [
        "I decided to paint the hull of the boat green.",
        "The hull of the boat takes two coats of green paint.",
        "Paint on the boat's hull must dry for two days.",
        "The boat's paint costs forty euros a litre.",
    ]
    notes = [
        note(f"p{at}", text, conversation="paint", said_at=NOON + timedelta(at))
        for at, text in enumerate(said)
    ]
    notes.append(note("blue", "The hull of the boat shall be painted blue.", conversation="yard"))
    notes += [
        note(f"w{at}", f"The boat's hull was painted in harbour {at}.", conversation=f"h{at}")
        for at in range(4)
    ]
    opened = make_index(tmp_path_factory.mktemp("two") / "index", embedder, notes)
    yield opened
    opened.close()


def colours(older: Payload, newer: Payload) -> NotesVerdict | None:
    """A judge of this page: green and blue cannot both hold."""
    if {"green", "blue"} <= {word.strip(".") for one in (older, newer) for word in one.text.split()}:
        return NotesVerdict(relation=PairRelation.CONTRADICTS, chance=0.9, form=0.9)
    return None


def test_each_analyst_keeps_to_its_budget_and_way(index: EdgeIndex, embedder: Embedder) -> None:
    asked = question("what paint for the boat's hull?", ACCOUNT, kinds=(PointKind.UNIT,), budget=300)
    depth, breadth = pair_of(asked, index, embedder)
    assert max(depth.tokens, breadth.package.tokens) <= 300
    homes = [hit.conversation_id for hit in depth.hits]
    assert len(set(homes)) <= 2
    assert homes.count("paint") > BREADTH_SHARE
    wide = [hit.conversation_id for hit in breadth.package.hits]
    assert max(wide.count(home) for home in wide) <= BREADTH_SHARE
    assert len(set(wide)) > 2
    assert {hit.id for hit in breadth.package.hits} == set(breadth.aims)


def test_the_comparison_names_what_cannot_both_hold(index: EdgeIndex, embedder: Embedder) -> None:
    asked = question("what paint for the boat's hull?", ACCOUNT, kinds=(PointKind.UNIT,))
    depth, breadth = pair_of(asked, index, embedder)
    told = compared(depth, breadth.package, index, colours)
    first = told.pairs[0]
    assert first.relation is PairRelation.CONTRADICTS
    assert "blue" in (first.older, first.newer)
    assert told.diverged
    assert all(one.chance >= other.chance for one, other in pairwise(told.pairs))
    assert set(told.shared).isdisjoint({*told.depth_only, *told.breadth_only})
    calm = compared(depth, breadth.package, index, lambda *_: None)
    assert not calm.diverged
    assert calm.pairs == ()


def test_both_analysts_read_a_typo_alike(index: EdgeIndex, embedder: Embedder) -> None:
    depth, breadth = pair_of(question("the paint of the harbuor boats", ACCOUNT), index, embedder)
    assert depth.notices[:1] == ("Read as: the paint of the harbour boats",)
    assert breadth.package.notices[:1] == depth.notices[:1]


def test_nothing_found_is_no_divergence(index: EdgeIndex, embedder: Embedder) -> None:
    depth, breadth = pair_of(question("zygomorphic xylophones", ACCOUNT), index, embedder)
    told = compared(depth, breadth.package, index, colours)
    assert (depth.hits, breadth.package.hits, told.diverged, told.conversations) == ((), (), False, 0)
