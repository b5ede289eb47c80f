from __future__ import annotations

from collections.abc import Callable

import pytest

from extract.categories import RULES, categorise
from extract.languages.lexicon import Sign, expand
from extract.languages.registry import LANGUAGES
from extract.offline import extract_units
from schemas.conversation import Conversation
from schemas.unit import Category, Speaker

Talk = Callable[..., Conversation]

PROPOSAL = """Three ways to heat the greenhouse:

1. Insulate the north wall with bubble wrap.
2. Run a paraffin heater at night.
3. Bury water tanks under the beds.

A heater needs 2 litres of fuel a night."""

OWN_WORDS = [
    # (what the owner types first, category of the unit it yields)
    ("Our greenhouse is 4 by 6 metres.", Category.FACT),
    ("I can't spend more than 200 euros.", Category.CONSTRAINT),
    ("The dose must not exceed 3 g a day.", Category.CONSTRAINT),
    ("Deadline for the appeal is 3 May.", Category.CONSTRAINT),
    ("I'm allergic to penicillin.", Category.CONSTRAINT),
    ("Maybe we could move the beds.", Category.PROVISIONAL),
    ("I'm not sure about the second knot.", Category.PROVISIONAL),
    ("I was thinking of moving to Porto.", Category.PROVISIONAL),
    ("Let me sleep on the offer.", Category.PROVISIONAL),
    ("I'll call the surveyor tomorrow.", Category.ACTION_ITEM),
    ("I'm going to send the form tonight.", Category.ACTION_ITEM),
    ("How long does the glue take to dry?", Category.OPEN_QUESTION),
    ("no idea how the valve works", Category.OPEN_QUESTION),
    ("Explain the second clause of the lease.", Category.OPEN_QUESTION),
    ("Another idea: a map of all the wells.", Category.IDEA),
    ("I've decided to keep the allotment.", Category.DECISION),
    ("From now on we meet on Thursdays.", Category.DECISION),
    ("Quizás una isla en la cocina.", Category.PROVISIONAL),
    ("No podemos tocar las tuberías.", Category.CONSTRAINT),
    ("Vielleicht nehme ich eine Steuerberaterin.", Category.PROVISIONAL),
    ("Ich rufe morgen den Vermieter an.", Category.ACTION_ITEM),
    ("Wie lange gilt das Angebot?", Category.OPEN_QUESTION),
    ("Je ne peux pas dépasser 200 euros.", Category.CONSTRAINT),
    ("J'appelle le plombier lundi.", Category.ACTION_ITEM),
    ("引用を入れるかもしれません。", Category.PROVISIONAL),
    ("我不能超过两百块。", Category.CONSTRAINT),
]

REPLIES = [
    # (what the owner answers to PROPOSAL, category)
    ("ok go with 1", Category.DECISION),
    ("2 it is", Category.DECISION),
    ("let's do the water tanks", Category.DECISION),
    ("skip the heater", Category.DECISION),
    ("no paraffin heater", Category.DECISION),
    ("bubble wrap then", Category.DECISION),
    ("I'd rather bury the tanks", Category.DECISION),
    ("the heater maybe, not sure", Category.PROVISIONAL),
    ("we'll see about the tanks", Category.PROVISIONAL),
    ("could we bury the tanks deeper?", Category.PROVISIONAL),
    ("does bubble wrap last?", Category.OPEN_QUESTION),
    ("my wife says we should take the heater", Category.FACT),
    ("the north wall is brick", Category.FACT),
]


NOT_DECIDED = [
    "Suppose I decided to sell the house.",
    "If I had decided on Postgres, we would be done by now.",
    "Imagine we went with Rust and dropped Python.",
    "let's say we go with option B and drop the pool",
    "I almost decided to quit.",
    "We could have gone with the oak.",
    "I wish I had chosen the earlier train.",
    "I haven't decided to move.",
    "I've decided to move to Mars, jk",
    "Let's go with the moon base. Just kidding.",
    "I've decided to quit. I'll tell the boss on Friday. Only joking, of course.",
    "Supongamos que me quedo con el gato.",
    "Me quedo con el gato. Es broma.",
    "Angenommen, ich nehme das Angebot.",
    "Ich habe mich entschieden, wir ziehen um. Nur Spaß.",
    "Supposons que je choisis le train.",
]


@pytest.mark.parametrize("text", NOT_DECIDED)
def test_what_is_supposed_or_said_in_jest_is_not_decided(talk: Talk, text: str) -> None:
    found = {unit.category for unit in extract_units(talk(("user", text))).units}
    assert found
    assert not found & {Category.DECISION, Category.ACTION_ITEM}


def test_a_jest_takes_back_its_own_paragraph_alone(talk: Talk) -> None:
    text = "I've decided to keep the allotment.\n\nLet's move to the moon. Just kidding."
    units = extract_units(talk(("user", text))).units
    assert [unit.category for unit in units] == [Category.DECISION, Category.PROVISIONAL]


@pytest.mark.parametrize(("text", "category"), OWN_WORDS)
def test_the_owners_words_are_sorted_by_their_cues(talk: Talk, text: str, category: Category) -> None:
    assert [unit.category for unit in extract_units(talk(("user", text))).units] == [category]


@pytest.mark.parametrize(("text", "category"), REPLIES)
def test_a_reply_is_sorted_by_what_it_answers(talk: Talk, text: str, category: Category) -> None:
    extraction = extract_units(talk(("user", "how do we heat it?"), ("assistant", PROPOSAL), ("user", text)))
    owner = [unit.category for unit in extraction.units if unit.speaker is Speaker.OWNER][1:]
    assert owner == [category]


def test_the_assistants_words_yield_ideas_facts_and_rules_but_no_decision(talk: Talk) -> None:
    text = (
        "We'll use Postgres. I decided on it. You could add an index. It must run on port 5432. It is free."
    )
    units = extract_units(talk(("user", "which database?"), ("assistant", text))).units
    assert [unit.category for unit in units if unit.speaker is Speaker.ASSISTANT] == [
        Category.FACT,
        Category.FACT,
        Category.IDEA,
        Category.CONSTRAINT,
        Category.FACT,
    ]


def test_every_rule_can_be_the_one_that_decides() -> None:
    for rule in RULES:
        some = rule.some & -rule.some  # its lowest sign
        speaker = min(rule.speakers)
        assert categorise(rule.every | some, speaker)[0] is rule.category or any(
            earlier.category is not rule.category for earlier in RULES[: RULES.index(rule)]
        )
        assert not rule.every & rule.never, rule.name


def test_rule_names_are_unique_and_only_the_owner_decides() -> None:
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names))
    assert all(
        rule.speakers == {Speaker.OWNER} and rule.never & Sign.REPORTED
        for rule in RULES
        if rule.category is Category.DECISION
    )


def test_signs_are_single_bits() -> None:
    bits = [value for name, value in vars(Sign).items() if name.isupper()]
    assert len(bits) == len(set(bits))
    assert all(value.bit_count() == 1 for value in bits)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_every_cue_phrase_is_lower_case_words_and_gives_a_sign(language: object) -> None:
    for entry in language.cues:  # type: ignore[attr-defined]
        assert entry.signs
        for phrase in entry.phrases:
            for words in expand(phrase):
                assert words
                assert " ".join(words) == " ".join(words).lower(), phrase
                assert not any(mark in word for word in words for mark in "()|/"), phrase


def test_a_cue_with_alternatives_stands_for_each() -> None:
    assert expand("(i|we) (won't|can't)") == [
        ("i", "won't"),
        ("i", "can't"),
        ("we", "won't"),
        ("we", "can't"),
    ]
    assert expand("^ (still|) open") == [("^", "still", "open"), ("^", "open")]


WAYS = """You could go like this:

1. **Fly.** About a day with the connection.
2. **Train and ferry.** Three days each way.
3. **Move the key** to the environment."""


@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("Three days each way out of nine. No. I'll ask again.", []),  # refused in the next sentence
        ("Let's take the train. Actually no, fly.", ["The user decides: fly."]),
        ("Let's take the train. No wait, the ferry it is.", ["The user chooses the ferry."]),
        ("Let's take the train. Actually no ferry.", ["The user decides: no ferry."]),
        ("I've decided to fly. Scratch that, it costs too much.", ["The user decides to scratch that."]),
        (
            "Let's take the train.\n\nNo. So my sister said.",
            ["The user decides to take the train."],
        ),
        ("Let's take the train. No, I won't regret it.", ["The user decides to take the train."]),
        ("OK, key moved to the environment, works, it is 20:51 now.", []),  # a report of what was done
        ("I've decided: I'm not flying before June.", ["The user is not flying before June."]),
        ("I've decided.", []),  # nothing is said of what
        ("I've changed my mind: no ferry.", ["The user decides: no ferry."]),
    ],
)
def test_what_is_taken_back_at_once_or_only_reported_is_not_decided(
    talk: Talk, text: str, decided: list[str]
) -> None:
    units = extract_units(talk(("user", "how do I get there?"), ("assistant", WAYS), ("user", text))).units
    assert [unit.text for unit in units if unit.category is Category.DECISION] == decided


def test_a_no_that_answers_a_question_takes_nothing_back(talk: Talk) -> None:
    asked = WAYS + "\n\nDo you need a visa?"
    units = extract_units(
        talk(("user", "how?"), ("assistant", asked), ("user", "Let's take the train. No."))
    ).units
    assert Category.DECISION in {unit.category for unit in units}
