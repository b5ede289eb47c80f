from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from archives.union import beside, union
from schemas.conversation import Conversation, Message, Origin, Segment

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def message(number: int, text: str) -> Message:
    return Message(
        id=f"m{number}",
        native_id=f"m{number}",
        parent=f"m{number - 1}" if number else None,
        role="user",
        created_at=BEGAN + timedelta(minutes=number),
        text=text,
        segments=(Segment(start=0, end=len(text), origin=Origin.TYPED),),
    )


def export(version: int, texts: dict[int, str]) -> Conversation:
    """The conversation as an export of day `version` has it."""
    messages = tuple(message(number, text) for number, text in sorted(texts.items()))
    return Conversation(
        id="c",
        account="ada",
        provider="chatgpt",
        native_id="c",
        title=f"title {version}",
        created_at=BEGAN,
        updated_at=BEGAN + timedelta(days=version),
        messages=messages,
        active_leaf=messages[-1].id if messages else None,
        active_leaf_stated=True,
    )


def test_the_newer_form_wins_and_what_it_lacks_is_kept_as_gone() -> None:
    older, newer = export(1, {0: "a", 1: "b", 2: "c"}), export(2, {0: "a", 1: "edited"})
    for merged in (union(older, newer), union(newer, older)):
        assert [(one.text, one.gone) for one in merged.messages] == [
            ("a", False),
            ("edited", False),
            ("c", True),
        ]
        assert merged.title == "title 2"
        assert merged.active_leaf == "m1"


def test_with_the_same_export_nothing_changes() -> None:
    once = export(1, {0: "a", 1: "b"})
    assert union(once, once) == once


def test_the_incoming_form_wins_where_neither_is_dated() -> None:
    known, incoming = (export(1, {0: text}).model_copy(update={"updated_at": None}) for text in "ab")
    assert union(known, incoming).messages[0].text == "b"


@given(
    st.lists(st.dictionaries(st.integers(0, 6), st.sampled_from("abc"), min_size=1), min_size=2, max_size=4)
)
def test_the_order_of_imports_does_not_show(exports: list[dict[int, str]]) -> None:
    versions = [export(version, texts) for version, texts in enumerate(exports)]
    results = []
    for order in permutations(versions):
        merged = order[0]
        for one in order[1:]:
            merged = union(merged, one)
        results.append(merged)
        assert {one.id for one in merged.messages} == {one.id for made in versions for one in made.messages}
    shapes = {tuple((one.id, one.gone) for one in merged.messages) for merged in results}
    assert len(shapes) == 1


def test_an_older_export_without_a_time_of_update_does_not_make_newer_messages_gone() -> None:
    older, newer = (
        export(1, texts).model_copy(update={"updated_at": None}) for texts in ({0: "a"}, {0: "a", 1: "b"})
    )
    for merged in (union(older, newer), union(newer, older)):
        assert [(one.text, one.gone) for one in merged.messages] == [("a", False), ("b", False)]


def test_of_two_forms_of_one_time_neither_loses_a_word() -> None:
    one, other = export(1, {0: "a", 1: "b"}), export(1, {0: "a", 1: "else", 2: "c"})
    both = beside(one, other)
    assert both == beside(other, one)
    assert [(message.text, message.gone) for message in both.messages] == [
        ("a", False),
        ("else", False),
        ("c", False),
        ("b", False),
    ]
    assert len({message.id for message in both.messages}) == 4
    assert both.active_leaf == "m2"


@given(*[st.dictionaries(st.integers(0, 6), st.sampled_from("abc"), min_size=1)] * 2)
def test_two_forms_of_one_time_come_to_the_same_again(ours: dict[int, str], theirs: dict[int, str]) -> None:
    one, other = export(1, ours), export(1, theirs)
    both = beside(one, other)
    assert both == beside(other, one)
    assert sorted({*ours.items(), *theirs.items()}) == sorted(
        (int(message.native_id[1:].split("~")[0]), message.text) for message in both.messages
    )
    # the same archive read again: its first form is taken for the newer one until the second comes
    again = beside(union(both, one), other)
    assert {(message.id, message.text, message.gone) for message in again.messages} == {
        (message.id, message.text, message.gone) for message in both.messages
    }
