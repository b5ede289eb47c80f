"""What the fit-gate measures, beside the same written word by word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.relevance.filter_verdict import _verdict
from retrieval.relevance.relevance_filter import Fit, FitWeights, PlacedNote, fits
from retrieval.search.word_vectors import UNKNOWN, table, words_of

QUERY = "What is the empty space between the stones of a Japanese garden doing?"
INTENT = "Design of gardens, landscape and architecture."
TEXTS = (
    "The raked gravel is the active part; the fifteen stones only punctuate it.",
    "Galaxies recede because the empty space between them is itself expanding.",
    "Japanese garden, empty space, stones",
    "Invoices are due on Friday.",
    "Zzyzzyx qwrtplk.",
    "",
)
WORDS = st.sampled_from(
    [word for text in (QUERY, INTENT, *TEXTS) for word in text.split()] + ["zzyzzyx", "42", "枯山水"]
)


def by_hand(query: str, text: str, laid: str, *, unasked: bool) -> float | None:
    """Mean over the laid words of the cosine to the nearest word of the query that the text lacks."""
    asked, has = words_of(query), set(words_of(text).terms)
    beyond = [
        row for row, term in zip(asked.rows, asked.terms, strict=True) if row != UNKNOWN and term not in has
    ]
    said = words_of(laid)
    compared = [
        row
        for row, term in zip(said.rows, said.terms, strict=True)
        if row != UNKNOWN and not (unasked and term in asked.terms)
    ]
    if len(beyond) < 3 or not compared:
        return None
    return float(np.mean([max(table()[row] @ table()[other] for other in beyond) for row in compared]))


def mixed(first: float | None, second: float | None) -> float | None:
    """The intent counts three tenths of the question."""
    known = [(value, much) for value, much in ((first, 1.0), (second, 0.3)) if value is not None]
    return sum(value * much for value, much in known) / sum(much for _, much in known) if known else None


def close(value: float | None) -> object:
    return None if value is None else pytest.approx(value, abs=1e-5)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(WORDS, max_size=12).map(" ".join),
    st.sampled_from([None, INTENT]),
    st.lists(st.tuples(st.lists(WORDS, max_size=9), st.lists(WORDS, max_size=4)), min_size=1, max_size=5),
)
def test_place_and_rest_are_means_over_words_of_the_nearest_word(
    query: str, intent: str | None, notes: list[tuple[list[str], list[str]]]
) -> None:
    placed = [PlacedNote(" ".join(text), " ".join(place), "c") for text, place in notes]
    for note, fit in zip(placed, fits(query, intent, placed), strict=True):
        place, rest = (
            mixed(
                by_hand(query, note.text, laid, unasked=unasked),
                by_hand(intent, note.text, laid, unasked=unasked) if intent else None,
            )
            for laid, unasked in ((note.place, False), (note.text, True))
        )
        assert (fit.place, fit.rest) == (close(place), close(rest))


def test_a_note_that_lacks_three_words_of_the_question_is_judged_and_one_that_lacks_two_is_not() -> None:
    stones, most = (
        PlacedNote(text, "A garden in Kyoto.", "c") for text in ("Stones empty.", "Stones empty space.")
    )
    query = "empty space stones garden gravel"
    assert [fit.place is None for fit in fits(query, None, [stones, most])] == [False, True]


@pytest.mark.parametrize(("count", "full"), [(13, 3.0), (104, 6.0), (1, 3 / 13 ** (1 / 3))])
def test_full_company_grows_with_the_cube_root_and_is_three_of_thirteen(count: int, full: float) -> None:
    notes = [PlacedNote("Text.", "", "crowd" if n < 2 else f"c{n}") for n in range(count)]
    of_crowd = 2 if count > 1 else 1
    measured = fits(QUERY, None, notes)
    assert measured[0].company == pytest.approx(min(of_crowd / full, 1.0))
    assert measured[-1].company == pytest.approx(min(1 / full, 1.0))
    assert fits(QUERY, None, [PlacedNote("Text.", "", "crowd")] * 20)[0].company == 1.0


WEIGHTS = FitWeights(place=2.0, rest=3.0, company=5.0, bias=-1.0, least=4.0, unknown=0.5, run="none")


def test_the_sum_is_weighted_and_what_is_not_known_of_the_rest_has_its_stand_in() -> None:
    assert Fit(0.5, 0.25, 1.0).total(WEIGHTS) == pytest.approx(1.0 + 0.75 + 5.0 - 1.0)
    assert Fit(0.5, None, 1.0).total(WEIGHTS) == pytest.approx(1.0 + 1.5 + 5.0 - 1.0)
    assert Fit(None, 0.25, 1.0).total(WEIGHTS) is None
    assert Fit(0.0, 0.0, 1.0).total(WEIGHTS) == 4.0


def test_a_note_fits_from_the_least_sum_on() -> None:
    assert _verdict(Fit(0.0, 0.0, 1.0), WEIGHTS).kept
    below = _verdict(Fit(0.0, 0.0, 0.9), WEIGHTS)
    assert not below.kept
    assert below.reason.startswith("fit 3.50 is below 4.0")
    assert _verdict(Fit(None, 0.0, 0.0), WEIGHTS).reason == "cannot be judged"
