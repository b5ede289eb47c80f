"""Languages, sentences and words that carry content."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.closed_classes import hedges, negates
from chunking.language import content_stems, language_of, sentences, stem, words_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("hosting eight people on saturday, what do i cook", "en"),
        ("ich hab keine Lust mehr, das Ding fliegt raus", "de"),
        ("on part samedi, j'ai vraiment pas envie de conduire", "fr"),
        ("vale, pues el martes no puedo ir contigo", "es"),
    ],
)
def test_a_language_is_told_by_its_words(text: str, code: str) -> None:
    assert language_of(text) == code


def test_a_text_too_short_to_tell_has_the_language_of_what_stands_around() -> None:
    assert (language_of("ok"), language_of("ok", "de"), language_of("")) == ("en", "de", "en")


def test_sentences_end_at_stops_and_lines_and_not_after_abbreviations() -> None:
    text = "I saw Dr. Roe at 5 p.m. on Monday. ok? yes!\nSecond line\n\n- an item. And more"
    assert [text[slice(*one)] for one in sentences(text)] == [
        "I saw Dr. Roe at 5 p.m. on Monday.", "ok?", "yes!", "Second line", "- an item.", "And more",
    ]  # fmt: skip


@given(st.text(max_size=300))
def test_sentences_are_in_order_disjoint_and_lose_only_blanks(text: str) -> None:
    found = list(sentences(text))
    assert all(start < end for start, end in found)
    assert all(before[1] <= after[0] for before, after in pairwise(found))
    kept = "".join(text[start:end] for start, end in found)
    assert "".join(kept.split()) == "".join(text.split())


def test_stems_are_those_of_content_words() -> None:
    assert content_stems("The runner was running with her shoes") == {"runner", "run", "shoe"}
    assert words_of("日本語 don’t 1,200") == ["日本", "本語", "don't", "1,200"]


@pytest.mark.parametrize(
    ("text", "denies", "doubts"),
    [
        ("no deadline", True, False),
        ("I don't want it", True, False),
        ("not sure about the wine", False, True),
        ("maybe 4 hours", False, False),
        ("vielleicht nehmen wir den Zug", False, True),
        ("es geht nicht", True, False),
    ],
)
def test_denials_and_doubts_are_told_by_closed_classes(text: str, denies: bool, doubts: bool) -> None:
    assert (negates(text), hedges(text)) == (denies, doubts)


def test_threads_do_not_share_a_word_in_the_stemmer() -> None:
    words = [
        f"{start}{end}" for start in "bcdfglmnprst" for end in ("ationally", "iveness", "ingly", "ables")
    ]
    wanted = [stem(word) for word in words] * 40
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(stem.__wrapped__, words * 40)) == wanted
    finally:
        sys.setswitchinterval(switching)
