"""One value, one list, one construction in other words is one form; its neighbour is another."""

from __future__ import annotations

import pytest

from curation.normal_form.form import form_of

SAME = [
    # values
    ("The kiln costs $20.", "The kiln costs 20 dollars."),
    ("The kiln costs 20k euros.", "The kiln costs EUR 20,000."),
    ("The barn cost two hundred and fifty euros.", "The barn cost 250 euros."),
    ("The barn holds twenty-one crates.", "The barn holds 21 crates."),
    ("The barn holds a dozen crates.", "The barn holds 12 crates."),
    ("The barn holds two dozen crates.", "The barn holds 24 crates."),
    ("The mill ground a thousand sacks.", "The mill ground 1,000 sacks."),
    ("The frost reached minus three degrees celsius.", "The frost reached -3 °C."),
    ("The talk lasts half an hour.", "The talk takes 30 minutes."),
    ("The talk lasts an hour and a half.", "The talk lasts 90 minutes."),
    ("The talk lasts two and a half hours.", "The talk lasts 2.5 hours."),
    ("The talk lasts 2 h 30 min.", "The talk lasts 150 minutes."),
    ("The plank is 1.5 m long.", "The plank is 150 cm long."),
    ("Three quarters of the slates broke.", "75% of the slates broke."),
    ("A third of the slates broke.", "1/3 of the slates broke."),
    ("The bag holds 1.234,50 euros.", "The bag holds 1234.5 euros."),
    # dates and clocks
    ("The ferry leaves on 14 March 2026.", "The ferry leaves on March 14th, 2026."),
    ("The ferry leaves on 2026-03-14.", "The ferry leaves on 14/03/2026."),
    ("The ferry leaves on 03/14/2026.", "The ferry leaves on 14.03.2026."),
    ("The ferry leaves on the fourth of May.", "The ferry leaves on May 4."),
    ("The ferry leaves at 5 pm.", "The ferry leaves at 17:00."),
    ("The ferry leaves at five in the afternoon.", "The ferry leaves at 5 p.m."),
    ("The ferry leaves at half past seven.", "The ferry leaves at 7:30."),
    ("The ferry leaves at quarter to nine.", "The ferry leaves at 8:45."),
    ("The ferry leaves at noon.", "The ferry leaves at 12:00."),
    ("The ferry leaves at seven o'clock.", "The ferry leaves at 7:00."),
    # lists and constructions
    ("The flags are red, green and blue.", "The flags are blue, red, and green."),
    ("The price of the kiln is 30 euros.", "The kiln costs 30 euros."),
    ("The grant is due today.", "The deadline for the grant is today."),
    ("Ruth has a dog named Rex.", "Ruth has a dog called Rex."),
    ("Ruth prefers tea over coffee.", "Ruth likes tea better than coffee."),
    ("Ruth was born on 4 May.", "Ruth's birthday is 4 May."),
    ("Ruth is 42 years old.", "Ruth is 42."),
    ("Ruth decided on Vue.", "Ruth chose Vue."),
    ("Ruth has a nut allergy.", "Ruth is allergic to nuts."),
    ("Ruth started learning Danish.", "Ruth started to learn Danish."),
    ("Ruth prefers walking.", "Ruth prefers to walk."),
    ("We opened the pool this autumn.", "This autumn we opened the pool."),
    # other languages
    ("Wir haben zwei Öfen in der Halle.", "Wir haben 2 Öfen in der Halle."),
    ("Nous avons trois fours dans la halle.", "Nous avons 3 fours dans la halle."),
    ("El horno tiene cuatro puertas y no cierra.", "Horno tiene 4 puertas y no cierra."),
]

OTHER = [
    ("The kiln costs 20k euros.", "The kiln costs 20 euros."),
    ("The talk lasts an hour and a half.", "The talk lasts half an hour."),
    ("The talk lasts 2 h 30 min.", "The talk lasts 2 h 40 min."),
    ("The frost reached -3 °C.", "The frost reached 3 °C."),
    ("The frost reached 3 °C.", "The frost reached 3 °F."),
    ("Three quarters of the slates broke.", "A quarter of the slates broke."),
    ("The ferry leaves on 2026-03-04.", "The ferry leaves on 2026-04-03."),
    ("The ferry leaves on 14 March 2026.", "The ferry leaves on 14 March 2027."),
    # which of the two is the month, only the writer knows
    ("The ferry leaves on 03/04/2026.", "The ferry leaves on 2026-03-04."),
    ("The ferry leaves at 5 am.", "The ferry leaves at 5 pm."),
    ("The ferry leaves at half past seven.", "The ferry leaves at half past eight."),
    ("The ferry leaves at quarter to nine.", "The ferry leaves at quarter past nine."),
    ("The flags are red, green and blue.", "The flags are red, green and white."),
    ("Ruth prefers tea to coffee.", "Ruth prefers coffee to tea."),
    ("Ruth is 42 years old.", "Ruth is 42 months old."),
    ("Ruth was born on 4 May.", "Ruth was born on 5 May."),
    ("Ruth worked as a glazier.", "Ruth is a glazier."),
    ("The ferry leaves just before noon.", "The ferry leaves before noon."),
    ("The kiln burns oil instead of gas.", "The kiln burns oil, gas instead."),
    ("Wir haben zwei Öfen in der Halle.", "Wir haben drei Öfen in der Halle."),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_words_for_one_value_or_construction_are_one_form(one: str, other: str) -> None:
    assert form_of(one) == form_of(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_its_neighbour_has_another_form(one: str, other: str) -> None:
    assert form_of(one) != form_of(other)
