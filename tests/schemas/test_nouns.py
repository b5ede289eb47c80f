from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import schemas
from schemas import ids
from schemas.base import Noun, sha256_text
from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.errors import DamagedArchive, MnemicError, UsageError


def message(name: str, parent: str | None) -> Message:
    text = f"text of {name}"
    return Message(
        id=name,
        native_id=name,
        parent=parent,
        role="user",
        text=text,
        segments=(Segment(start=0, end=len(text), origin=Origin.TYPED),),
    )


def conversation(*messages: Message, active_leaf: str | None) -> Conversation:
    return Conversation(
        id="c",
        account="ada",
        provider="chatgpt",
        native_id="c",
        title=None,
        created_at=None,
        updated_at=None,
        messages=messages,
        active_leaf=active_leaf,
        active_leaf_stated=True,
    )


def test_the_active_branch_is_the_path_to_its_leaf() -> None:
    tree = conversation(
        message("a", None), message("b", "a"), message("b2", "a"), message("c", "b2"), active_leaf="c"
    )
    assert [one.id for one in tree.active_messages()] == ["a", "b2", "c"]


def test_a_cycle_among_parents_ends() -> None:
    tree = conversation(message("a", "b"), message("b", "a"), active_leaf="b")
    assert tree.active_ids == {"a", "b"}


def test_without_a_known_leaf_every_message_is_active() -> None:
    tree = conversation(message("a", None), message("b", "a"), active_leaf=None)
    assert tree.active_ids == {"a", "b"}


def test_a_copy_carries_over_nothing_that_was_computed() -> None:
    original = message("a", None)
    assert original.text_hash == sha256_text("text of a")
    assert original.model_copy(update={"text": "other"}).text_hash == sha256_text("other")


def test_a_naive_time_is_refused_and_any_zone_becomes_utc() -> None:
    with pytest.raises(ValidationError, match="a guess"):
        message("a", None).model_validate(
            {**message("a", None).model_dump(), "created_at": datetime(2026, 1, 1)}
        )
    abroad = datetime(2026, 1, 1, 9, tzinfo=timezone(timedelta(hours=9)))
    read = Message.model_validate({**message("a", None).model_dump(), "created_at": abroad})
    assert read.created_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert read.created_at is not None
    assert read.created_at.tzinfo is UTC


def test_ids_are_stable_across_machines_and_versions() -> None:
    """These values are in people's vaults: a change here orphans what they kept."""
    assert ids.conversation_id("ada", "chatgpt", "1") == "529e79ba-2cfd-59a5-bfa9-5e048278a28f"
    assert ids.unit_id("m", 0, 4, "text") == ids.unit_id("m", 0, 4, "text")
    assert ids.unit_id("m", 0, 4, "text") != ids.unit_id("m", 0, 5, "text")
    assert ids.point_id("unit", "x") != ids.point_id("chunk", "x")


def test_an_error_says_what_where_why_and_what_to_do() -> None:
    error = DamagedArchive("breaks off", where="a.zip, byte 12", why="no end", remedy="Export it again")
    assert str(error) == "a.zip, byte 12: breaks off (no end). Export it again"
    assert isinstance(error, MnemicError)
    assert not isinstance(error, UsageError)


@given(parts=st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=3, max_size=3))
def test_an_id_is_the_uuid5_of_its_parts(parts: list[str]) -> None:
    name = "\n".join(["conversation", *parts])
    assert ids.conversation_id(*parts) == str(uuid5(ids.NAMESPACE, name))


def test_the_content_hash_is_that_of_the_record_as_json() -> None:
    whole = conversation(message("naïve 東京", None), active_leaf=None)
    assert whole.content_hash == sha256_text(whole.model_dump_json())


def nouns_of(noun: type[Noun]) -> Iterator[type[Noun]]:
    for one in noun.__subclasses__():
        yield one
        yield from nouns_of(one)


def test_every_noun_of_every_module_is_frozen_and_knows_its_fields() -> None:
    for module in pkgutil.iter_modules(schemas.__path__, "schemas."):
        importlib.import_module(module.name)
    found = [one for one in nouns_of(Noun) if one.__module__.startswith("schemas.")]
    assert len(found) > 25
    for noun in found:
        assert noun.model_config["frozen"] is True, noun
        assert noun.model_config["extra"] == Noun.model_config["extra"], noun
