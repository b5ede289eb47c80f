"""Parts of long sentences stand as sentences: with the core of their clause, less its modifiers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extract.offline import extract_units
from schemas.conversation import Conversation

Talk = Callable[..., Conversation]

PARTS = [
    (
        "The goal of feature selection is to improve the performance of the model by reducing the"
        " dimensionality of the input data.",
        "The goal is to improve the performance by reducing the dimensionality of the input data.",
    ),
    (
        "They highlight the systemic nature of corporate influence and the need for collective action.",
        "They highlight the need for collective action.",
    ),
    (
        "It's accessible right from the beach or by a short paddle, making it incredibly convenient.",
        "It's accessible right from the beach or by a short paddle, making it convenient.",
    ),
    (
        "The Paris Agreement aims to limit global warming to well below two degrees above earlier levels and"
        " to pursue efforts to limit it further.",
        "The Paris Agreement aims to pursue efforts to limit it further.",
    ),
    (
        "That's a huge step forward and a testament to the careful work of a whole year.",
        "That's a testament to the careful work of a whole year.",
    ),
]


@pytest.mark.parametrize(("said", "part"), PARTS)
def test_a_part_stands_with_the_core_of_its_clause(talk: Talk, said: str, part: str) -> None:
    texts = [unit.text for unit in extract_units(talk(("assistant", said))).units]
    assert part in texts


def test_under_a_negation_nothing_is_left_out(talk: Talk) -> None:
    said = (
        "The contract does not allow changes to the plans of the house by the builder without the written"
        " approval of the owner of the land."
    )
    texts = [unit.text for unit in extract_units(talk(("assistant", said))).units]
    assert not any(text.startswith("The contract does not allow changes without") for text in texts)


def test_an_entry_is_told_with_what_its_list_is_about(talk: Talk) -> None:
    said = "### Rifugio Fanes\n\n* **Location:** Alta Badia, 2,060 m\n* Private rooms with a view\n"
    units = extract_units(talk(("assistant", said))).units
    assert [unit.text for unit in units] == [
        "Rifugio Fanes, Location: Alta Badia, 2,060 m.",
        "Rifugio Fanes: Private rooms with a view.",
    ]
    assert all(said[item.start : item.end] == item.quote for unit in units for item in unit.context)


def test_a_line_above_a_list_is_its_heading(talk: Talk) -> None:
    said = "Support ticket\n* A form to describe the fault\n* An address for photos\n"
    extraction = extract_units(talk(("assistant", said)))
    assert extraction.dropped == {"heading": 1}
    assert extraction.units[0].text == "Support ticket: a form to describe the fault."
