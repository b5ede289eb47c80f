"""Summaries and profiles of the offline engine."""

from __future__ import annotations

from collections.abc import Sequence

from extract_talks import build
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.offline import extract_units
from extract.profile import profile_of
from extract.prose import reads_well
from extract.summary import summarise
from schemas.conversation import Conversation
from schemas.thread import SUMMARY_WORDS, SessionSummary
from schemas.unit import Category
from schemas.words import count_words

LONG = [
    (
        "user",
        "I want to insulate the attic before winter. The attic has 48 square metres. Budget is 900 euros.",
    ),
    (
        "assistant",
        "Mineral wool is the cheapest for that area. You could lay 20 cm of mineral wool between the joists. "
        "Cellulose is easier to blow into corners. A vapour barrier belongs on the warm side.",
    ),
    ("user", "I can't carry heavy rolls up the ladder. Does cellulose settle over the years?"),
    (
        "assistant",
        "Cellulose settles by about 10 percent in the first five years. You could order two bags more than "
        "the table says. The machine for blowing costs 60 euros a day.",
    ),
    ("user", "OK let's go with the cellulose. My brother Piet will lend me his trailer on Saturday."),
    ("assistant", "Cellulose weighs 14 kilos a bag. Wear a mask when you blow it in."),
    ("user", "I decided to rent the machine for one day. Should I close the hatch with plywood?"),
]


def summary(turns: Sequence[tuple[str, str]]) -> SessionSummary:
    conversation = build(*turns)
    return summarise(conversation, extract_units(conversation).units)


def test_a_summary_tells_request_decisions_and_what_is_open() -> None:
    told = summary(LONG)
    assert "I want to insulate the attic before winter." in told.text
    assert "Decided: " in told.text
    assert "cellulose" in told.text.split("Decided: ")[1]
    assert "Should the user close the hatch with plywood?" in told.text.split("Left open: ")[1]


def test_a_short_conversation_says_so() -> None:
    told = summary(
        [("user", "How long does rye dough rest?"), ("assistant", "Rye dough rests for 12 hours.")]
    )
    assert told.short
    assert told.text.startswith("This is a short summary")
    assert "The assistant answered: Rye dough rests for 12 hours." in told.text


def test_a_summary_is_at_most_400_words_and_rests_on_units_that_exist() -> None:
    rooms = ("attic", "cellar", "garage", "porch", "pantry", "stairwell", "boathouse", "laundry")
    turns = [(who, text.replace("attic", room).replace("ladder", f"{room} steps"))
             for room in rooms for who, text in LONG]  # fmt: skip
    conversation = build(*turns)
    units = extract_units(conversation).units
    told = summarise(conversation, units)
    least, most = SUMMARY_WORDS
    assert least <= count_words(told.text) <= most
    assert not told.short
    assert set(told.unit_ids) <= {unit.id for unit in units}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=300)), max_size=6))
def test_a_summary_is_short_and_says_so_or_has_its_words(turns: list[tuple[str, str]]) -> None:
    told = summary(turns)
    least, most = SUMMARY_WORDS
    assert count_words(told.text) <= most
    assert told.short == told.text.startswith("This is a short summary")
    assert told.short or count_words(told.text) >= least


def test_a_profile_counts_the_owner_double_and_knows_names() -> None:
    conversation: Conversation = build(
        ("user", "Can Odile borrow the trailer?"), ("assistant", "The trailer is free on Sunday.")
    )
    profile = profile_of(conversation)
    counted = dict(zip(profile.words, profile.counts, strict=True))
    assert counted["trailer"] == 3
    assert counted["Odile"] == 2
    assert "the" not in counted


def test_a_decision_that_reads_badly_is_told_and_never_denied() -> None:
    conversation = build(*LONG)
    units = extract_units(conversation).units
    fragment = [
        one.model_copy(update={"text": "The user decides: Cellulose."})
        for one in units
        if one.category is Category.DECISION
    ][:1]
    others = [one for one in units if one.category is not Category.DECISION]
    assert not reads_well(fragment[0])
    told = summarise(conversation, [*others, *fragment]).text
    assert "Decided: The user decides: Cellulose." in told
    assert "No decision was noted." not in told
    assert "No decision was noted." in summarise(conversation, others).text


def test_a_secret_is_no_word_of_a_profile() -> None:
    said = "The router in the hall needs a reset. wifi password: Kestrelmoor77"
    words = profile_of(build(("user", said), ("assistant", "Reset the router in the hall."))).words
    assert "router" in words
    assert not any("kestrelmoor" in word.lower() for word in words)
