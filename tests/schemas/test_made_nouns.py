"""Nouns made without validation, and the JSON that a conversation is hashed by."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from schemas.base import unchecked
from schemas.conversation import Attachment, Conversation, Message, Origin, RawBlock, Segment

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
maybe = st.none() | words
times = st.none() | st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))
sizes = st.none() | st.integers(0, 2**70)
segments = st.builds(
    Segment, start=st.just(0), end=st.integers(0, 9), origin=st.sampled_from(Origin), label=maybe
)
files = st.builds(Attachment, name=words, media_type=maybe, size=sizes, native_id=maybe)
blocks = st.builds(RawBlock, content_type=words, json_text=words)
messages = st.builds(
    Message, id=words, native_id=words, parent=maybe, role=words, author=maybe, created_at=times,
    time_as_given=maybe, text=words, segments=st.tuples(segments), hidden=st.booleans(),
    gone=st.booleans(), attachments=st.tuples(files), raw=st.tuples(blocks),
)  # fmt: skip
conversations = st.builds(
    Conversation, id=words, account=words, provider=words, native_id=words, title=maybe, created_at=times,
    updated_at=times, messages=st.tuples(messages), active_leaf=maybe, active_leaf_stated=st.booleans(),
    owner=maybe, model=maybe, project=maybe,
)  # fmt: skip


@given(conversations)
def test_the_content_hash_is_of_pydantics_own_json(conversation: Conversation) -> None:
    said = conversation.messages[0].text_hash, conversation.active_ids
    assert all(said), "what is cached beside the fields is no part of it"
    whole = hashlib.sha256(conversation.model_dump_json().encode()).hexdigest()
    assert conversation.content_hash == whole


def _fields(noun: Any) -> dict[str, Any]:
    return {name: getattr(noun, name) for name in type(noun).model_fields}


@given(messages)
def test_a_noun_that_was_made_unchecked_is_the_same(message: Message) -> None:
    made = unchecked(Message)(_fields(message))
    assert made == message
    assert made.model_dump_json() == message.model_dump_json()
    assert made.text_hash == message.text_hash


def test_a_copy_of_an_unchecked_noun_leaves_others_alone() -> None:
    make = unchecked(RawBlock)
    one, other = (make({"content_type": kind, "json_text": "{}"}) for kind in ("a", "b"))
    assert one.model_copy(update={"content_type": "c"}).content_type == "c"
    assert (one.content_type, other.content_type) == ("a", "b")
    with pytest.raises(ValidationError):
        one.content_type = "d"  # type: ignore[misc]  # it is frozen as any other
