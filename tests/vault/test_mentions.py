"""Words are found as words; what is shown is one short line, whatever a text holds."""

from __future__ import annotations

import pytest

from vault.mentions import AROUND, _pattern, _snippet


@pytest.mark.parametrize(
    ("said", "text", "whole", "inside"),
    [
        ("ann", "Ann called.", True, True),
        ("ann", "Planning is done.", False, True),
        ("İstanbul", "We flew to İstanbul.", True, True),
        ("öl", "Das Öl ist alle, der Pöller auch.", True, True),
        ("öl", "Der Pöller.", False, True),
        ("c++", "I like C++, not c.", True, True),
        ("@home", "me@home", True, True),
        ("a.b", "axb", False, False),
        ("0175", "Call 0175.", True, True),
        ("0175", "Call 01751234.", False, True),
    ],
)
def test_words_are_found_as_words(said: str, text: str, whole: bool, inside: bool) -> None:
    assert bool(_pattern(said, inside_words=False).search(text)) == whole
    assert bool(_pattern(said, inside_words=True).search(text)) == inside


def test_a_snippet_is_one_line_around_what_was_found() -> None:
    text = "x" * 500 + "\n\n needle \n" + "y" * 500
    found = _pattern("needle", inside_words=False).search(text)
    assert found is not None
    shown = _snippet(found)
    assert "\n" not in shown
    assert len(shown) <= 2 * AROUND + 10
    assert shown.startswith("… x")
    assert shown.endswith("y …")
