from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from archives.union import union
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
