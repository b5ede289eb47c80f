"""Values that a text states and its source does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.values import strange_value


@pytest.mark.parametrize(
    ("text", "source", "language"),
    [
        ("The lease runs for 6 months.", "six months left on the lease", "en"),
        ("The lease runs for six months.", "6 months left on the lease", "en"),
        ("The boat has 21 planks.", "twenty-one planks", "en"),
        ("It costs 250 euros.", "two hundred and fifty euros", "en"),
        ("It costs 1,200 euros.", "1200 euros", "en"),
        ("It costs 62,000 euros.", "We've got 62k between us", "en"),
        ("The town has 2 million people.", "two million people live there", "en"),
        ("It takes 2 to 3 weeks.", "2-3 weeks", "en"),
        ("It takes 2 weeks.", "2-3 weeks", "en"),
        ("The prices hold from January to March.", "prices jan-march", "en"),
        ("It ends in January.", "ends 2026-01-31", "en"),
        ("The user may come on Saturday.", "might come sat", "en"),
        ("The user has one cat.", "a cat", "en"),
        ("Both cats are the user's: two cats.", "both cats are mine", "en"),
        ("Sie hat 21 Schafe.", "einundzwanzig Schafe hat sie", "de"),
        ("Das Haus kostet 250000 Euro.", "zweihundertfünfzigtausend Euro", "de"),
        ("Tiene 35 ovejas y 200 cabras.", "treinta y cinco ovejas, doscientas cabras", "es"),
        ("Il a 97 moutons.", "quatre-vingt-dix-sept moutons", "fr"),
        ("3ヶ月かかる。", "三ヶ月かかる", "ja"),
        ("2026年", "二〇二六年", "zh"),
    ],
)
def test_a_value_is_the_same_however_it_is_written(text: str, source: str, language: str) -> None:
    assert strange_value(text, source, (language,)) == ""


@pytest.mark.parametrize(
    ("text", "source", "language", "strange"),
    [
        ("The lease runs for three months.", "six months left on the lease", "en", "3"),
        ("The prices hold until February.", "prices jan-march", "en", "month 2"),
        ("The user comes on Sunday.", "coming sat", "en", "day 7"),
        ("Die Miete läuft drei Monate.", "noch sechs Monate Miete", "de", "3"),
        ("El alquiler dura tres meses.", "quedan seis meses de alquiler", "es", "3"),
        ("Il reste trois mois.", "encore six mois", "fr", "3"),
        ("三ヶ月かかる。", "六ヶ月かかる", "ja", "3"),
    ],
)
def test_another_value_is_strange(text: str, source: str, language: str, strange: str) -> None:
    assert strange_value(text, source, (language,)) == strange


def test_things_that_are_cited_may_be_counted() -> None:
    assert strange_value("The assistant named two ways.", "A tub. A pond.", ("en",), pieces=2) == ""


@given(st.text(max_size=80), st.sampled_from(["en", "de", "es", "fr", "ja", "it"]))
def test_a_text_states_nothing_strange_to_itself(text: str, language: str) -> None:
    assert strange_value(text, text, (language,)) == ""
