"""The offline judge: question and note read word for word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_memory import note

from inference import token_states
from inference.token_states import tokens_in_place
from retrieval.deep.comparison import by_relevance
from retrieval.deep.expansion import Neighbour
from retrieval.deep.word_for_word import read_word_for_word
from retrieval.search.hybrid import Candidate

TALK = (
    "We went through the whole trip again: ferries, the tent, who brings the stove, the long drive home, and "
    "in between that Maren is allergic to hazelnuts, then the weather for the weekend and the two spare keys."
)
NOTES = {
    "talk": (TALK, 0.40),
    "beside": ("Maren brings the stove and the tent.", 0.50),
    "other": ("The allergy clinic opens at nine on weekdays.", 0.45),
    "far": ("The gearbox of the van was mended in May.", 0.30),
}


def pool() -> list[Neighbour]:
    """Four notes, of which the one that answers is neither the nearest nor the shortest."""
    return [
        Neighbour(Candidate(name, note(name, text), relevance, relevance), "")
        for name, (text, relevance) in NOTES.items()
    ]


def test_a_clause_of_a_long_passage_is_found() -> None:
    scores = read_word_for_word("What is Maren allergic to?", pool()).scores
    assert max(scores, key=lambda one: scores[one]) == "talk"
    assert min(scores, key=lambda one: scores[one]) == "far"


def test_the_pool_keeps_its_relevances() -> None:
    compared = read_word_for_word("What is Maren allergic to?", pool())
    assert sorted(compared.scores.values()) == sorted(relevance for _, relevance in NOTES.values())
    assert not compared.judged


def test_the_order_of_the_pool_changes_nothing() -> None:
    query = "What is Maren allergic to?"
    assert read_word_for_word(query, pool()).scores == read_word_for_word(query, pool()[::-1]).scores


def test_one_note_or_no_question_is_left_as_it_is() -> None:
    assert read_word_for_word("Maren?", pool()[:1]) == by_relevance("Maren?", pool()[:1])
    assert read_word_for_word("", pool()) == by_relevance("", pool())
    assert read_word_for_word("Maren?", []) == by_relevance("Maren?", [])


def test_without_room_for_its_graph_the_relevance_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = (tokens_in_place, token_states._session)
    (tmp_path / "no-folder").touch()
    try:
        for one in opened:
            one.cache_clear()
        monkeypatch.setenv("MNEMIC_CACHE", str(tmp_path / "no-folder"))
        assert read_word_for_word("What is Maren allergic to?", pool()) == by_relevance("", pool())
    finally:
        for one in opened:
            one.cache_clear()


def test_reading_that_takes_too_long_is_no_comparison() -> None:
    compared = read_word_for_word("What is Maren allergic to?", pool(), timeout=0)
    assert compared.timed_out
    assert not compared.scores


def test_tokens_are_of_unit_length_and_none_is_a_frame() -> None:
    told = tokens_in_place("Maren is allergic to hazelnuts.", 160)
    assert len(told.ids) == len(told.states) >= 6
    assert np.allclose(np.linalg.norm(told.states, axis=1), 1.0, atol=1e-5)
    assert len(tokens_in_place(TALK, 12).ids) == 10
