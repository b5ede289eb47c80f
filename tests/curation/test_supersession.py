from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from curation.notes import Note
from curation.supersession.candidates import candidates
from curation.supersession.named import about_the_world
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
        ("Our archivist is Mrs. Thorne.", "Our new archivist is Mr. Beck."),
        ("The ferry pass costs $9 a month.", "The ferry pass price rose to $12 a month."),
        ("The seed report is due on Friday.", "The seed report is now due next Wednesday."),
        ("I intend to run the regatta in Turku.", "I'm skipping the Turku regatta."),
        ("We chose oak for the jetty.", "We're going with larch for the jetty instead."),
        ("The kiln slot is in March.", "The kiln slot slipped to May."),
        ("Hugo lives in Lille.", "Hugo lives in Lyon, not Lille."),
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
        ("The budget is 4,000 euros.", "The budget meeting moved to 4 May."),
        ("The kiosk will be painted.", "The kiosk table was replaced."),
        ("The lease with Acme ends in May.", "The lease with Borg was extended to June."),
        ("The toll is 100 kroner for short boats.", "The toll is 300 kroner for long boats."),
        ("The mill opens at 8.", "The mill opens at 10 on Christmas Eve."),
        ("The van needs an oil change.", "The tractor's oil change was done on Saturday."),
        ("I need to call the bank.", "I called the insurance."),
        ("Ruth plays the piano.", "Ruth now plays tennis."),
        ("Tests run on every push.", "Tests are paused while the runner is replaced."),
        ("The farm stay begins on 7 August.", "The farm stay was absolutely not postponed."),
        ("I trust Leon.", "Leon's last estimate was wrong."),
    ],
)
def test_what_can_stand_beside_it_stays(older: str, newer: str) -> None:
    assert verdict(older, newer) is Verdict.KEEP_BOTH


def test_an_assistant_retires_nothing_of_the_owners() -> None:
    older = Judged("The workshop rent is 450 euros.", Category.DECISION, Speaker.OWNER, EARLY)
    newer = Judged("The workshop rent was raised to 520 euros.", Category.FACT, Speaker.ASSISTANT, LATE)
    ruling = judge(Pair(older, newer))
    assert (ruling.verdict, "assistant" in ruling.reason) == (Verdict.KEEP_BOTH, True)


def test_the_older_one_takes_no_place_and_neither_does_an_undated_one() -> None:
    older = Judged("The workshop rent is 450 euros.", Category.FACT, Speaker.OWNER, EARLY)
    newer = Judged("The workshop rent is 520 euros.", Category.FACT, Speaker.OWNER, LATE)
    undated = Judged(newer.text, Category.FACT, Speaker.OWNER, None)
    assert judge(Pair(older, newer)).verdict is Verdict.SUPERSEDE
    assert judge(Pair(newer, older)).verdict is Verdict.KEEP_BOTH
    assert judge(Pair(older, undated)).verdict is Verdict.KEEP_BOTH


def test_what_nobody_can_decide_is_a_contradiction() -> None:
    older = Judged("The pond is heated.", Category.FACT, Speaker.OWNER, EARLY)
    said = Judged("The pond is not heated.", Category.FACT, Speaker.ASSISTANT, LATE)
    assert judge(Pair(older, said)).verdict is Verdict.CONTRADICT
    at_once = Judged(said.text, Category.FACT, Speaker.OWNER, EARLY + timedelta(minutes=9))
    assert judge(Pair(older, at_once)).verdict is Verdict.CONTRADICT
    later = Judged(said.text, Category.FACT, Speaker.OWNER, LATE)
    assert judge(Pair(older, later)).verdict is Verdict.SUPERSEDE
    asked = Judged("Is the pond heated?", Category.OPEN_QUESTION, Speaker.ASSISTANT, LATE)
    assert judge(Pair(older, asked)).verdict is Verdict.KEEP_BOTH


@pytest.mark.parametrize(
    "text",
    [
        "Stop asking the user about the kiln.",
        "Let's not waste any more time on the kiln.",
        "You need the kiln's number.",
        "That's the kiln's main flue.",
        "The kiln might need a new flue.",
        "Kiln: the new flue.",
        "The user feels ready to move forward.",
    ],
)
def test_talk_with_the_assistant_takes_no_part(text: str) -> None:
    assert not about_the_world(text, task=False)


@pytest.mark.parametrize(
    "text", ["The kiln has a new flue.", "The kiln is lit on 3 May.", "The user booked the ferry to Turku."]
)
def test_claims_of_the_world_take_part(text: str) -> None:
    assert about_the_world(text, task=False)


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
