"""The fit-gate with a model: its protocol against a real local server, and that it fails open."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_server import ModelServer, Scripted, user_text
from small_memory import ACCOUNT, NOON, make_index, note

from inference.anthropic_model import AnthropicModel, ModelOptions
from inference.embedder import Embedder
from inference.pacing import Pace
from inference.service import Service
from retrieval import Package
from retrieval.relevance.model_filter import MOST_JUDGED, judge_with, read_verdicts
from retrieval.relevance.relevance_filter import PlacedNote
from schemas.provenance import Tier
from schemas.unit import State
from tests.asking import recall
from vault.points import PointKind

QUERY = "Ma reading of a Japanese garden: what is the empty space between the stones doing?"
HUBBLE = "Hubble's Law: galaxies recede because the empty space between them is itself expanding."
GARDEN = "The tea garden leaves its space empty so that the stones can be heard."


def dropping_the_first(body: dict[str, object]) -> dict[str, object]:
    return {"lines": ["1: DROP - cosmology, not gardens", "2: KEEP - the garden"]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(dropping_the_first) as running:
        yield running


def opened(server: ModelServer, folder: Path) -> AnthropicModel:
    service = Service("claude-haiku-5-5", server.url, "test-key", timeout=2.0)
    return AnthropicModel(ModelOptions(service, pace=Pace(1, 1)), folder)


def kept(text: str, count: int) -> list[bool]:
    return [one.kept for one in read_verdicts(text, count)]


def test_ora_case_2_what_is_missing_or_garbled_keeps() -> None:
    assert kept("2: DROP - x", 3) == [True, False, True]
    assert kept("The second note seems to be about cosmology.", 3) == [True, True, True]
    first, second = read_verdicts("1. DROP - a\n2) keep — b", 2)
    assert (first.kept, second.kept, second.reason) == (False, True, "b")
    assert kept("5: DROP", 2) == [True, True]
    assert kept("[Error] quota", 2) == [True, True]
    assert kept("1: DROP - no\n1: KEEP - yes", 1) == [False]
    assert read_verdicts("1: DROP", 0) == []


@given(st.text(max_size=400), st.integers(0, 9))
def test_any_answer_gives_a_verdict_with_a_reason_for_every_note(text: str, count: int) -> None:
    verdicts = read_verdicts(text, count)
    assert len(verdicts) == count
    assert all(one.reason for one in verdicts)


def ask(index: object, embedder: Embedder, model: AnthropicModel) -> Package:
    return recall(
        QUERY,
        index=index,  # type: ignore[arg-type]
        embedder=embedder,
        account=ACCOUNT,
        as_of=NOON,
        kinds=(PointKind.UNIT,),
        judge=judge_with(model),
        explained=True,
    )


def test_the_hubble_note_is_dropped_by_the_model_and_every_failure_keeps_it(
    tmp_path: Path, embedder: Embedder, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    notes = [
        note("hubble", HUBBLE, conversation="cosmology", tier=Tier.ENGRAM, state=State.KEPT, said_at=NOON),
        note("garden", GARDEN, conversation="gardens", tier=Tier.ENGRAM, state=State.KEPT, said_at=NOON),
    ]
    index = make_index(tmp_path / "index", embedder, notes)

    def by_text(body: dict[str, object]) -> dict[str, object]:
        asked = user_text(body)
        assert QUERY in asked
        assert HUBBLE in asked
        assert GARDEN in asked
        hubble = 1 if asked.index(HUBBLE) < asked.index(GARDEN) else 2
        return {"lines": [f"{hubble}: DROP - cosmology, not gardens"]}

    server.script = by_text
    with opened(server, tmp_path / "a") as model:
        package = ask(index, embedder, model)
        assert [hit.id for hit in package.hits] == ["garden"]
        assert [(one.id, one.reason) for one in package.dropped] == [("hubble", "cosmology, not gardens")]
        ask(index, embedder, model)
        assert server.messages_sent == 1  # the second answer came from the store
    for number, fault in enumerate(
        (Scripted(status=401), Scripted("I cannot judge."), Scripted(seconds=4.0))
    ):
        server.script = lambda _, fault=fault: fault  # type: ignore[misc]
        caplog.clear()
        with caplog.at_level(logging.WARNING), opened(server, tmp_path / f"failing {number}") as model:
            package = ask(index, embedder, model)
        assert {hit.id for hit in package.hits} == {"hubble", "garden"}
        assert package.dropped == ()
        assert "every note stays" in caplog.text


def test_no_notes_no_call_and_what_comes_after_the_first_is_judged_offline(
    server: ModelServer, tmp_path: Path
) -> None:
    placed = [
        PlacedNote(HUBBLE, "Cosmology lecture notes: expansion of the universe, redshift.", "cosmology")
    ]
    with opened(server, tmp_path) as model:
        judge = judge_with(model)
        assert judge(QUERY, None, []) == []
        assert server.messages_sent == 0
        verdicts = judge(QUERY, "gardens", placed * (MOST_JUDGED + 2))
        assert len(verdicts) == MOST_JUDGED + 2
        assert "gardens" in user_text(server.received[0])
        assert user_text(server.received[0]).count("<note>") == MOST_JUDGED
        assert [one.kept for one in verdicts[:3]] == [False, True, True]
