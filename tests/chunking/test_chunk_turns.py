"""A question and its answer are chunks of their own that know each other."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from chunking import chunk_message, link_turns

LONG = "# First\n\nwords\n\n# Second\n\nwords\n"


def test_question_and_answer_know_each_other() -> None:
    cut = {name: chunk_message(text, name) for name, text in (("q", "Which paint?"), ("a", LONG))}
    question, first, second = link_turns(cut, {"q": None, "a": "q"})
    assert (question.replies_to, question.replies) == (None, (first.id,))
    assert (first.replies_to, first.replies) == (question.id, ())
    assert (second.replies_to, second.replies) == (None, ())


def test_the_end_of_a_long_question_is_what_is_answered() -> None:
    cut = {name: chunk_message(text, name) for name, text in (("q", LONG), ("a", "Yes."), ("b", "No."))}
    first, second, yes, no = link_turns(cut, {"q": None, "a": "q", "b": "q"})
    assert (first.replies, second.replies) == ((), (yes.id, no.id))
    assert yes.replies_to == no.replies_to == second.id


def test_what_has_no_chunks_is_passed_through() -> None:
    cut = {name: chunk_message(text, name) for name, text in (("q", "Run it."), ("tool", ""), ("a", "Done."))}
    question, answer = link_turns(cut, {"q": "gone", "tool": "q", "hidden": "tool", "a": "hidden"})
    assert answer.replies_to == question.id


@example({"a": "a", "b": "c", "c": "b"})
@given(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("abcdefx"), max_size=6))
def test_links_are_mutual_and_end_whatever_the_parents_are(parents: dict[str, str]) -> None:
    cut = {name: chunk_message(f"Said by {name}." if name != "c" else "", name) for name in "abcdef"}
    by_id = {chunk.id: chunk for chunk in link_turns(cut, parents)}
    for chunk in by_id.values():
        assert chunk.replies_to is None or chunk.id in by_id[chunk.replies_to].replies
        assert all(by_id[reply].replies_to == chunk.id for reply in chunk.replies)
        assert chunk.replies_to != chunk.id
