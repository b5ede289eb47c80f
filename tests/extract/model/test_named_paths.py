"""Paths that a model names: read forgivingly, and never at the cost of a note."""

from __future__ import annotations

import pytest
from extract_talks import build
from hypothesis import given
from hypothesis import strategies as st

from extract.model.model_engine import ModelEngine
from extract.model.notes.named_paths import paths_by_sentence
from extract.model.notes.note_windows import FiledAnswer, WindowAnswer, prompt_for
from inference.language_model import REACH, ModelQuestion, Reach, Reply
from schemas.semantic_path import MAX_LEVELS, MAX_PATHS, checked_path, forgiven_path

FILING = Reach(filing="home.garden: garden\nfinance.budget: money")
GARDEN = (("user", "The garden is 40 square metres. I can only spend 200 euros on it."),)
NOTES = ["1|F||The garden is 40 square metres.", "2|C||The user can only spend 200 euros on the garden."]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("1-3|home.garden", dict.fromkeys((1, 2, 3), ("home.garden",))),
        ("- 1, 3 | Home.Garden |", dict.fromkeys((1, 3), ("home.garden",))),
        ("[2]|`home / garden`", {2: ("home.garden",)}),
        ("2|home > garden > the tall hedge", {2: ("home.garden.the-tall-hedge",)}),
        ("2|home.garden.hedge.hornbeam.roots", {2: ("home.garden.hedge",)}),
        ("1-200|work", dict.fromkeys(range(1, 201), ("work",))),
        ("2|unsorted.who knows", {2: ("unsorted",)}),
        ("1-9000000|home", {}),
        ("two|home.garden", {}),
        ("2", {}),
        ("2|", {}),
        ("2|...", {}),
        ("2|2026.01", {}),
        ("2|\u202e\x00\x07", {}),
    ],
)
def test_a_line_names_a_path_or_nothing(line: str, found: dict[int, tuple[str, ...]]) -> None:
    assert paths_by_sentence([line]) == found


def test_a_sentence_has_three_paths_at_most_and_sorted_ones_first() -> None:
    lines = ["1|unsorted", "1|a", "1|b", "1|a", "1|c", "1|d", "2|unsorted"]
    assert paths_by_sentence(lines) == {1: ("a", "b", "c"), 2: ("unsorted",)}


@given(st.text(max_size=700))
def test_whatever_is_named_is_a_path_or_none(text: str) -> None:
    path = forgiven_path(text)
    assert path is None or (checked_path(path) == path and path.count(".") < MAX_LEVELS)
    for paths in paths_by_sentence([f"1|{text}"]).values():
        assert len(paths) <= MAX_PATHS


@pytest.mark.parametrize("paths", [None, 7, "home", [["1", "home"]], {"home": [1, 2]}, {"1-2": "home"}, [{}]])
def test_paths_of_another_form_cost_no_note(paths: object) -> None:
    answer = FiledAnswer.model_validate({"units": NOTES, "empty": [], "paths": paths})
    assert answer.units == NOTES
    assert set(paths_by_sentence(answer.paths)) <= {1, 2}


def test_without_filing_a_question_is_what_it_was() -> None:
    asked: list[ModelQuestion[WindowAnswer]] = []

    def replies(questions: list[ModelQuestion[WindowAnswer]]) -> list[Reply[WindowAnswer]]:
        asked.extend(questions)
        form = questions[0].form
        said = {"units": NOTES, "paths": ["1|home.garden", "2|home.garden", "2|finance.budget"]}
        return [Reply(form.model_validate(said), "", "k")] * len(questions)

    plain, filing = (ModelEngine("anthropic some-model", replies, reach=one) for one in (REACH, FILING))
    without, found = plain.extract(build(*GARDEN)), filing.extract(build(*GARDEN))
    assert [one.form for one in asked] == [WindowAnswer, FiledAnswer]
    assert asked[0].prompt is prompt_for(REACH)
    assert asked[1].prompt.text.startswith(asked[0].prompt.text)
    assert asked[1].prompt.text.endswith(f"{FILING.filing}\n")
    assert asked[1].text == asked[0].text
    assert asked[1].expected_tokens > asked[0].expected_tokens
    assert without.paths == ()
    assert [unit.text for unit in found.units] == [unit.text for unit in without.units]
    named = {one.unit_id: one.paths for one in found.paths}
    assert [named[unit.id] for unit in found.units] == [("home.garden",), ("home.garden", "finance.budget")]
    assert {one.filer for one in found.paths} == {found.units[0].extractor}
    assert plain.version != filing.version


def test_another_taxonomy_is_no_other_work() -> None:
    versions = {
        ModelEngine("anthropic m", lambda _: [], reach=Reach(filing=listed)).version for listed in ("a", "b")
    }
    assert len(versions) == 1
