"""A later decision that takes an earlier one back supersedes it, on record; neither is retired."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extract.offline import Extraction, extract_units
from schemas.conversation import Conversation
from schemas.relation import RelationKind
from schemas.unit import Category

Talk = Callable[..., Conversation]


def superseded(extraction: Extraction) -> list[tuple[str, str]]:
    """(newer, older) texts of the links."""
    texts = {unit.id: unit.text for unit in extraction.units}
    assert all(link.kind is RelationKind.SUPERSEDES for link in extraction.links)
    return [(texts[link.unit_id], texts[link.other_id]) for link in extraction.links]


@pytest.mark.parametrize(
    "turn",
    [
        "So I've changed my mind: no epoxy on the table, just oil.",
        "I've changed my mind. No epoxy on the table.",
        "On second thought, scrap the epoxy.",
    ],
)
def test_a_change_of_mind_supersedes_what_it_names(talk: Talk, turn: str) -> None:
    extraction = extract_units(
        talk(
            ("user", "I've decided to use epoxy on the table."),
            ("assistant", "Epoxy cures in two days."),
            ("user", turn),
        )
    )
    links = superseded(extraction)
    assert len(links) == 1
    assert "epoxy" in links[0][0].lower()
    assert links[0][1] == "The user has decided to use epoxy on the table."


def test_the_other_of_two_proposals_supersedes_the_first_choice(talk: Talk) -> None:
    extraction = extract_units(
        talk(
            ("user", "how do we heat the greenhouse?"),
            ("assistant", "Two ways:\n\n1. Insulate the north wall.\n2. Bury water tanks."),
            ("user", "ok go with 1"),
            ("assistant", "Bubble wrap is cheapest."),
            ("user", "actually, let's go with 2 instead"),
        )
    )
    assert len(superseded(extraction)) == 1


@pytest.mark.parametrize(
    "later",
    [
        "From now on we meet on Thursdays.",  # another thing
        "Suppose I changed my mind: no epoxy on the table.",  # only supposed
        "My sister changed her mind about the epoxy.",  # somebody else's
    ],
)
def test_what_reverses_nothing_links_nothing(talk: Talk, later: str) -> None:
    extraction = extract_units(
        talk(("user", "I've decided to use epoxy on the table."), ("assistant", "It cures."), ("user", later))
    )
    assert extraction.links == ()


def test_both_decisions_stay(talk: Talk) -> None:
    units = extract_units(
        talk(
            ("user", "I've decided to use epoxy on the table."),
            ("assistant", "It cures."),
            ("user", "I've changed my mind: no epoxy on the table."),
        )
    ).units
    decided = [unit.text for unit in units if unit.category is Category.DECISION]
    assert "The user has decided to use epoxy on the table." in decided
    assert any("no epoxy" in text.lower() for text in decided)


@pytest.mark.parametrize(
    ("settled", "turn"),
    [
        ("I've decided to quit the gym.", "I'm not quitting the gym after all."),
        ("I decided to sell the car.", "Forget what I said about the car."),
        ("Let's go with the oak floor.", "Scrap that."),
    ],
)
def test_a_decision_that_is_only_withdrawn_is_superseded_too(talk: Talk, settled: str, turn: str) -> None:
    extraction = extract_units(talk(("user", settled), ("assistant", "Noted."), ("user", turn)))
    decided = next(unit for unit in extraction.units if unit.category is Category.DECISION)
    assert [link.other_id for link in extraction.links] == [decided.id]


def test_a_withdrawal_that_names_nothing_of_it_leaves_a_decision_in_force(talk: Talk) -> None:
    extraction = extract_units(
        talk(
            ("user", "I've decided to quit the gym."),
            ("assistant", "Noted."),
            ("user", "I'm not going to Porto after all."),
        )
    )
    assert not extraction.links


@pytest.mark.parametrize(
    "later",
    [
        "The staging server no longer crashes on the billing page.",
        "It turns out that Postgres works after all.",
        "After all, Postgres is the industry standard.",
        "I haven't changed my mind about Postgres.",
        "I never said that I changed my mind about Postgres.",
        "Don't scrap the Postgres plan.",
        "If Postgres gets too slow, I'll scrap the billing service.",
        "If the Postgres license changes, cancel the contract.",
        "The customer wants to cancel the billing subscription.",
        "I need a function to undo the Postgres migration.",
        "I was wrong about MySQL, Postgres is better.",
        "I've changed my mind about lunch. The Postgres docs are good.",
        "Ich habe mich nicht umentschieden: Postgres bleibt.",
        "Ich habe mich doch nicht gegen Postgres entschieden.",
    ],
)
def test_words_of_taking_back_that_take_nothing_back_leave_a_decision_in_force(
    talk: Talk, later: str
) -> None:
    """The sweep retires what such a link names: a note or a condition that shares a word is none."""
    settled = "I've decided to use Postgres for the billing service."
    talked = talk(("user", settled), ("assistant", "Postgres suits billing."), ("user", later))
    assert extract_units(talked).links == ()


@pytest.mark.parametrize(
    "later",
    [
        "I no longer want Postgres for billing.",
        "We've changed our mind about Postgres.",
        "Ok, forget what I said about Postgres.",
        "We won't be using Postgres after all.",
        "I'm taking that back, no Postgres.",
        "Ich habe mich umentschieden: kein Postgres.",
    ],
)
def test_what_the_owner_plainly_takes_back_is_superseded(talk: Talk, later: str) -> None:
    settled = "I've decided to use Postgres for the billing service."
    talked = talk(("user", settled), ("assistant", "Postgres suits billing."), ("user", later))
    assert len(extract_units(talked).links) == 1


def test_a_task_is_taken_back_by_its_own_words_alone(talk: Talk) -> None:
    """`about to contradict myself` is no decision on the boat that its sentence began with."""
    talked = talk(
        ("user", "Update on the dinghy, and I'm about to contradict myself so get comfortable."),
        ("assistant", "Go on."),
        ("user", "So I've changed my mind: no epoxy anywhere on the dinghy."),
    )
    assert extract_units(talked).links == ()
