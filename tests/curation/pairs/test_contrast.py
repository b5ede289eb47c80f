from __future__ import annotations

import pytest

from curation.pairs.contrast import contrast


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The tuner charges 90 euros for a visit.", "The tuner charges 140 euros for a visit."),
        ("The dog tolerates chicken.", "The dog doesn't tolerate chicken."),
        ("Lena has the spare key of the office.", "Tomas has the spare key of the office."),
        ("The choir rehearses on Mondays in the hall.", "The choir rehearses on Fridays in the hall."),
    ],
)
def test_one_thing_in_anothers_place_is_a_contrast(one: str, other: str) -> None:
    assert contrast(one, other) >= 0.5
    assert contrast(one, other) == contrast(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent is 420 euros a month.", "The rent stays at 420 euros for another year."),
        ("The dog tolerates chicken.", "The dog tolerates chicken."),
        ("The landlord repairs the roof.", "The roof over the stairs looks good now."),
        ("", "The dog tolerates chicken."),
    ],
)
def test_more_of_the_same_is_no_contrast(one: str, other: str) -> None:
    assert contrast(one, other) == 0.0
