from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunking.wordlists import words
from curation.normal_form.form import form_of
from curation.pairs.near_duplicates import canonical_of, duplicate_groups, merges_of, same_meaning
from curation.swept_note import SweptNote
from schemas.unit import Category, Speaker, State

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def note(identity: str, text: str, **changes: object) -> SweptNote:
    made = SweptNote(
        id=identity, account="ada", conversation_id="c", text=text, category=Category.FACT,
        speaker=Speaker.OWNER, speaker_name=None, said_at=NOON, state=State.PASSED,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def same(a: str, b: str) -> bool:
    return same_meaning(note("a", a), note("b", b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The roof leaks!", "the roof leaks"),
        ("The hedge costs 1,200 euros.", "The hedge costs €1200."),
        ("We must order 3 crates of apples.", "We must order three crates of apples."),
        ("The kiln reached 1,040 °C on Monday.", "On Monday the kiln reached 1040°C."),
        ("The committee approved the budget.", "The budget was approved by the committee."),
        ("I don't eat walnuts.", "I do not eat walnuts."),
        ("Our colour is grey.", "Our color is gray."),
        ("Heating is included in the rent.", "The rent includes heating."),
        ("Ruth works as a glazier.", "Ruth is a glazier."),
        ("I have been learning Danish.", "I'm learning Danish."),
        ("The mill will open at 9.", "The mill opens at 9."),
        ("Somebody stole my boat.", "My boat was stolen."),
    ],
)
def test_other_wording_is_the_same_note(a: str, b: str) -> None:
    assert same(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The hedge costs 1,200 euros.", "The hedge costs 1,300 euros."),
        ("The hedge costs 1,200 euros.", "The hedge costs 1,200 dollars."),
        ("We can plant in May.", "We cannot plant in May."),
        ("We should plant in May.", "We must plant in May."),
        ("Ruth lent Omar the ladder.", "Omar lent Ruth the ladder."),
        ("The train goes from Kyiv to Lviv.", "The train goes from Lviv to Kyiv."),
        ("The pond is deep.", "Is the pond deep?"),
        ("All tenants paid the rent.", "Some tenants paid the rent."),
        ("Water the fern before the ivy.", "Water the fern after the ivy."),
        ("The path is open.", "The path is closed."),
        ("The mill was sold in 1987.", "The mill was sold."),
        ("The path may open.", "The path opens in May."),
        ("Don't ask about the kiln.", "Don't just ask about the kiln."),
        ("I will take vitamin D.", "I take vitamin D."),
        ("I had been learning Danish.", "I'm learning Danish."),
        ("Tea is included in the tour.", "The tour is included in tea."),
        ("The crate weighs 3 kg.", "The crate weighs 3 lb."),
        ("The ferry leaves on 3 June.", "The ferry leaves on 3 July."),
        ("Copy src/main.rs.", "Copy src/main.py."),
        ("hidden dark:block", "block dark:hidden"),
    ],
)
def test_another_meaning_is_another_note(a: str, b: str) -> None:
    assert not same(a, b)


def test_what_points_elsewhere_is_the_same_only_in_its_setting() -> None:
    first, second = note("a", "It broke again in the cold."), note("b", "It broke again in the cold.")
    assert same_meaning(first, second)
    assert not same_meaning(first, replace(second, conversation_id="d"))
    today, later = note("a", "The glazier comes to us today."), note("b", "The glazier comes to us today.")
    assert same_meaning(today, later)
    assert not same_meaning(today, replace(later, said_at=NOON + timedelta(days=3)))


def test_a_hedge_is_not_a_claim_and_accounts_do_not_meet() -> None:
    claim = note("a", "The barn roof needs new slates.")
    assert same_meaning(claim, replace(claim, id="b"))
    assert not same_meaning(claim, replace(claim, id="b", category=Category.PROVISIONAL))
    assert same_meaning(claim, replace(claim, id="b", category=Category.CONSTRAINT))
    hers = replace(claim, speaker=Speaker.OTHER, speaker_name="Ines")
    assert same_meaning(hers, replace(hers, id="b"))
    assert not same_meaning(hers, replace(hers, id="b", speaker_name="Omar"))
    assert not same_meaning(claim, replace(claim, id="b", account="bob"))
    with pytest.raises(ValueError, match="one account"):
        duplicate_groups([claim, replace(claim, id="b", account="bob")])


def test_the_kept_note_stands_for_all_then_the_owners_own_then_the_newest() -> None:
    text = "The barn roof needs new slates."
    assistant = note("a", text, speaker=Speaker.ASSISTANT, said_at=NOON + timedelta(days=9))
    early, late = note("b", text), note("c", text, said_at=NOON + timedelta(days=1))
    assert canonical_of([assistant, early, late]) is late
    kept = replace(assistant, state=State.KEPT)
    assert canonical_of([kept, early, late]) is kept
    merges = merges_of([kept, early, replace(late, state=State.KEPT)])
    assert [(one.duplicate.id, one.proposed) for one in merges] == [("a", True), ("b", False)]


def test_only_groups_with_a_new_note_come_up() -> None:
    notes = [note(name, "The barn roof needs new slates.") for name in "ab"]
    notes += [note(name, "The pump runs on Sundays only.") for name in "cd"]
    assert [[one.id for one in group] for group in duplicate_groups(notes)] == [["a", "b"], ["c", "d"]]
    assert [[one.id for one in group] for group in duplicate_groups(notes, ["d"])] == [["c", "d"]]
    assert duplicate_groups(notes, []) == []
    assert duplicate_groups([]) == []


class Judge:
    """Takes two texts for the same where they are one of its pairs, whichever of them comes first."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self._pairs = {frozenset(pair) for pair in pairs}
        self.asked: set[frozenset[str]] = set()

    def same(self, one: str, other: str) -> bool:
        self.asked.add(frozenset((one, other)))
        return frozenset((one, other)) in self._pairs


REPAIRED = "The parish council repaired the orchard fence."
MENDED = "The parish council mended the orchard fence."
FIXED = "The parish council fixed the orchard fence."


def grouped(notes: list[SweptNote], judge: Judge | None, new: list[str] | None = None) -> list[list[str]]:
    return [sorted(one.id for one in group) for group in duplicate_groups(notes, new, judge)]


def test_the_judge_knows_other_words_inside_one_setting() -> None:
    judge = Judge((REPAIRED, MENDED), ("It broke again in the cold.", "It failed again in the cold."))
    repaired, mended = note("a", REPAIRED), note("b", MENDED)
    assert not same_meaning(repaired, mended)
    assert same_meaning(repaired, mended, judge)
    assert not same_meaning(repaired, note("c", FIXED), judge)
    assert not same_meaning(repaired, replace(mended, category=Category.PROVISIONAL), judge)
    assert not same_meaning(repaired, replace(mended, account="bob"), judge)
    broke, failed = note("a", "It broke again in the cold."), note("b", "It failed again in the cold.")
    assert same_meaning(broke, failed, judge)
    assert not same_meaning(broke, replace(failed, conversation_id="d"), judge)


def test_the_judge_is_not_asked_what_the_form_settles() -> None:
    judge = Judge()
    assert same_meaning(note("a", REPAIRED), note("b", REPAIRED), judge)
    assert not judge.asked


def test_what_the_judge_takes_for_the_same_is_one_group() -> None:
    notes = [note("a", REPAIRED), note("b", MENDED), note("c", "The pump runs on Sundays only.")]
    assert grouped(notes, None) == []
    assert grouped(notes, Judge()) == []
    assert grouped(notes, Judge((REPAIRED, MENDED))) == [["a", "b"]]


def test_a_single_note_joins_a_group_of_one_form_wherever_it_stands() -> None:
    one, other, single = note("a", REPAIRED), note("b", REPAIRED), note("c", MENDED)
    judge = Judge((REPAIRED, MENDED))
    for notes in ([one, other, single], [single, one, other], [one, single, other]):
        assert grouped(notes, judge) == [["a", "b", "c"]]


def test_every_wording_of_a_group_is_held_against_the_one_that_joins() -> None:
    notes = [note("a", REPAIRED), note("b", MENDED), note("c", FIXED)]
    every = ((REPAIRED, MENDED), (REPAIRED, FIXED), (MENDED, FIXED))
    assert grouped(notes, Judge(*every)) == [["a", "b", "c"]]
    for missing in every:
        (group,) = grouped(notes, Judge(*(pair for pair in every if pair != missing)))
        assert len(group) == 2
        assert {one.text for one in notes if one.id in group} != set(missing)


def test_two_groups_join_where_they_say_the_same() -> None:
    notes = [note("a", REPAIRED), note("b", REPAIRED), note("c", MENDED), note("d", MENDED)]
    assert grouped(notes, Judge((REPAIRED, MENDED))) == [["a", "b", "c", "d"]]


def test_the_judge_is_asked_about_new_notes_only() -> None:
    notes = [note("a", REPAIRED), note("b", MENDED), note("c", FIXED)]
    judge = Judge((REPAIRED, MENDED), (REPAIRED, FIXED))
    assert grouped(notes, judge, ["c"]) == [["a", "c"]]
    assert grouped(notes, judge, []) == []


SAID = "the we kiln Ruth 3 1,200 not in May was moved to by on Monday if is no and € sold at 5pm half"
WORDS = st.sampled_from(sorted(words(SAID)))


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=12).map(" ".join)))
def test_every_text_has_one_form_whatever_its_case_marks_and_spaces(text: str) -> None:
    assert form_of(text) == form_of(text)
    if text.isascii():
        assert form_of(text) == form_of(f"  {text}  ")


CHANGED = [
    ("costs 17 euros", "costs 18 euros"),
    ("costs 17 euros", "costs 17 dollars"),
    ("opens on 3 May", "opens on 4 May"),
    ("may open", "must open"),
    ("can open", "can not open"),
    ("opens before noon", "opens after noon"),
    ("goes from Kyiv to Lviv", "goes from Lviv to Kyiv"),
]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["the ferry", "Ruth", "our kiln", "the toll on Monday"]), st.sampled_from(CHANGED))
def test_the_guard_sees_what_changes_a_meaning(subject: str, changed: tuple[str, str]) -> None:
    """Numbers, units, dates, modality, negation, order in time and roles."""
    before, after = changed
    assert not same(f"{subject} {before}.", f"{subject} {after}.")


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=12))
def test_another_number_is_another_form(said: list[str]) -> None:
    assert form_of(" ".join([*said, "costs 17 euros"])) != form_of(" ".join([*said, "costs 18 euros"]))
