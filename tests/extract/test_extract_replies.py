from __future__ import annotations

from collections.abc import Callable

import pytest

from extract.offline import extract_units
from schemas.conversation import Conversation
from schemas.unit import Category, Speaker, Unit

Talk = Callable[..., Conversation]

OPTIONS = """Two cheaper ways:

- **A. Keep the wall and widen the doorway** to 1.5 m.
- **B. Leave the wall alone.**"""

STEPS = """Fixes, in order of effort:

1. Use the transaction pooler.
2. Shrink the pools to one connection.
3. Add an idle timeout of 20 seconds."""


def decisions(conversation: Conversation) -> list[Unit]:
    return [unit for unit in extract_units(conversation).units if unit.category is Category.DECISION]


def test_go_with_a_names_a_and_links_the_proposal(talk: Talk) -> None:
    (unit,) = decisions(talk(("user", "what can we cut?"), ("assistant", OPTIONS), ("user", "ok go with B")))
    assert unit.speaker is Speaker.OWNER
    assert unit.evidence[0].quote == "ok go with B"
    assert unit.text == "The user chooses B: leave the wall alone."
    assert [item.quote for item in unit.context] == ["Leave the wall alone"]


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        (
            "lets do 1 and 2",
            [
                "The user chooses 1: use the transaction pooler.",
                "The user chooses 2: shrink the pools to one connection.",
            ],
        ),
        ("skip the timeout for now", ["The user decides to skip the timeout for now."]),
        ("the pooler it is", ["The user chooses the pooler."]),
        ("number 3 please", ["The user chooses 3: add an idle timeout of 20 seconds."]),
    ],
)
def test_answers_name_what_they_take_up(talk: Talk, answer: str, texts: list[str]) -> None:
    found = decisions(talk(("user", "it is down"), ("assistant", STEPS), ("user", answer)))
    assert [unit.text for unit in found] == texts
    assert all(unit.evidence[0].quote in answer for unit in found)


@pytest.mark.parametrize(
    "answer",
    [
        "8 requests per second",  # a number that is no step
        "is 2 enough?",
        "maybe 2",
        "my boss wants 3",
        "thanks!",
        "interesting",
        "2 years ago we tried a pooler",
    ],
)
def test_what_only_looks_like_an_answer_decides_nothing(talk: Talk, answer: str) -> None:
    asked = STEPS + "\n\nHow many requests do you get?"
    assert decisions(talk(("user", "it is down"), ("assistant", asked), ("user", answer))) == []


def test_a_letter_that_two_lists_use_is_left_unresolved(talk: Talk) -> None:
    both = OPTIONS + "\n\nFor the floor:\n\n- **A. Lay oak boards.**\n- **B. Lay cork tiles.**"
    for unit in decisions(talk(("user", "and?"), ("assistant", both), ("user", "ok go with B"))):
        assert unit.text == "The user chooses B."
        assert unit.context == ()


def test_a_proposal_that_nobody_takes_up_stays_an_idea(talk: Talk) -> None:
    units = extract_units(
        talk(("user", "it is down"), ("assistant", STEPS), ("user", "thanks, I'll read up"))
    ).units
    assert {unit.category for unit in units if unit.speaker is Speaker.ASSISTANT} == {Category.IDEA}
    assert not [unit for unit in units if unit.category is Category.DECISION]


def test_a_reversal_is_a_decision_of_its_own(talk: Talk) -> None:
    turns = [
        ("user", "help"),
        ("assistant", STEPS),
        ("user", "the pooler it is"),
        ("assistant", "Fine."),
        ("user", "scrap the pooler"),
    ]
    found = decisions(talk(*turns))
    assert [unit.evidence[0].quote for unit in found] == ["the pooler it is", "scrap the pooler"]
    assert len({unit.id for unit in found}) == 2


def test_a_refusal_is_told_as_one(talk: Talk) -> None:
    found = decisions(talk(("user", "help"), ("assistant", STEPS), ("user", "don't scrap the pooler")))
    assert [unit.text for unit in found] == ["The user decides not to scrap the pooler."]


REPORTS = [
    "57 connections. They'll hate me.",
    "Shrunk them, done. 14 gaps were left.",
    "The pools, given the overwhelming number of connections that they need, worry me.",
    '"Shrink the pools to one connection."',
    "so frustrating",
    "that sounds really complicated",
    "I'm in Berlin, Germany.",
    "it is",
    "The man at the shop was all about sticking to pools.",
    "If the pooler gets too slow, scrap it.",
]


@pytest.mark.parametrize("typed", REPORTS)
def test_what_the_owner_reports_is_no_decision(talk: Talk, typed: str) -> None:
    units = decisions(talk(("user", "it hangs"), ("assistant", STEPS), ("user", typed)))
    assert [unit.text for unit in units] == []


HANDED_OVER = [
    "Translate to German: I decided to buy a goat.",
    "Proofread this please:\n\nI decided to sell my shares. I will call the bank tomorrow.",
    "Fix the grammar: I have decided to resign",
    "My brother texted me this: I decided to leave the band",
    "Act as John. John says: I have decided to move to Spain.",
    "Übersetze ins Englische: Ich habe beschlossen, eine Ziege zu kaufen.",
]


@pytest.mark.parametrize("typed", HANDED_OVER)
def test_material_after_a_colon_is_not_the_owners_word(talk: Talk, typed: str) -> None:
    said = typed.partition(":")[2].strip()
    units = [unit for unit in extract_units(talk(("user", typed))).units if unit.evidence[0].quote in said]
    assert units
    assert {unit.speaker for unit in units} == {Speaker.SOURCE}
    assert all(unit.category is not Category.DECISION for unit in units)


def test_what_the_owner_told_somebody_is_the_owners_word(talk: Talk) -> None:
    (unit,) = decisions(talk(("user", "I told him: I've decided to keep the allotment.")))
    assert unit.speaker is Speaker.OWNER


def test_a_bare_number_takes_up_the_only_proposal(talk: Talk) -> None:
    offered = "Good rules. I'd add a fourth: someone ashore knows when you'll be back."
    (unit,) = decisions(
        talk(("user", "my rules"), ("assistant", offered), ("user", "Four it is, Dad knows."))
    )
    assert unit.text.startswith("The user chooses Four: ")
    assert len(unit.context) == 1
