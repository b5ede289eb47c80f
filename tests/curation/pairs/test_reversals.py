from __future__ import annotations

import pytest

from curation.pairs.reversals import reversals
from schemas.estimate import Estimate
from schemas.unit import Category, Evidence, Speaker, Unit

GREEN = "The hull will be green."
BLUE = "The hull will be blue after all."


def said(text: str, message: str, category: Category = Category.DECISION, good: float = 0.6) -> Unit:
    return Unit(
        id=f"{message} {text}", account="mara", conversation_id="c", category=category, text=text,
        speaker=Speaker.OWNER, said_at=None, extractor="offline/1",
        evidence=(Evidence(message_id=message, start=0, end=len(text), quote=text, text_hash="h"),),
        estimate=Estimate(good=good, whose="own", own=1.0, whole=True),
    )  # fmt: skip


def test_a_later_decision_takes_the_place_of_an_earlier_one() -> None:
    older, newer = said(GREEN, "m1"), said(BLUE, "m2")
    (link,) = reversals([older, newer])
    assert (link.unit_id, link.other_id) == (newer.id, older.id)


@pytest.mark.parametrize(
    "newer",
    [
        said(BLUE, "m1"),
        said(BLUE, "m2", good=0.01),
        said(BLUE, "m2", Category.CONSTRAINT),
        said("The user will go by train.", "m2"),
        said("The boat has a shed.", "m2", Category.FACT),
    ],
    ids=["one message", "a fragment", "a limit", "another matter", "a fact in passing"],
)
def test_what_form_rules_out_retires_no_decision(newer: Unit) -> None:
    assert list(reversals([said(GREEN, "m1"), newer])) == []


def test_a_fact_that_names_the_same_thing_retires_no_decision() -> None:
    older = said("Copper rivets.", "m1")
    newer = said("The user has 64 rivets to do now, the user counted.", "m2", Category.FACT)
    assert list(reversals([older, newer])) == []


PLATFORM = said("The user is calling the platform Talented.", "m1", Category.ACTION_ITEM)


@pytest.mark.parametrize(
    "newer",
    [
        said("The user is using Webflow as the design tool for the platform.", "m2", Category.FACT),
        said("The user is calling the platform Gifted after all.", "m2", Category.FACT, good=0.1),
        said("The user is calling the platform Gifted after all.", "m1", Category.FACT),
    ],
    ids=["another side of it", "a fragment", "one message"],
)
def test_what_form_rules_out_retires_no_step(newer: Unit) -> None:
    assert list(reversals([PLATFORM, newer])) == []


def test_a_fact_of_the_same_words_takes_the_place_of_a_step() -> None:
    older = said("The user calls the roofer on Monday.", "m1", Category.ACTION_ITEM)
    newer = said("The user calls the roofer on Thursday instead.", "m2", Category.FACT)
    (link,) = reversals([older, newer])
    assert (link.unit_id, link.other_id) == (newer.id, older.id)
