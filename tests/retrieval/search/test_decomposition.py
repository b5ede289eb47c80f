"""Variations of a prompt, misspelt words, and fusion by ranks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_memory import ACCOUNT, NOON, make_index, note

from inference.embedder import Embedder
from retrieval import Fusion
from retrieval.search.decomposition import AIMS, merged, variations
from retrieval.search.index_searches import by_rank
from retrieval.search.query_spelling import corrected, edits
from retrieval.search.question_names import names_of, numbers_of
from schemas.provenance import Tier
from tests.asking import recall
from vault.points import PointKind

NOTES = [
    note("memory", "We settled on scoped memory for the agents.", conversation="agents"),
    note("kiln", "The kiln threw error 502 on Thursday.", conversation="kiln"),
    note(
        "manual", "Error 502 means that the kiln's door is open.", tier=Tier.RESOURCE, conversation="manual"
    ),
]


def test_names_and_numbers_survive_every_variation() -> None:
    prompt = "How did we get rid of error 502 on the kiln that Aksel sold us for 1,240.50 euros in Bergen?"
    made = variations(prompt)
    assert [one.aim for one in made] == [aim for aim, _, _ in AIMS]
    for one in made:
        for kept in ("502", "1,240.50", "Aksel", "Bergen"):
            assert kept in one.text
    assert variations("is it the and of") == []


@settings(deadline=None)
@given(st.text())
def test_any_text_has_variations_that_keep_its_names_and_numbers(text: str) -> None:
    kept = [*names_of(text), *numbers_of(text)]
    assert all(word in one.text for one in variations(text) for word in kept)


def test_a_decomposed_recall_finds_what_the_plain_one_does(tmp_path: Path, embedder: Embedder) -> None:
    index = make_index(tmp_path, embedder, NOTES)
    asked = {"index": index, "embedder": embedder, "account": ACCOUNT, "as_of": NOON, "judged": False}
    plain = recall("what was error 502 of the kiln?", **asked)  # type: ignore[arg-type]
    decomposed = recall("what was error 502 of the kiln?", decomposed=True, **asked)  # type: ignore[arg-type]
    assert {hit.id for hit in plain.hits} <= {hit.id for hit in decomposed.hits}
    assert merged([], []) == []
    bounded = recall(
        "what was error 502?", decomposed=True, tiers=(Tier.CHAT,), kinds=(PointKind.UNIT,), **asked  # type: ignore[arg-type]
    )  # fmt: skip
    assert {hit.tier for hit in bounded.hits} == {Tier.CHAT}


def test_f2_19_a_typo_finds_the_word(tmp_path: Path, embedder: Embedder) -> None:
    index = make_index(tmp_path, embedder, NOTES)
    package = recall("scpoed memry", index=index, embedder=embedder, account=ACCOUNT, as_of=NOON)
    assert package.hits[0].id == "memory"
    assert "scoped memory" in package.notices[0]


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("the scpoed memry", "the scoped memory"),
        ("did Memry call?", "did Memry call?"),
        ("the memory of things", "the memory of things"),
        ("502x7 and abcd", "502x7 and abcd"),
        ("qwxzyvvk", "qwxzyvvk"),
    ],
)
def test_only_what_is_no_word_and_no_name_is_corrected(query: str, read: str) -> None:
    assert corrected(query, ["scoped memory, scoped memory of an agent"]) == read


def test_a_word_inside_another_is_no_such_word() -> None:
    assert corrected("my gardn", ["the gardnx of the garden, the garden"]) == "my garden"
    assert corrected("my gardn", ["a gardn, the garden"]) == "my gardn"


@pytest.mark.parametrize("query", ["how were the batches worded", "which jars fermented"])
def test_correct_english_is_left_alone(query: str) -> None:
    assert corrected(query, ["it matches what worked", "the jam was fermentex"]) == query


@settings(deadline=None)
@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_edits_count_both_ways(one: str, other: str) -> None:
    assert edits(one, other) == edits(other, one)
    assert (edits(one, other) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= edits(one, other) <= max(len(one), len(other))


def test_f2_16_ranks_are_fused_with_k_60(tmp_path: Path, embedder: Embedder) -> None:
    words, meaning = by_rank(["a", "b", "c"]), by_rank(["c", "a"])
    assert words["a"] + meaning["a"] == pytest.approx(1 / 61 + 1 / 62)
    assert words["c"] + meaning["c"] == pytest.approx(1 / 63 + 1 / 61)
    index = make_index(tmp_path, embedder, NOTES)
    package = recall(
        "error 502 of the kiln", index=index, embedder=embedder, account=ACCOUNT, fusion=Fusion.RRF,
        as_of=NOON, judged=False, kinds=(PointKind.UNIT,),
    )  # fmt: skip
    assert {hit.id for hit in package.hits[:2]} == {"kiln", "manual"}
    assert all(0 <= hit.relevance <= 1 for hit in package.hits)
