"""The gate's work on a note grows as its words and its quotes do, and no faster."""

from __future__ import annotations

import pytest
from growth import too_fast

from curation.gate import CRITERIA
from curation.gate_input import Criterion, SourceContext, Ungated
from curation.gate_settings import DEFAULT_SETTINGS
from schemas.base import sha256_text
from schemas.unit import Category, Evidence, Speaker, Unit

SIZE = 8_000


def note(text: str) -> Ungated:
    """A note of an assistant whose words, quote and message are one text: for it every criterion looks."""
    evidence = Evidence(message_id="m", start=0, end=len(text), quote=text, text_hash=sha256_text(text))
    unit = Unit(
        id="u",
        account="ada",
        conversation_id="c",
        category=Category.FACT,
        text=text,
        speaker=Speaker.ASSISTANT,
        evidence=(evidence,),
        said_at=None,
        extractor="test/1",
    )
    return Ungated(unit, SourceContext({"m": text}))


@pytest.mark.parametrize(
    "criterion",
    # what holds a secret is told by `inference.secrets`, which has tests of its own
    [pytest.param(criterion, id=name) for name, criterion in CRITERIA if name != "secret"],
)
def test_a_criterion_is_linear(criterion: Criterion) -> None:
    assert too_fast(lambda text: criterion(note(text), DEFAULT_SETTINGS), SIZE) == []
