from __future__ import annotations

from collections.abc import Callable

import pytest

from extract.offline import extract_units
from schemas.conversation import Conversation
from schemas.unit import Category, Speaker

Talk = Callable[..., Conversation]

OWNER = [
    ("I'm allergic to nuts.", "The user is allergic to nuts."),
    ("we've two dogs lol", "The user has two dogs."),
    ("my sister hates hospitals tbh", "The user's sister hates hospitals."),
    ("honestly the roof leaks", "The roof leaks."),
    ("peak is like 8 rps", "Peak is about 8 rps."),
    ("I don't own a car.", "The user doesn't own a car."),
    ("Should I sell the flat?", "Should the user sell the flat?"),
    ("do we need a permit?", "Does the user need a permit?"),
    ("no idea how the pump works", "How the pump works?"),
    ("Write a letter to the bank.", "Can the assistant write a letter to the bank?"),
    ("**Important**: the _valve_ is `open`.", "The valve is `open`."),
    ("I signed [the lease](https://a.example/b) in May", "The user signed the lease in May."),
    ("tea &amp; cake cost 5 €", "Tea & cake cost 5 €."),
    ("I might sell the flat.", "The user might sell the flat."),
    ("Tengo dos perros.", "El usuario tiene dos perros."),
    ("No podemos vender el piso.", "Los usuarios no pueden vender el piso."),
    ("¿Cuánto cuesta el seguro?", "¿Cuánto cuesta el seguro?"),
    ("Ich habe zwei Hunde.", "Der Nutzer hat zwei Hunde."),
    ("weil ich morgen in Köln arbeite", "Weil der Nutzer morgen in Köln arbeitet."),
    ("J'ai deux chiens.", "L'utilisateur a deux chiens."),
    ("我有两只狗。", "用户有两只狗。"),
]

ASSISTANT = [
    ("I'd keep the old pipes.", "Keep the old pipes."),
    ("You could rent a van.", "The user could rent a van."),
    ("Your deposit is safe.", "The user's deposit is safe."),
    ("I recommend a second opinion.", "The assistant recommends a second opinion."),
    ("**Deposit:** 10% is common.", "Deposit: 10% is common."),
]


def texts(conversation: Conversation, speaker: Speaker) -> list[str]:
    return [unit.text for unit in extract_units(conversation).units if unit.speaker is speaker]


@pytest.mark.parametrize(("typed", "text"), OWNER)
def test_the_owners_words_are_told_in_the_third_person(talk: Talk, typed: str, text: str) -> None:
    assert texts(talk(("user", typed)), Speaker.OWNER) == [text]


@pytest.mark.parametrize(("said", "text"), ASSISTANT)
def test_the_assistants_words_speak_of_the_owner_in_the_third_person(
    talk: Talk, said: str, text: str
) -> None:
    assert texts(talk(("user", "what now?"), ("assistant", said)), Speaker.ASSISTANT) == [text]


def test_a_clause_that_shares_its_subject_gets_it_back(talk: Talk) -> None:
    found = texts(talk(("user", "I'll ring the vet on Monday and ask about the dose")), Speaker.OWNER)
    assert found == ["The user will ring the vet on Monday.", "The user will ask about the dose."]


def test_a_relative_clause_gets_the_noun_it_speaks_of(talk: Talk) -> None:
    found = texts(talk(("user", "take the plinth heater, which fits under the sink")), Speaker.OWNER)
    assert found[1] == "The plinth heater fits under the sink."


def test_a_cell_is_read_with_its_row_and_column(talk: Talk) -> None:
    table = "| | SQLite | Postgres |\n|---|---|---|\n| Memory | a few MB | 300 MB |"
    found = texts(talk(("user", "compare"), ("assistant", table)), Speaker.ASSISTANT)
    assert found == ["Memory, SQLite: a few MB.", "Memory, Postgres: 300 MB."]


def test_other_people_are_called_by_their_names(talk: Talk) -> None:
    conversation = talk(
        ("Maria", "I adopted a cat from your shelter."), ("John", "I love cats!"), owner="John"
    )
    found = extract_units(conversation).units
    assert [(unit.speaker, unit.speaker_name, unit.text) for unit in found] == [
        (Speaker.OTHER, "Maria", "Maria adopted a cat from the user's shelter."),
        (Speaker.OWNER, None, "The user loves cats."),
    ]


def test_words_in_quotation_marks_are_nobodys_but_the_quoted(talk: Talk) -> None:
    found = texts(talk(("user", 'my agent says "I need a clock"')), Speaker.OWNER)
    assert found == ['The user\'s agent says "I need a clock".']


def test_a_hedge_survives(talk: Talk) -> None:
    for typed in ("maybe we sell", "I think it leaks", "probably a fuse blew", "we could move, not sure"):
        unit = extract_units(talk(("user", typed))).units[0]
        assert any(word in unit.text.lower() for word in ("maybe", "think", "probably", "could", "not sure"))


@pytest.mark.parametrize(
    "said",
    [
        "I don't want to paint or sand the hull before winter comes because the weather is too wet for it.",
        "It's not aware or conscious in the way that living organisms can be when they feel pain.",
        "We never sold the boat or rented the mooring out to anybody from the sailing club at the harbour.",
    ],
)
def test_a_negation_holds_for_both_sides_of_or(talk: Talk, said: str) -> None:
    second = ("sand", "conscious", "rented")
    told = [unit.text for unit in extract_units(talk(("user", said))).units]
    assert any(word in text for text in told for word in second)
    for text in told:
        if any(word in text for word in second):
            assert {"doesn't", "not", "not…", "never", "don't"} & set(text.split()), text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("To do before I go: write the handover document.", "Write the handover document."),
        ("Next job: ask Magnus about the garboard.", "Next job: ask Magnus about the garboard."),
    ],
)
def test_what_the_owner_tells_themselves_is_no_question_to_the_assistant(
    talk: Talk, said: str, told: str
) -> None:
    units = {unit.text: unit.category for unit in extract_units(talk(("user", said))).units}
    assert units[told] is Category.ACTION_ITEM


def test_a_rule_for_life_is_not_asked_of_the_assistant(talk: Talk) -> None:
    units = extract_units(talk(("user", "Rule for life then: store everything in UTC."))).units
    assert all(unit.category is not Category.OPEN_QUESTION for unit in units)
