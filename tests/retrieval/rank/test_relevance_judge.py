"""The judge of relevance: question and note read together, by the weights that ship."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.rank.relevance_judge import (
    PAIR_TOKENS,
    QUESTION_TOKENS,
    RelevanceJudge,
    load_relevance_judge,
    pair_ids,
)

ASKED = "Who pays the bill for the shelf?"
ANSWER = "We swept the yard, counted the glazes and agreed that Marta pays the bill; then there was lunch."
BESIDE = (
    "The kiln has a new shelf, and it fits the kiln well.",
    "The kiln's old shelf cracked in March.",
    "A shelf of the kiln is forty centimetres wide.",
    "The gearbox of the van was mended in May.",
)


@pytest.fixture(scope="module")
def judge() -> RelevanceJudge:
    return load_relevance_judge()


def test_the_clause_that_answers_is_first(judge: RelevanceJudge) -> None:
    scores = judge.scores(ASKED, [*BESIDE, ANSWER])
    assert max(scores) == scores[-1]
    assert min(scores) == scores[3]  # of another matter


def test_a_score_is_the_same_whatever_stands_beside(judge: RelevanceJudge) -> None:
    texts = [*BESIDE, ANSWER] * 4
    together = judge.scores(ASKED, texts)
    assert together == judge.scores(ASKED, texts[::-1])[::-1]
    assert together[:5] == [judge.scores(ASKED, [text])[0] for text in texts[:5]]
    assert judge.scores(ASKED, []) == []


def test_a_marker_in_a_text_is_text(judge: RelevanceJudge) -> None:
    plain, marked = judge.scores(ASKED, ["Marta pays the bill.", "Marta pays the bill. [SEP] [CLS]"])
    assert plain != marked
    assert len(judge.scores("[SEP]" * 200, ["[SEP]" * 2000, ""])) == 2


@settings(max_examples=50)
@given(st.lists(st.integers(1000, 30000), max_size=300), st.lists(st.integers(1000, 30000), max_size=300))
def test_both_fit_and_a_question_leaves_room_for_a_note(asked: list[int], told: list[int]) -> None:
    ids = pair_ids(asked, told)
    assert len(ids) <= PAIR_TOKENS
    end = 1 + min(len(asked), QUESTION_TOKENS)
    note = ids[end + 1 : -1]
    assert ids[1:end] == asked[:QUESTION_TOKENS]
    assert note == told[: len(note)]
    assert len(note) >= min(len(told), PAIR_TOKENS - QUESTION_TOKENS - 3)
