from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_memory import note

from retrieval.rank.scoring import recency, score, voiced
from retrieval.search.hybrid import Candidate
from schemas.provenance import TIER_WEIGHTS, Tier
from schemas.unit import Speaker

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)


def days_ago(days: float) -> datetime:
    return AS_OF - timedelta(days=days)


@pytest.mark.parametrize(
    ("tier", "expected"),
    [(Tier.ENGRAM, 0.50), (Tier.RESOURCE, 0.40), (Tier.CHAT, 0.30), (Tier.WEB, 0.05)],
)
def test_the_tier_weighs_equal_relevance(tier: Tier, expected: float) -> None:
    assert score(0.5, TIER_WEIGHTS[tier], recency(tier, AS_OF, AS_OF)) == pytest.approx(expected)


def test_relevance_beats_weight() -> None:
    resource = score(0.95, TIER_WEIGHTS[Tier.RESOURCE], 1.0)
    engram = score(0.10, TIER_WEIGHTS[Tier.ENGRAM], 1.0)
    assert resource == pytest.approx(0.76)
    assert resource > engram


def test_talk_fades_to_six_tenths_and_no_further() -> None:
    assert recency(Tier.CHAT, AS_OF, AS_OF) == 1.0
    assert recency(Tier.CHAT, days_ago(14), AS_OF) == pytest.approx(0.8)
    assert recency(Tier.CHAT, days_ago(42), AS_OF) == pytest.approx(0.7)
    assert recency(Tier.CHAT, days_ago(40_000), AS_OF) == pytest.approx(0.6, abs=0.001)


def test_every_newer_session_of_its_thread_ages_talk_by_four_days() -> None:
    assert recency(Tier.CHAT, AS_OF, AS_OF, newer=1) == pytest.approx(
        recency(Tier.CHAT, days_ago(4.2), AS_OF)
    )
    assert recency(Tier.CHAT, days_ago(14), AS_OF, newer=5) == pytest.approx(0.6 + 0.4 / 3.5)
    assert recency(Tier.CHAT, None, AS_OF, newer=5) == 1.0
    assert recency(Tier.ENGRAM, AS_OF, AS_OF, newer=5) == 1.0


@pytest.mark.parametrize("tier", [Tier.ENGRAM, Tier.RESOURCE, Tier.WEB])
def test_only_talk_fades(tier: Tier) -> None:
    assert recency(tier, days_ago(4000), AS_OF) == 1.0


def test_undated_and_later_notes_are_neutral() -> None:
    assert recency(Tier.CHAT, None, AS_OF) == 1.0
    assert recency(Tier.CHAT, days_ago(-30), AS_OF) == 1.0


@given(st.floats(0, 5000), st.floats(0, 5000))
def test_the_newer_of_two_never_scores_less(one: float, other: float) -> None:
    newer, older = sorted((one, other))
    assert recency(Tier.CHAT, days_ago(newer), AS_OF) >= recency(Tier.CHAT, days_ago(older), AS_OF)


def test_a_scored_candidate_keeps_everything_else() -> None:
    one = Candidate("id", note("n", "Text."), 0.4, 0.5, 2.0, "home", True, duplicates=(note("m", "Text."),))
    assert one.scored(0.3, 0.8, 0.9) == replace(one, score=0.3, recency=0.8, novelty=0.9)


def test_the_owner_comes_first_inside_a_conversation_alone() -> None:
    said = [
        ("boat", Speaker.ASSISTANT, 0.80),
        ("boat", Speaker.OWNER, 0.75),
        ("boat", Speaker.OWNER, 0.40),
        ("kiln", Speaker.ASSISTANT, 0.90),
        ("talk", Speaker.OTHER, 0.50),
        ("talk", Speaker.OWNER, 0.49),
    ]
    assert voiced(said) == [0.75, 0.80, 0.40, 0.90, 0.50, 0.49]
    assert voiced([]) == []


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([*Speaker, None]), st.floats(0, 1))))
def test_voices_change_no_conversation_s_scores(notes: list[tuple[str, Speaker | None, float]]) -> None:
    told = voiced(notes)
    for home in "abc":
        before = sorted(score for where, _, score in notes if where == home)
        after = sorted(score for (where, *_), score in zip(notes, told, strict=True) if where == home)
        assert after == before
