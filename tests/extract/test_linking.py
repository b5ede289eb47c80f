"""Threads: found, bounded, and steady as conversations join."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.labels import label_of
from extract.linking import SMALL_THREAD, Group, Matrix, centred, least_likeness, link
from schemas.ids import thread_id
from schemas.thread import Profile, Thread

DIMENSION = 64


def talks(*about: int, noise: float = 0.5, seed: int = 0) -> Matrix:
    """A vector of unit length for each conversation: its subject's direction, and noise."""
    draw = np.random.default_rng(seed)
    subjects = np.random.default_rng(7).normal(size=(max(about, default=0) + 1, DIMENSION))
    subjects /= np.linalg.norm(subjects, axis=1, keepdims=True)
    wander = draw.normal(size=(len(about), DIMENSION)) / DIMENSION**0.5
    rows = subjects[list(about)] + noise * wander
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def names(number: int) -> list[str]:
    return [f"c{place:04}" for place in range(number)]


def linked(vectors: Matrix, threads: Sequence[Thread] = (), fresh: set[str] | None = None) -> list[Group]:
    order = names(len(vectors))
    return link("ada", order, vectors, threads, set(order) if fresh is None else fresh)


def as_threads(groups: Sequence[Group]) -> list[Thread]:
    return [
        Thread(id=one.id, account="ada", label="", conversation_ids=one.conversation_ids, aliases=one.aliases)
        for one in groups
    ]


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
    after = linked(talks(*about), as_threads(before), {"c0008"})
    assert {group.id for group in before} == {group.id for group in after}
    grown = {group.id for group in after if group not in before}
    assert grown == {thread_id("ada", "c0001")}


def test_an_older_conversation_that_comes_later_does_not_change_the_id() -> None:
    order = names(4)
    vectors = talks(0, 0, 0, 1)
    (first,) = link("ada", order[1:], vectors[1:], (), set(order[1:]))
    (then,) = link("ada", order, vectors, as_threads([first]), {"c0000"})
    assert then.id == first.id == thread_id("ada", "c0001")
    assert then.conversation_ids == ("c0000", "c0001", "c0002")


def test_threads_that_merge_keep_the_older_id_and_the_other_as_an_alias() -> None:
    order = names(6)
    threads = [
        Thread(id="old", account="ada", label="", conversation_ids=("c0000", "c0001"), aliases=("older",)),
        Thread(id="new", account="ada", label="", conversation_ids=("c0002", "c0003")),
    ]
    vectors = talks(0, 0, 0, 0, 0, 1)
    (apart, also) = link("ada", order[:4], vectors[:4], threads, set())
    assert {apart.id, also.id} == {"old", "new"}
    (merged,) = link("ada", order, vectors, threads, {"c0004"})
    assert merged.id == "old"
    assert merged.aliases == ("new", "older")
    assert merged.conversation_ids == ("c0000", "c0001", "c0002", "c0003", "c0004")


def test_no_thread_swallows_the_corpus() -> None:
    groups = linked(talks(*[0] * 30, *range(1, 10)))
    assert max(len(group.conversation_ids) for group in groups) <= SMALL_THREAD
    groups = linked(talks(*[0] * 60, *[place % 40 for place in range(140)]))
    assert max(len(group.conversation_ids) for group in groups) <= 20


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=2, max_size=30), st.integers(0, 99), st.integers(1, 29))
def test_threads_never_lose_a_conversation_and_never_share_one(about: list[int], seed: int, cut: int) -> None:
    vectors = talks(*about, noise=1.5, seed=seed)
    order = names(len(about))
    cut = min(cut, len(about))
    before = link("ada", order[:cut], vectors[:cut], (), set(order[:cut]))
    after = link("ada", order, vectors, as_threads(before), set(order[cut:]))
    held = [one for group in after for one in group.conversation_ids]
    assert len(held) == len(set(held))
    assert all(len(group.conversation_ids) > 1 for group in after)
    homes = {name: group for group in after for name in (group.id, *group.aliases)}
    for group in before:
        assert set(group.conversation_ids) <= set(homes[group.id].conversation_ids)
    assert link("ada", order, vectors, as_threads(after), set()) == after


def test_the_bar_is_that_of_all_pairs() -> None:
    vectors = centred(talks(*range(40), noise=1.0))
    pairs = (vectors @ vectors.T)[np.triu_indices(40, 1)]
    counted = np.concatenate([pairs, np.repeat([0.12, -0.12], 435)[: 435 * 2 : 2]])
    spread = float(np.sqrt(np.square(counted).mean() - (pairs.sum() / len(counted)) ** 2))
    assert abs(least_likeness(vectors) - (pairs.sum() / len(counted) + 1.6 * spread)) < 1e-3


def profile(*words: str) -> Profile:
    return Profile(
        conversation_id="c",
        account="ada",
        terms=tuple(word.lower() for word in words),
        words=words,
        counts=(1,) * len(words),
    )


def test_a_label_has_what_is_shared_here_and_rare_elsewhere() -> None:
    own = [profile("Palermo", "ferry", "please", "hotel"), profile("Palermo", "ferry", "please", "rain")]
    everywhere = {"palermo": 2, "ferry": 3, "please": 40, "hotel": 1, "rain": 9}
    assert label_of(own, [None, None], everywhere, 40, {}) == "Palermo, ferry", "`please` names nothing"
    titles = ["Trip to Palermo", "New chat"]
    common = {"Trip to Palermo": 1, "New chat": 25}
    assert label_of(own, titles, everywhere, 40, common) == "Trip to Palermo: ferry"
    assert label_of([], [None], {}, 40, {}) == "Untitled"
