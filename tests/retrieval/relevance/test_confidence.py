from __future__ import annotations

from dataclasses import replace
from math import log1p

import pytest
from small_memory import ACCOUNT, NOON, note

from retrieval.question import Mode, Question
from retrieval.relevance.confidence import Basis, confidence_of, outline_of, values_of, weighed
from retrieval.relevance.evidence import evidence_of
from retrieval.search.hybrid import Candidate
from vault.index import Where
from vault.points import PointKind

ASKED = Question("Which ferry goes to Bergen?", Where(ACCOUNT), NOON)


def found(ref: str, near: float, conversation: str, text: str = "Fog.") -> Candidate:
    return Candidate(ref, note(ref, text, PointKind.CHUNK, conversation=conversation), near, relevance=near)


def test_the_gap_is_to_the_next_conversation() -> None:
    came = [found("a", 0.6, "one"), found("b", 0.55, "one"), found("c", 0.4, "two")]
    outline = outline_of(ASKED, came)
    assert (outline.best, outline.results) == (0.6, 3)
    assert outline.gap == pytest.approx(0.2)
    assert outline_of(ASKED, came[:2]).gap == 0.6
    assert outline.values["results"] == log1p(3)


def test_nothing_found_has_no_confidence() -> None:
    assert confidence_of(ASKED, []) == 0.0


def test_what_a_confidence_goes_by_follows_the_question() -> None:
    came = [found("a", 0.6, "one", "The ferry goes to Bergen.")]
    evidence = evidence_of(ASKED.text, came)
    assert values_of(ASKED, came, evidence, 1.5)[1]["logit"] == 1.5
    assert values_of(ASKED, came, evidence, 1.5)[0] is Basis.EVIDENCE
    assert values_of(ASKED, came, None, 0.0)[0] is Basis.OUTLINE
    assert values_of(replace(ASKED, mode=Mode.BM25), came, evidence, 1.5)[0] is Basis.WORDS


@pytest.mark.parametrize("basis", list(Basis))
def test_a_chance_lies_between_0_and_1(basis: Basis) -> None:
    names = weighed().weights[basis].keys() - {"bias"}
    for value in (-1e9, 0.0, 1e9):
        assert 0 <= weighed().chance(basis, dict.fromkeys(names, value)) <= 1


def test_a_note_with_the_words_raises_it() -> None:
    vague = [found("a", 0.3, "one"), found("b", 0.29, "two")]
    told = [found("a", 0.7, "one", "The ferry goes to Bergen."), found("b", 0.29, "two")]
    assert confidence_of(ASKED, vague) < confidence_of(ASKED, told)
