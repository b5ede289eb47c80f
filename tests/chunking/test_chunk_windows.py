"""Windows of what the embedder cannot take in at once, and the tree as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_texts import markdown

from chunking import chunk_markdown, embedding_windows, tree_lines


def words(text: str) -> int:
    return len(text.split())


def spans(text: str, limit: int) -> list[str]:
    windows = embedding_windows(text, words, limit)
    assert [window.start for window in windows] == [0, *(window.end for window in windows[:-1])]
    assert windows[-1].end == len(text)
    assert all(words(window.text) <= limit for window in windows)
    assert all(window.text.endswith(text[window.start : window.end]) for window in windows)
    return [window.text for window in windows]


def test_what_fits_is_one_window() -> None:
    assert spans("# A\n\nb c\n", 4) == ["# A\n\nb c\n"]
    assert embedding_windows("", words, 4) == []


def test_windows_end_after_blocks() -> None:
    assert spans("# A\n\nb c d\n\ne f\n\ng\n", 5) == ["# A\n\nb c d\n\n", "e f\n\ng\n"]


def test_a_large_paragraph_splits_between_sentences() -> None:
    assert spans("One two e.g. three. Four five. Six seven.", 4) == [
        "One two e.g. three. ",
        "Four five. Six seven.",
    ]


def test_a_large_sentence_splits_between_words() -> None:
    assert spans("a b c d e f", 4) == ["a b ", "c d e f"]
    assert {part.strip(" word") for part in spans("word " * 100, 7)} == {""}


def test_a_table_repeats_its_header() -> None:
    table = "| a | b |\n|---|---|\n" + "".join(f"| {n} | x |\n" for n in range(4))
    header = "| a | b |\n|---|---|\n"
    rows = [f"| {n} | x |\n" for n in range(4)]
    parts = spans("text\n\n" + table + "\ntail\n", 16)
    assert parts == ["text\n\n", header + rows[0] + rows[1], header + rows[2] + rows[3] + "\n", "tail\n"]


def test_a_row_larger_than_a_window_is_still_embedded() -> None:
    table = "| a |\n|---|\n| " + "word " * 40 + "|\n| b |\n"
    assert "".join(part.split("|---|\n")[-1] for part in spans(table, 12)).count("word") == 40


def test_items_split_before_sentences() -> None:
    text = "- a b\n- c d\n  - e f\n  - g h\n- i j\n"
    assert spans(text, 6) == ["- a b\n", "- c d\n  - e f\n", "  - g h\n", "- i j\n"]


def test_code_splits_between_lines() -> None:
    assert spans("```\na b c\nd e\n\nf g\n```\n", 4) == ["```\na b c\n", "d e\n\nf g\n", "```\n"]


def test_a_word_larger_than_a_window_is_cut_as_a_last_resort() -> None:
    windows = embedding_windows("x" * 1000, len, 100)
    assert max(len(window.text) for window in windows) <= 100
    assert embedding_windows("ab", lambda text: 9, 1)[-1].end == 2


def test_a_window_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="holds nothing"):
        embedding_windows("a", words, 0)


@settings(max_examples=300, deadline=None)
@given(markdown(), st.integers(1, 30))
def test_windows_cover_any_text_within_the_limit(text: str, limit: int) -> None:
    if text:
        assert all(words(window) <= limit for window in spans(text, limit))


def test_the_tree_shows_sizes_flags_and_ideas() -> None:
    text = "---\na: b\n---\n\nLead words.\n\n# A\n\n## B\x1b[31m\n\nPick one:\n\n" + "- x\n" * 5 + "##\n"
    lines = tree_lines(chunk_markdown(text), words)
    assert lines == [
        "(front matter) · 14 characters, 4 tokens",
        "(no heading) · 13 characters, 2 tokens",
        "  “Lead words.”",
        "# A · 5 characters, 2 tokens · heading_only",
        "  ## B�[31m · 42 characters, 14 tokens · several_concepts",
        "    “Pick one:”",
        "  ## (no words) · 3 characters, 1 tokens · heading_only",
    ]
