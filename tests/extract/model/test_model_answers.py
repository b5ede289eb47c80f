"""Lines and anchors of a model's answer: read forgivingly, and in one way only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.model.notes.claims import ModelClaim, read_claim
from extract.model.notes.note_windows import WindowAnswer
from extract.model.notes.quotes import anchored_span
from schemas.unit import Category


@given(st.text(max_size=200), st.text(max_size=40))
def test_an_anchor_never_points_outside_its_sentence(text: str, anchor: str) -> None:
    span = anchored_span(text, len(text) // 3, len(text), anchor)
    assert span is None or len(text) // 3 <= span[0] <= span[1] <= len(text)


@given(st.text(max_size=200))
def test_any_line_is_a_claim_or_none(line: str) -> None:
    claim = read_claim(line)
    assert claim is None or (claim.cited and claim.text)


READ = ModelClaim((3, 4), (1,), Category.FACT, "the tub", "A tub is cheap.")


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("3,4<1|F|the tub|A tub is cheap.", READ),
        ("3-4 < 1 | f | the tub | A tub is cheap. |", READ),
        ("- 3–4<1|Fact|the tub|A tub is cheap.", READ),
        ("* [3, 4]<[1]|**F**|the tub|A tub is cheap.|", READ),
        ("1. 3,4<1|fact|the tub|A tub is cheap.", READ),
        ("| 3,4<1 | F | the tub | A tub is cheap. |", READ),
        ("3|open question|Which tub?", ModelClaim((3,), (), Category.OPEN_QUESTION, "", "Which tub?")),
        ("3|Question||Which tub?", ModelClaim((3,), (), Category.OPEN_QUESTION, "", "Which tub?")),
        ("3|action|Ask Jo.", ModelClaim((3,), (), Category.ACTION_ITEM, "", "Ask Jo.")),
        ("3|F|the tub … cheap", ModelClaim((3,), (), Category.FACT, "the tub … cheap", "=")),
        ("3|F||Run `a | b`.", ModelClaim((3,), (), Category.FACT, "", "Run `a | b`.")),
        ("3|F|", None),
        ("3|X||A tub.", None),
        ("F||A tub.", None),
        ("3|F", None),
        ("A tub is cheap.", None),
        ("1-900|F||A tub.", None),
    ],
)
def test_a_line_is_read_as_forgivingly_as_it_can_be(line: str, claim: ModelClaim | None) -> None:
    assert read_claim(line) == claim


def test_lines_in_other_wrappings_are_lines() -> None:
    answer = WindowAnswer.model_validate_json(
        '{"units": [["1", "F", "", "A tub."], {"cited": [1, 2], "kind": "F", "anchor": "", "note": "B."}],'
        ' "empty": ["3-5", 7]}'
    )
    assert answer.units == ["1|F||A tub.", "1,2|F||B."]
    assert answer.empty == [3, 4, 5, 7]
    assert WindowAnswer.model_validate_json('{"units": []}').empty == []


def test_an_anchor_names_the_shortest_span() -> None:
    text = "We could plant it later in May, or we could sow it in May."
    assert text[slice(*anchored_span(text, 0, len(text), "we could … May") or (0, 0))] == (
        "we could sow it in May."
    )


def test_anchors_do_not_mind_marks_and_quotes() -> None:
    text = "We **could** plant it in May, I think — it's dry."
    assert text[slice(*anchored_span(text, 0, len(text), "could plant … in May") or (0, 0))].startswith(
        "could"
    )
    assert anchored_span(text, 0, len(text), "it’s dry") == (40, len(text))
    assert anchored_span("明日は雨が降ると思う。", 0, 11, "雨が … 思う") == (3, 10)
