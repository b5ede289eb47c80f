"""The offline order of a deep search's pool: by the judge of relevance and the relevance that there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_memory import note

from retrieval.deep.comparison import by_relevance
from retrieval.deep.expansion import Neighbour
from retrieval.deep.offline_judge import compared_offline
from retrieval.rank.relevance_judge import load_relevance_judge
from retrieval.search.hybrid import Candidate

ASKED = "What is Maren allergic to?"
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
    scores = compared_offline(ASKED, pool()).scores
    assert max(scores, key=lambda one: scores[one]) == "talk"
    assert min(scores, key=lambda one: scores[one]) == "far"


def test_the_pool_keeps_its_relevances() -> None:
    compared = compared_offline(ASKED, pool())
    assert sorted(compared.scores.values()) == sorted(relevance for _, relevance in NOTES.values())
    assert not compared.judged


def test_the_order_of_the_pool_changes_nothing() -> None:
    assert compared_offline(ASKED, pool()).scores == compared_offline(ASKED, pool()[::-1]).scores


def test_one_note_or_no_question_is_left_as_it_is() -> None:
    assert compared_offline("Maren?", pool()[:1]) == by_relevance("Maren?", pool()[:1])
    assert compared_offline(" ", pool()) == by_relevance(" ", pool())
    assert compared_offline("Maren?", []) == by_relevance("Maren?", [])


def test_without_room_for_its_graph_the_relevance_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no-folder").touch()
    load_relevance_judge.cache_clear()
    monkeypatch.setenv("MNEMIC_CACHE", str(tmp_path / "no-folder"))
    try:
        assert compared_offline(ASKED, pool()) == by_relevance("", pool())
    finally:
        load_relevance_judge.cache_clear()


def test_reading_that_takes_too_long_is_no_comparison() -> None:
    compared = compared_offline(ASKED, pool(), timeout=0)
    assert compared.timed_out
    assert not compared.scores
