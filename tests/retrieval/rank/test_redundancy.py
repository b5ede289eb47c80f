from __future__ import annotations

from retrieval.rank.redundancy import Said
from schemas.provenance import TIER_WEIGHTS, Tier
from schemas.unit import Category, State
from vault.points import Payload, PointKind, PointSpan

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
        evidence=(PointSpan(message_id=message, start=start, end=end, quote=""),),
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


APART = "I doubt that I'll sell the boat. A week later: I'll sell the boat, it is settled."


def unit_of(quote: str, place: int, category: Category) -> Payload:
    at = APART.index(quote, place)
    return said(PointKind.UNIT, f"{category}-{at}", at, at + len(quote)).model_copy(
        update={"text": quote, "category": category}
    )


def test_a_settled_note_is_not_hidden_by_a_doubt_elsewhere() -> None:
    doubt = unit_of("I doubt that I'll sell the boat", 0, Category.PROVISIONAL)
    within, apart = (unit_of("I'll sell the boat", place, Category.DECISION) for place in (0, 40))
    earlier = Said()
    earlier.note(doubt, 0)
    assert earlier.already(within) == 0, "the doubt's own words are no claim"
    assert earlier.already(apart) is None
    later = Said()
    later.note(apart, 0)
    assert later.shortened(doubt) is None
    later.note(within, 1)
    assert later.shortened(doubt) == 1


def test_the_same_words_are_the_same_wherever_they_were_said() -> None:
    earlier = Said()
    earlier.note(UNIT, 3)
    again = UNIT.model_copy(update={"ref": "again", "text": UNIT.text.upper() + " "})
    assert earlier.already(again) == 3


def test_conversations_of_one_title_are_two() -> None:
    earlier = Said()
    earlier.note(said(PointKind.CONVERSATION, "one", 0, 5), 0)
    assert earlier.already(said(PointKind.CONVERSATION, "two", 0, 5)) is None


def test_a_unit_stands_in_a_passage_by_a_character_at_least_and_by_its_first_evidence() -> None:
    earlier = Said()
    earlier.note(said(PointKind.CHUNK, "passage", 10, 40), 0)
    around = {(30, 50): 0, (0, 11): 0, (39, 50): 0, (0, 10): None, (40, 50): None}
    assert {at: earlier.already(said(PointKind.UNIT, "unit", *at)) for at in around} == around
    (inside,), (outside,) = (
        said(PointKind.UNIT, "in", 12, 20).evidence,
        said(PointKind.UNIT, "out", 50, 60).evidence,
    )
    later = said(PointKind.UNIT, "later", 50, 60).model_copy(update={"evidence": (outside, inside)})
    assert earlier.already(later) is None
    assert earlier.already(later.model_copy(update={"evidence": (inside, outside)})) == 0


def test_a_passage_is_where_it_was_said_first() -> None:
    earlier = Said()
    (here,), (there,) = PASSAGE.evidence, said(PointKind.CHUNK, "there", 0, 60, message="n").evidence
    earlier.note(PASSAGE.model_copy(update={"evidence": (here, there)}), 0)
    assert earlier.already(said(PointKind.UNIT, "unit", 0, 20)) == 0
    assert earlier.already(said(PointKind.UNIT, "again", 21, 40, message="n")) is None


def test_of_several_passages_the_first_in_order_is_named() -> None:
    earlier = Said()
    earlier.note(said(PointKind.CHUNK, "second", 0, 30), 5)
    earlier.note(said(PointKind.CHUNK, "first", 10, 40), 2)
    assert earlier.already(said(PointKind.UNIT, "unit", 12, 20)) == 2


def in_words(text: str, ref: str, message: str = "m") -> Payload:
    return said(PointKind.UNIT, ref, 0, 5, message).model_copy(update={"text": text})


SHORT, LONG = in_words("We dug out the patio.", "short"), in_words("We dug out the patio, then rain.", "long")


def test_a_longer_unit_of_the_message_says_a_shorter_one() -> None:
    earlier = Said()
    earlier.note(LONG, 2)
    assert earlier.already(SHORT) == 2
    assert (
        earlier.already(SHORT.model_copy(update={"evidence": said(PointKind.UNIT, "u", 0, 5, "n").evidence}))
        is None
    )
    assert earlier.already(in_words("dug out the pat", "cut")) is None
    assert earlier.shortened(SHORT) is None


def test_a_longer_unit_knows_the_shorter_one_before_it() -> None:
    earlier = Said()
    earlier.note(SHORT, 4)
    assert earlier.already(LONG) is None
    assert earlier.shortened(LONG) == 4
    assert earlier.shortened(said(PointKind.CHUNK, "passage", 0, 40)) is None
