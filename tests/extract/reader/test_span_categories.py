"""What a span is told as: a decision only where the reader is sure enough of it."""

from __future__ import annotations

import pytest

from extract.offline_engine import DECIDES, category_of
from extract.reader.small_reader import SpanReading
from schemas.conversation import Origin
from schemas.unit import Category, Speaker


def read_as(decision: float) -> SpanReading:
    """A reading whose second likeliest category is a fact."""
    rest = 1 - decision
    return SpanReading(0, 5, {"category": (decision, 0.0, rest / 4, 0.0, 0.0, 0.0, rest * 3 / 4)})


@pytest.mark.parametrize(
    ("decision", "found"), [(DECIDES, Category.DECISION), (DECIDES - 0.01, Category.FACT)]
)
def test_what_may_be_no_decision_is_its_second_guess(decision: float, found: Category) -> None:
    assert category_of(read_as(decision), Speaker.OWNER, Origin.TYPED) is found


def test_only_the_owners_typed_words_decide() -> None:
    assert category_of(read_as(0.9), Speaker.ASSISTANT, Origin.ASSISTANT) is Category.FACT
