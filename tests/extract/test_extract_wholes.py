"""Units are whole statements: what a fragment needs is put to it; what stays one is left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extract.languages.registry import BY_CODE
from extract.leads import LEAD_WORDS, open_predicate, predicated, shortened
from extract.offline import extract_units
from schemas.conversation import Conversation
from schemas.unit import Category, Speaker

Talk = Callable[..., Conversation]
ENGLISH = BY_CODE["en"]


def said(conversation: Conversation, speaker: Speaker = Speaker.ASSISTANT) -> list[str]:
    return [unit.text for unit in extract_units(conversation).units if unit.speaker is speaker]


@pytest.mark.parametrize(
    ("lead", "short"),
    [
        ("Here are some of the most common use cases for Adobe Campaign:", "common use cases"),
        ("Sure, here are ten incubators in Europe that support startups:", "ten incubators"),
        ("Our services include the following:", "Our services include"),
        ("To convince an American owner that they should hire abroad, you can do this:", ""),
    ],
)
def test_a_lead_in_is_shortened_to_what_its_list_is_of(lead: str, short: str) -> None:
    assert shortened(lead, ENGLISH) == short
    assert len(short.split()) <= LEAD_WORDS


def test_an_open_predicate_takes_the_entry_as_its_object() -> None:
    assert open_predicate("The main costs are", ENGLISH)
    assert predicated("The main costs are", "rent") == "The main costs include rent"
    assert not open_predicate("Main costs", ENGLISH)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("The budget should include:\n- rent\n- heating", "The budget should include heating."),
        ("These plants cope with morning sun:\n- mint\n- chard", "These plants cope with morning sun: mint."),
        ("So look for a third thing: random data.", "Look for a third thing: random data."),
        (
            "Pain should be assessed and managed with a range of techniques.",
            "Pain should be managed with a range of techniques.",
        ),
        ("You need to call Marta and confirm the date.", "The user needs to confirm the date."),
        ("**On Time, Always:** Pay is never late.", "On Time, Always: pay is never late."),
    ],
)
def test_an_entry_or_a_shared_verb_gets_what_it_needs(talk: Talk, text: str, unit: str) -> None:
    assert unit in said(talk(("user", "How?"), ("assistant", text)))


def test_two_verbs_with_one_object_are_one_claim(talk: Talk) -> None:
    text = "They identify and manage risks. The firm has a clear and focused purpose."
    assert said(talk(("user", "What?"), ("assistant", text))) == [
        "They identify and manage risks.",
        "The firm has a clear and focused purpose.",
    ]


def test_the_owner_is_put_to_what_they_left_out(talk: Talk) -> None:
    texts = said(talk(("user", "Trying to plan our garden. Managed about 3 sets.")), Speaker.OWNER)
    assert texts == ["The user is trying to plan their garden.", "The user managed about 3 sets."]


LETTER = (
    "Here it is:\n\nDear Mr. Davies,\n\nMy father was an engineer, and I run your mill.\n\nSincerely,\nAda"
)


def test_a_draft_is_not_about_the_assistant_nor_to_the_owner(talk: Talk) -> None:
    texts = said(talk(("user", "I need to write to Mr. Davies."), ("assistant", LETTER)))
    assert "The writer's father was an engineer." in texts
    assert "The writer runs the reader's mill." in texts


def test_a_speech_that_was_asked_for_is_nobodys_fact(talk: Talk) -> None:
    asked = ("user", "Please write a wedding speech for my brother.")
    texts = said(talk(asked, ("assistant", "My brother taught me how to sail.")))
    assert texts == ["The writer's brother taught the writer how to sail."]


def test_a_sum_in_a_list_is_no_decision(talk: Talk) -> None:
    units = extract_units(
        talk(
            ("user", "What does the house cost?"),
            ("assistant", "- Rent £9,600\n- Insurance £418\n\nShall I add them up?"),
            ("user", "Insurance £418. Rent £9,600."),
        )
    ).units
    assert not [unit for unit in units if unit.category is Category.DECISION]
