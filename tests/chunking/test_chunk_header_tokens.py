"""The contextual header, the token estimate, plain words and sentence ends."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from chunking import chunk_markdown, contextual_header, embedding_text, estimate_tokens, token_counts
from chunking.sentences import sentences
from chunking.words import count_words

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def split(text: str) -> list[str]:
    spans = sentences(text)
    assert "".join(text[start:end] for start, end in spans) == text
    return [text[start:end].strip() for start, end in spans]


def test_a_header_names_place_speaker_and_day() -> None:
    chunk = chunk_markdown("# A\n\n## B\n\nx")[1]
    header = contextual_header(chunk, title="Plan\n ", said_at=NOON, speaker="Ann", about="A trip.")
    assert header == "Plan › A › B\nAnn, 2026-03-01\nA trip."
    assert embedding_text(header, "x") == header + "\n\nx"


def test_what_is_unknown_is_left_out() -> None:
    chunk = chunk_markdown("x")[0]
    assert contextual_header(chunk, title=None, said_at=None, speaker=None) == ""
    assert embedding_text("", "x") == "x"


def test_a_title_is_not_said_twice() -> None:
    chunk = chunk_markdown("# A\n\nx")[0]
    assert contextual_header(chunk, title="A", said_at=None, speaker="user") == "A\nuser"


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        (" ", 1, 1),
        ("The quick brown fox jumps over the lazy dog.", 9, 13),
        ("for (i = 0; i < 10; i++) {}", 12, 24),
        ("Мы решили перенести встречу на пятницу.", 14, 30),
        ("会議は金曜日に移動しました。", 12, 20),
    ],
)
def test_the_estimate_follows_the_script(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


def test_counts_come_from_the_callers_function() -> None:
    chunks = chunk_markdown("# A\n\nb c\n\n# D\n")
    assert token_counts(chunks, lambda text: len(text.split())) == [4, 2]
    assert token_counts(chunks) == [estimate_tokens(chunk.text) for chunk in chunks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use e.g. Redis for it. Then stop it now.", ["Use e.g. Redis for it.", "Then stop it now."]),
        (
            "Dr. Who met J. Smith at 5 p.m. Then they left.",
            ["Dr. Who met J. Smith at 5 p.m. Then they left."],
        ),
        ("It was 2019. Then it was 2.5 times more!", ["It was 2019.", "Then it was 2.5 times more!"]),
        ("Really?! Yes. (No.) Maybe…", ["Really?!", "Yes.", "(No.)", "Maybe…"]),
        ("See `a. B` and [c. D](u). Then go.", ["See `a. B` and [c. D](u).", "Then go."]),
        ("行きます。そうです！はい", ["行きます。", "そうです！", "はい"]),
        ("No. See fig. 2 of No. 5.", ["No.", "See fig. 2 of No. 5."]),
        ("Version 1.2.3 of node.js is out", ["Version 1.2.3 of node.js is out"]),
        ("1. One item", ["1. One item"]),
        ("", []),
    ],
)
def test_sentences_end_where_they_end(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_marks_without_end_are_read_in_linear_time() -> None:
    for text in ("." * 300_000 + "x", ("." + "'" * 50) * 10_000, "[" * 300_000, "`" * 3 + "`` ` " * 100_000):
        assert "".join(text[start:end] for start, end in sentences(text)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("two words", 2),
        ("it's well-known — yes", 3),
        ("", 0),
        ("a_b c", 2),
        ("会議は金曜日", 3),
        ("ok 会議", 2),
    ],
)
def test_words_are_counted_in_every_script(text: str, words: int) -> None:
    assert count_words(text) == words
