"""Words of a text, and what is known of each."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from inference.sparse import encode_query
from retrieval.search.word_vectors import MOST_WORDS, UNKNOWN, runs_of_letters, table, words_of


@given(st.text())
@example("don't re-read rule_7: it's B2B\x1f\x00~")
@example("Café, naïve — ça va?")
def test_ascii_is_parted_as_any_other_text(text: str) -> None:
    assert runs_of_letters(text) == re.findall(r"[^\W\d_]+", text.lower())


@given(st.lists(st.sampled_from(["garden", "gardens", "the", "zzyzxq", "Kyōto", "kernel", "42"])))
def test_rows_and_terms_are_those_of_each_word_once(said: list[str]) -> None:
    words = words_of(" ".join(said))
    once = [one for one in dict.fromkeys(word.lower() for word in said) if one not in ("the", "42")]
    assert list(words.terms) == [encode_query(one).indices[0] for one in once]
    rows = dict(zip(once, words.rows.tolist(), strict=True))
    assert all((row == UNKNOWN) == (word in ("zzyzxq", "kyōto")) for word, row in rows.items())
    assert all(row < len(table()) for row in rows.values())


def test_of_a_long_text_its_beginning_counts() -> None:
    letters = "abcdefghij"
    text = " ".join(f"{one}{two}{three}x" for one in letters for two in letters for three in letters)
    assert len(words_of(text).rows) == MOST_WORDS
