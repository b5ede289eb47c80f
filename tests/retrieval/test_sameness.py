from __future__ import annotations

from retrieval.sameness import Said
from schemas.provenance import TIER_WEIGHTS, Tier
from schemas.unit import State
from vault.points import Payload, PointKind, Source

WORDS = "Thursday is kiln day, always has been, and the glaze must be dry by noon."


def said(kind: PointKind, ref: str, start: int, end: int, message: str = "m") -> Payload:
    return Payload(
        kind=kind,
        ref=ref,
        account="ada",
        text=WORDS[start:end],
        tier=Tier.CHAT,
        weight=TIER_WEIGHTS[Tier.CHAT],
        state=State.PASSED,
        conversation_id="c",
        provider="chatgpt",
        evidence=(Source(message_id=message, start=start, end=end, quote=""),),
        content_hash="0",
    )


UNIT = said(PointKind.UNIT, "unit", 0, 20)
PASSAGE = said(PointKind.CHUNK, "passage", 0, len(WORDS))


def test_a_unit_adds_nothing_to_the_passage_it_was_said_in() -> None:
    earlier = Said()
    earlier.note(PASSAGE, 0)
    assert earlier.already(UNIT) == 0
    assert earlier.already(said(PointKind.UNIT, "elsewhere", 21, 40, message="n")) is None


def test_a_passage_says_more_than_one_of_its_units() -> None:
    earlier = Said()
    earlier.note(UNIT, 0)
    assert earlier.already(PASSAGE) is None


def test_the_same_words_are_the_same_wherever_they_were_said() -> None:
    earlier = Said()
    earlier.note(UNIT, 3)
    again = UNIT.model_copy(update={"ref": "again", "text": UNIT.text.upper() + " "})
    assert earlier.already(again) == 3


def test_conversations_of_one_title_are_two() -> None:
    earlier = Said()
    earlier.note(said(PointKind.CONVERSATION, "one", 0, 5), 0)
    assert earlier.already(said(PointKind.CONVERSATION, "two", 0, 5)) is None
