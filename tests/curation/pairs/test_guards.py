from __future__ import annotations

from datetime import UTC, datetime

import pytest

from curation.pairs.guards import protected
from curation.pairs.pair import JudgedNote, NotePair
from schemas.unit import Category, Speaker


def said(text: str, day: int) -> JudgedNote:
    return JudgedNote(text, Category.DECISION, Speaker.OWNER, datetime(2026, 3, day, tzinfo=UTC))


@pytest.mark.parametrize(
    "newer",
    [
        "If it can't fly, it can come as deck cargo.",
        "Unless the airline agrees, the boat goes by ferry.",
        "Falls es regnet, fährt das Boot mit der Fähre.",
        "Si llueve, el barco va en ferry.",
    ],
)
def test_what_holds_on_a_condition_retires_nothing(newer: str) -> None:
    ruling = protected(NotePair(said("The user flies with the boat via Aberdeen.", 1), said(newer, 2)))
    assert ruling is not None
    assert "condition" in ruling.reason


def test_a_condition_named_last_does_not_shield_a_change() -> None:
    older, newer = "The user flies via Aberdeen.", "The user takes the ferry, even if it rains."
    assert protected(NotePair(said(older, 1), said(newer, 2))) is None
