"""A model's notes have the small reader's estimate: the gate passes by it, and rejects none for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from extract_talks import build

from curation.gate import judge
from curation.gate_input import SourceContext
from curation.gate_settings import GateSettings
from extract.model.model_engine import ModelEngine
from extract.model.notes.note_windows import WindowAnswer
from inference.language_model import ModelQuestion, Reply
from schemas.unit import Outcome, Unit

TALK = (
    ("user", "We bought the house in Ribe for 240,000 euros. Let's look at the second one."),
    ("assistant", "Water boils at 100 degrees."),
    ("user", "I decided to sell the boat in May. Here is the log:\n```\nERROR 42 disk\n```\n"),
)
LINES = [
    "1|F||The user bought the house in Ribe for 240,000 euros.",
    "2|F||The user wants to look at the second one.",
    "3|F||=",
    "4|D||The user decided to sell the boat in May.",
]


def replies(questions: Sequence[ModelQuestion[Any]]) -> list[Reply[Any]]:
    return [Reply(WindowAnswer(units=LINES, empty=[5]), "", "k") for _ in questions]


@pytest.fixture(scope="module")
def found() -> dict[str, Unit]:
    units = ModelEngine("anthropic some-model", replies).extract(build(*TALK)).units
    return {unit.text: unit for unit in units if unit.by_model}


def test_every_note_on_talk_has_an_estimate(found: dict[str, Unit]) -> None:
    assert len(found) == len(LINES)
    good = {text: unit.estimate.good for text, unit in found.items() if unit.estimate}
    assert len(good) == len(LINES)
    worth = good["The user decided to sell the boat in May."]
    assert worth > good["The user wants to look at the second one."]
    assert worth > good["Water boils at 100 degrees."]


@pytest.mark.parametrize("passing", [0.0, 0.5, 1.0])
def test_the_gate_passes_by_it_and_rejects_none(found: dict[str, Unit], passing: float) -> None:
    talk = build(*TALK)
    heard = SourceContext({message.id: message.text for message in talk.messages}, "")
    for unit in found.values():
        settings = GateSettings(passing=passing, rejecting=1.0)
        said = {one.criterion: one.outcome for one in judge(unit, heard, settings=settings)}
        assert unit.estimate is not None
        wanted = Outcome.PASS if unit.estimate.good >= passing else Outcome.REVIEW
        assert said["worth_keeping"] is wanted
        assert said["whose_claim"] is Outcome.PASS
