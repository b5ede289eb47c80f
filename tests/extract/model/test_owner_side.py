"""A model that reads the owner's side alone: the assistant's sentences are shown along and read offline."""

from __future__ import annotations

from dataclasses import replace

from extract_talks import build
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.model.model_engine import ModelEngine
from extract.model.notes.note_windows import (
    ANSWERED_TOKENS,
    WindowAnswer,
    is_read,
    unit_windows,
    window_question,
    windows_again,
)
from extract.model.notes.numbering import numbered_sheet
from inference.language_model import REACH, ModelQuestion, Reply
from inference.prices import estimate_tokens
from schemas.unit import Speaker

OWNER = replace(REACH, owner_only=True)

GARDEN = (
    ("user", "The garden is 40 square metres. I can only spend 200 euros on it."),
    ("assistant", "Option A is a lined pond. Option B is a tub pond, which freezes in winter."),
    ("user", "OK let's go with B. Thanks!"),
)


def test_an_answered_question_stands_among_the_owners_words() -> None:
    (window,) = unit_windows(numbered_sheet(build(*GARDEN)), OWNER)
    assert [one.number for one in window.own] == [1, 2, 5, 6]
    assert [one.number for one in window.along] == [3, 4]
    text = window_question(window, OWNER).text
    order = [
        text.index(part) for part in ("1 The garden", "<before>", "3 Option A", "5 OK let's", "Sentences 1")
    ]
    assert order == sorted(order)
    assert text.endswith("Sentences 1, 2, 5, 6.")
    assert text.count("<conversation>") == 2


def test_what_is_asked_again_keeps_the_order_of_the_talk() -> None:
    (window,) = unit_windows(numbered_sheet(build(*GARDEN)), OWNER)
    again = windows_again(window, window.own[2:])
    assert [[one.number for one in lone.along] for lone in again] == [[1, 2, 3, 4]]


def test_a_model_reads_the_owner_and_the_offline_engine_the_rest() -> None:
    asked: list[ModelQuestion[WindowAnswer]] = []

    def replies(questions: list[ModelQuestion[WindowAnswer]]) -> list[Reply[WindowAnswer]]:
        asked.extend(questions)
        lines = ["1|F||The garden is 40 square metres.", "5<4|D||The user decided on option B, the tub pond."]
        return [Reply(WindowAnswer(units=[*lines, "4|F||A tub pond freezes."], empty=[2, 6]), "", "k")] * len(
            questions
        )

    engine = ModelEngine("anthropic some-model", replies, reach=OWNER)
    found = engine.extract(build(*GARDEN))
    by_model = [unit for unit in found.units if unit.extractor.startswith("anthropic")]
    assert [unit.text for unit in by_model] == [
        "The garden is 40 square metres.",
        "The user decided on option B, the tub pond.",
    ]
    offline = {unit.speaker for unit in found.units} - {unit.speaker for unit in by_model}
    assert offline == {Speaker.ASSISTANT}
    assert len(asked) == 1
    assert " of the owner's side" in engine.version
    assert "of the owner's side" not in ModelEngine("anthropic some-model", replies).version


TURNS = st.lists(
    st.tuples(st.sampled_from(["user", "assistant"]), st.text("ab. \n", max_size=1500)), max_size=8
)


@settings(max_examples=60, deadline=None)
@given(TURNS, st.sampled_from([120, 600, 5_000]))
def test_every_sentence_of_the_owners_side_is_asked_about_once(
    turns: list[tuple[str, str]], detail: int
) -> None:
    sheet = numbered_sheet(build(*turns))
    reach = replace(OWNER, detail=detail)
    windows = unit_windows(sheet, reach)
    assert [one.number for window in windows for one in window.own] == [
        one.number for one in sheet.sentences if is_read(one, reach)
    ]
    for window in windows:
        assert not {one.number for one in window.own} & {one.number for one in window.along}
        shown = [one for one in window.along if one.speaker is Speaker.ASSISTANT]
        turns_of_owner = len({one.message.id for one in window.own})
        assert sum(estimate_tokens(one.shown) + 3 for one in shown) <= ANSWERED_TOKENS * turns_of_owner
        assert window_question(window, reach).text.count("</conversation>") >= 1
