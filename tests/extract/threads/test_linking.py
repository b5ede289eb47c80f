"""Threads: found, bounded, and the same whatever order conversations come in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.threads.likeness import (
    FEATURES,
    Matrix,
    Pairs,
    Talk,
    centred,
    features,
    load_likeness,
    load_turn,
    log_odds,
    usual_likeness,
)
from extract.threads.linking import FLOOR, SMALL_THREAD, Group, link, merged
from extract.threads.thread_labels import label_of
from schemas.ids import thread_id
from schemas.thread import Profile, Thread

DIMENSION = 384
BEGAN = datetime(2024, 1, 1, tzinfo=UTC)


def talks(*about: int, noise: float = 0.5, seed: int = 0) -> Matrix:
    """A vector of unit length for each conversation: its subject's direction, and noise."""
    draw = np.random.default_rng(seed)
    subjects = np.random.default_rng(7).normal(size=(max(about, default=0) + 1, DIMENSION))
    subjects /= np.linalg.norm(subjects, axis=1, keepdims=True)
    wander = draw.normal(size=(len(about), DIMENSION)) / DIMENSION**0.5
    rows = subjects[list(about)] + noise * wander
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def named(number: int) -> list[Talk]:
    """Conversations a day apart, without words."""
    return [Talk(f"c{place:04}", BEGAN + timedelta(days=place), None) for place in range(number)]


def linked(vectors: Matrix, threads: Sequence[Thread] = ()) -> list[Group]:
    return link("ada", named(len(vectors)), vectors, threads)


def as_threads(groups: Sequence[Group]) -> list[Thread]:
    return [
        Thread(id=one.id, account="ada", label="", conversation_ids=one.conversation_ids, aliases=one.aliases)
        for one in groups
    ]


def thread(identity: str, *conversations: str, aliases: tuple[str, ...] = ()) -> Thread:
    return Thread(id=identity, account="ada", label="", conversation_ids=conversations, aliases=aliases)


def test_conversations_on_one_subject_become_a_thread_and_others_stay_alone() -> None:
    groups = linked(talks(0, 1, 0, 2, 1, 0, 3, 4))
    assert {group.conversation_ids for group in groups} == {("c0000", "c0002", "c0005"), ("c0001", "c0004")}
    assert {group.id for group in groups} == {thread_id("ada", "c0000"), thread_id("ada", "c0001")}


def test_nothing_alike_is_no_thread() -> None:
    assert linked(talks(0, 1, 2, 3, 4, 5)) == []
    assert linked(talks(0)) == []
    assert linked(np.zeros((0, DIMENSION), dtype=np.float32)) == []


def test_an_id_stays_when_a_conversation_joins_and_only_its_thread_changes() -> None:
    about = (0, 1, 0, 2, 1, 0, 3, 4, 1)
    before = linked(talks(*about[:-1]))
    after = linked(talks(*about), as_threads(before))
    assert {group.id for group in before} == {group.id for group in after}
    grown = {group.id for group in after if group not in before}
    assert grown == {thread_id("ada", "c0001")}


def test_an_older_conversation_that_comes_later_leaves_the_id_as_an_alias() -> None:
    everything, vectors = named(4), talks(0, 0, 0, 1)
    (first,) = link("ada", everything[1:], vectors[1:])
    (then,) = link("ada", everything, vectors, as_threads([first]))
    assert (then.id, then.aliases) == (thread_id("ada", "c0000"), (thread_id("ada", "c0001"),))
    assert then.conversation_ids == ("c0000", "c0001", "c0002")


def test_a_conversation_without_a_date_founds_no_thread_that_has_a_dated_one() -> None:
    undated = Talk("a", None, None)
    (group,) = link("ada", [undated, *named(2)], talks(0, 0, 0))
    assert group.conversation_ids == ("c0000", "c0001", "a")


def test_threads_that_merge_answer_to_every_id_they_had() -> None:
    before = [thread("old", "c0000", "c0001", aliases=("older",)), thread("new", "c0002", "c0003")]
    (merged_one,) = linked(talks(0, 0, 0, 0, 0, 1), before)
    assert merged_one.id == thread_id("ada", "c0000")
    assert merged_one.aliases == ("new", "old", "older")


def test_a_thread_that_falls_apart_leaves_its_id_to_most_of_its_conversations() -> None:
    vectors = talks(0, 1, 1, 1, 2)
    groups = linked(vectors, [thread("was", "c0000", "c0001", "c0002", "c0003")])
    assert [(group.conversation_ids, group.aliases) for group in groups] == [
        (("c0001", "c0002", "c0003"), ("was",))
    ]
    halves = {
        group.conversation_ids: group.aliases
        for group in linked(talks(0, 0, 1, 1), [thread("was", "c0000", "c0001", "c0002", "c0003")])
    }
    assert halves == {("c0000", "c0001"): ("was",), ("c0002", "c0003"): ()}, "the earliest of equals"


def test_an_id_that_a_thread_has_of_its_own_names_no_other() -> None:
    own = thread_id("ada", "c0000")
    groups = linked(talks(0, 0, 1, 1, 1), [thread(own, "c0000", "c0002", "c0003", "c0004")])
    assert {group.id: group.aliases for group in groups} == {own: (), thread_id("ada", "c0002"): ()}


def test_no_thread_swallows_the_corpus() -> None:
    groups = linked(talks(*[0] * 15, *range(1, 100)))
    assert max(len(group.conversation_ids) for group in groups) == SMALL_THREAD
    groups = linked(talks(*[0] * 25, *range(1, 176)))
    assert max(len(group.conversation_ids) for group in groups) == 20


ABOUT = st.lists(st.integers(0, 6), min_size=2, max_size=30)


@settings(max_examples=30, deadline=None)
@given(ABOUT, st.integers(0, 99), st.randoms(use_true_random=False))
def test_the_order_of_conversations_does_not_matter(about: list[int], seed: int, shuffler: object) -> None:
    vectors, everything = talks(*about, noise=1.2, seed=seed), named(len(about))
    order = list(range(len(about)))
    shuffler.shuffle(order)  # type: ignore[attr-defined]
    again = link("ada", [everything[place] for place in order], vectors[order])
    assert again == link("ada", everything, vectors)


@settings(max_examples=30, deadline=None)
@given(ABOUT, st.integers(0, 99), st.integers(1, 29))
def test_imports_in_any_order_end_in_the_same_threads(about: list[int], seed: int, cut: int) -> None:
    vectors, everything = talks(*about, noise=1.2, seed=seed), named(len(about))
    whole = {group.id: group.conversation_ids for group in link("ada", everything, vectors)}
    places = list(range(len(about)))
    for order in (places, places[::-1], places[cut:] + places[:cut]):
        groups: list[Group] = []
        for had in sorted({min(cut, len(order)), (len(order) + 1) // 2, len(order)}):
            come = order[:had]
            groups = link("ada", [everything[one] for one in come], vectors[come], as_threads(groups))
        assert {group.id: group.conversation_ids for group in groups} == whole


@settings(max_examples=30, deadline=None)
@given(ABOUT, st.integers(0, 99), st.integers(1, 29))
def test_threads_share_no_conversation_and_no_id(about: list[int], seed: int, cut: int) -> None:
    vectors, everything = talks(*about, noise=1.2, seed=seed), named(len(about))
    before = link("ada", everything[:cut], vectors[:cut])
    after = link("ada", everything, vectors, as_threads(before))
    held = [one for group in after for one in group.conversation_ids]
    assert len(held) == len(set(held))
    assert all(1 < len(group.conversation_ids) <= SMALL_THREAD for group in after)
    names = [name for group in after for name in (group.id, *group.aliases)]
    assert len(names) == len(set(names))
    kept = {group.id for group in before if set(group.conversation_ids) & set(held)}
    assert kept <= set(names), "an id is lost only with all of its conversations"
    assert link("ada", everything, vectors, as_threads(after)) == after


def grouped(odds: Matrix, bound: float, most: int = 99) -> list[list[int]]:
    first, second = np.triu_indices(len(odds), 1)
    above = odds[first, second] > FLOOR
    first, second = first[above], second[above]
    return sorted(merged(len(odds), Pairs(first, second, odds[first, second]), bound, most))


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.integers(0, 999), st.integers(2, 9))
def test_merging_is_average_linkage(number: int, seed: int, most: int) -> None:
    """Beside the plain definition: every pair of groups is looked at before each merge."""
    # halves and quarters, so that there are ties and sums are exact
    drawn = np.random.default_rng(seed).integers(-20, 12, (number, number)) / 4
    odds = np.asarray(np.triu(drawn, 1) + np.triu(drawn, 1).T, np.float32)
    floored = np.maximum(odds, FLOOR).astype(float)
    groups = [[place] for place in range(number)]
    while True:
        found = [
            (-floored[np.ix_(one, other)].mean(), one, other)
            for place, one in enumerate(groups)
            for other in groups[place + 1 :]
            if len(one) + len(other) <= most
        ]
        if not found or -(best := min(found, key=lambda it: (it[0], it[1][0], it[2][0])))[0] < 0.5:
            break
        groups = sorted([*(one for one in groups if one not in best[1:]), sorted(best[1] + best[2])])
    assert grouped(odds, 0.5, most) == [one for one in groups if len(one) > 1]


def test_one_pair_far_apart_does_not_keep_groups_apart() -> None:
    odds = np.full((4, 4), 9.0, np.float32)
    odds[0, 3] = odds[3, 0] = -50.0
    assert grouped(odds, 1.0) == [[0, 1, 2, 3]]


def worded(*words: str) -> Profile:
    return Profile(
        conversation_id="c",
        account="ada",
        terms=tuple(word.lower() for word in words),
        words=words,
        counts=(1,) * len(words),
    )


def values_of(profiles: Sequence[Profile | None]) -> Matrix:
    own = [Talk(f"c{place:04}", None, one) for place, one in enumerate(profiles)]
    vectors = talks(*range(len(own)))
    return np.concatenate([block for _, block in features(own, vectors, load_turn())])


def test_rare_words_count_more_than_words_that_all_have() -> None:
    others = [worded("garden", f"x{place}", f"y{place}") for place in range(12)]
    values = values_of([worded("garden", "Whaup"), worded("garden", "Whaup"), worded("garden", "z"), *others])
    words, rarest = (values[..., FEATURES.index(name)] for name in ("words", "rarest"))
    assert words[0, 1] > words[0, 2] + 1
    assert rarest[0, 1] > rarest[0, 2] + 1
    assert rarest[0, 2] == rarest[0, 3], "a word that all have is not rare"


def test_features_are_symmetric_and_the_same_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    profiles = [worded(f"a{place % 3}", f"b{place % 5}", f"c{place}") for place in range(17)]
    whole = values_of([*profiles, None])
    np.testing.assert_allclose(whole, whole.transpose(1, 0, 2), atol=1e-4)
    monkeypatch.setattr("extract.threads.likeness.BLOCK_PAIRS", 40)
    np.testing.assert_allclose(values_of([*profiles, None]), whole, atol=1e-5)


def test_neighbours_are_likeness_to_all_others() -> None:
    vectors = talks(*[place % 4 for place in range(12)], noise=1.0)
    own = [Talk(f"c{place:04}", None, None) for place in range(12)]
    identity = np.eye(DIMENSION, dtype=np.float32)
    values = np.concatenate([block for _, block in features(own, vectors, identity)])
    rest = centred(vectors)
    near = rest @ rest.T
    others = [place for place in range(12) if place not in (2, 7)]
    one, other = near[2, others], near[7, others]
    unseen = 30 * 0.16**2
    expected = one @ other / math.sqrt((one @ one + unseen) * (other @ other + unseen))
    assert math.isclose(values[2, 7, FEATURES.index("neighbours")], expected, abs_tol=1e-4)


def test_the_odds_fall_as_a_grown_account_grows() -> None:
    model = load_likeness()
    values = np.zeros(len(FEATURES), np.float32)
    young, small, large = (float(log_odds(values, number, model)) for number in (3, 30, 300))
    assert young > small
    assert math.isclose(small - large, math.log(10), abs_tol=1e-4)
    assert young == float(log_odds(values, 10, model))


def test_what_is_usual_is_that_of_all_pairs_and_some_unseen_ones() -> None:
    vectors = centred(talks(*range(40), noise=1.0))
    pairs = (vectors @ vectors.T)[np.triu_indices(40, 1)]
    counted = np.concatenate([pairs, np.repeat([0.16, -0.16], 435)[: 435 * 2 : 2]])
    mean, spread = usual_likeness(vectors, vectors.T @ vectors)
    assert math.isclose(mean, pairs.sum() / len(counted), abs_tol=1e-4)
    assert math.isclose(spread, np.sqrt(np.square(counted).mean() - mean**2), abs_tol=1e-3)


def test_a_label_has_what_is_shared_here_and_rare_elsewhere() -> None:
    own = [worded("Palermo", "ferry", "please", "hotel"), worded("Palermo", "ferry", "please", "rain")]
    everywhere = {"palermo": 2, "ferry": 3, "please": 40, "hotel": 1, "rain": 9}
    assert label_of(own, [None, None], everywhere, 40, {}) == "Palermo, ferry", "`please` names nothing"
    titles = ["Trip to Palermo", "New chat"]
    common = {"Trip to Palermo": 1, "New chat": 25}
    assert label_of(own, titles, everywhere, 40, common) == "Trip to Palermo: ferry"
    assert label_of([], [None], {}, 40, {}) == "Untitled"
