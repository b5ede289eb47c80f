"""The governing idea is found in the text, and what speaks against one idea is flagged."""

from __future__ import annotations

import pytest

from chunking import chunk_markdown


def idea(text: str, title: str | None = None) -> str | None:
    return chunk_markdown(text, title=title)[0].governing_idea


def flags(text: str) -> tuple[str, ...]:
    return chunk_markdown(text)[0].flags


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Storage\n\nWe keep notes in DuckDB. It is fast.\n", "We keep notes in DuckDB."),
        ("# Storage\n\nSome words. Notes live in\nDuckDB:\n\n- a\n- b\n", "Notes live in DuckDB:"),
        ("# Storage\n\n- a\n- b\n", "Storage"),
        ("# Storage\n\n" + "very " * 20 + "long.\n\nShort one.\n", "Storage"),
        ("# " + "very " * 20 + "long\n\n- a\n", None),
        ("# `a` *b*\n", "a b"),
        ("**What comes next**\n\nx y\n", "What comes next"),
        ("Fine.\n", None),
        ("---\na: b\n---\n", None),
        ("# A\n\n##### B\n\nWords here.\n", "A"),
    ],
)
def test_the_idea_is_the_lead_the_first_sentence_or_the_heading(text: str, expected: str | None) -> None:
    assert idea(text) == expected


def test_fifteen_words_are_enough_and_sixteen_too_many() -> None:
    assert idea("# A\n\n" + "word " * 14 + "end.") == "word " * 14 + "end."
    assert idea("# A\n\n" + "word " * 15 + "end.") == "A"


def test_more_than_four_bullets_on_a_level_are_flagged() -> None:
    assert flags("# A\n\nSome A:\n\n" + "- A is so\n" * 4) == ()
    assert flags("# A\n\nSome A:\n\n" + "- A is so\n" * 5) == ("several_concepts",)


def test_lists_under_one_heading_are_one_level() -> None:
    assert flags("# A\n\nOne:\n\n- x\n- y\n- z\n\nTwo:\n\n1. x\n2. y\n") == ("several_concepts",)


def test_nested_bullets_are_counted_under_their_own_item() -> None:
    three = "  - x\n" * 3
    assert flags("# A\n\nOne:\n\n- x\n" + three + "- y\n" + three) == ()
    assert flags("# A\n\nOne:\n\n- x\n" + three + three + "- y\n") == ("several_concepts",)


def test_bullets_that_share_no_word_are_flagged() -> None:
    apart = "- The mast snapped in the harbour\n- Dough rises while ovens heat up\n- Auditors want receipts\n"
    assert flags("# Notes\n\n" + apart) == ("several_concepts",)
    assert flags("# Notes\n\nWhat went wrong today:\n\n" + apart) == ()


def test_bullets_on_one_thing_are_not_flagged() -> None:
    assert flags("# Cache\n\n- The cache lives in Redis\n- Every cache entry expires daily\n") == ()
    assert flags("# Databases\n\n- Redis\n- DuckDB\n- Qdrant\n") == ()


def test_a_flag_moves_no_cut() -> None:
    text = "# A\n\n" + "- words of all kinds\n" * 50
    assert [chunk.text for chunk in chunk_markdown(text)] == [text]
