from __future__ import annotations

import pytest

from schemas.words import count_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one two  three", 3),
        ("well-known don't 3.5 €", 4),
        ("a – b", 3),
        ("漢字", 1),
        ("漢字かな", 2),
        ("五文字です", 3),
        ("これは test です", 4),
        ("これはテストです。", 4),
    ],
)
def test_words_are_whitespace_runs_and_two_unspaced_characters_are_one_word(text: str, words: int) -> None:
    assert count_words(text) == words
