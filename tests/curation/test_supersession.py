from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from curation.notes import Note
from curation.supersession.candidates import candidates
from curation.supersession.pair import Judged, Pair, Verdict
from curation.supersession.rules import judge
from schemas.unit import Category, Speaker, State

EARLY = datetime(2026, 1, 5, tzinfo=UTC)
LATE = EARLY + timedelta(days=40)


def verdict(older: str, newer: str, category: Category = Category.FACT) -> Verdict:
    return judge(
        Pair(
            Judged(older, category, Speaker.OWNER, EARLY),
            Judged(newer, category, Speaker.OWNER, LATE),
        )
    ).verdict


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The garden meeting is on 3 May.", "The garden meeting was moved to 17 May."),
        ("The workshop rent is 450 euros a month.", "The workshop rent is 520 euros a month."),
        ("We heat the greenhouse with oil.", "We no longer heat the greenhouse with oil."),
        ("I need to renew the boat's insurance.", "I renewed the boat's insurance."),
        ("We use Trello for the orchard tasks.", "We switched from Trello to paper for the orchard tasks."),
    ],
)
def test_a_changed_thing_supersedes(older: str, newer: str) -> None:
    assert verdict(older, newer) is Verdict.SUPERSEDE


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The garden meeting is on 3 May.", "The choir meeting was moved to 17 May."),
        ("The garden meeting is on 3 May.", "Could the garden meeting be moved to 17 May?"),
        ("The garden meeting is on 3 May.", "Maybe the garden meeting should move to 17 May."),
        ("We heat the greenhouse with oil.", "This week we heat the greenhouse with wood."),
        ("The pump in Turku is green.", "The pump in Oulu is red."),
        ("The barn roof leaks.", "We put a tarpaulin over the barn roof."),
        ("I like rye bread.", "I also like white bread."),
    ],
)
def test_what_can_stand_beside_it_stays(older: str, newer: str) -> None:
    assert verdict(older, newer) is Verdict.KEEP_BOTH


def test_an_assistant_retires_nothing_of_the_owners() -> None:
    older = Judged("The workshop rent is 450 euros.", Category.DECISION, Speaker.OWNER, EARLY)
    newer = Judged("The workshop rent is 520 euros.", Category.FACT, Speaker.ASSISTANT, LATE)
    ruling = judge(Pair(older, newer))
    assert (ruling.verdict, "assistant" in ruling.reason) == (Verdict.KEEP_BOTH, True)


def test_the_older_one_takes_no_place_and_neither_does_an_undated_one() -> None:
    older = Judged("The workshop rent is 450 euros.", Category.FACT, Speaker.OWNER, EARLY)
    newer = Judged("The workshop rent is 520 euros.", Category.FACT, Speaker.OWNER, LATE)
    undated = Judged(newer.text, Category.FACT, Speaker.OWNER, None)
    assert judge(Pair(older, newer)).verdict is Verdict.SUPERSEDE
    assert judge(Pair(newer, older)).verdict is Verdict.KEEP_BOTH
    assert judge(Pair(older, undated)).verdict is Verdict.KEEP_BOTH


def test_candidates_share_a_subject_and_the_newer_one_is_new() -> None:
    texts = [
        "The workshop rent is 450 euros.",
        "The choir sings in the old mill.",
        "The workshop rent is 520 euros now.",
    ]
    notes = [
        Note(str(place), "ada", f"c{place}", text, Category.FACT, Speaker.OWNER, None,
             EARLY + timedelta(days=place), State.PASSED, place)
        for place, text in enumerate(texts)
    ]  # fmt: skip
    found = candidates(notes, ["2"])
    assert [(pair.newer.id, pair.older.id) for pair in found] == [("2", "0")]
    assert candidates(notes, ["0"]) == []
    assert candidates(notes, []) == []
