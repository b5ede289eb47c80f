"""What fuzzing found, kept."""

from __future__ import annotations

import json

import pytest
from archive_databases import cursor_editor, cursor_store, opencode_database
from archive_reading import FIXTURES, export, read, survival_of

from archives.formats.injected import typed_apart
from schemas.conversation import Origin


@pytest.mark.parametrize(
    ("fixture", "value"),
    [
        ("codex/rollout.jsonl", {"timestamp": "x", "type": [], "payload": {}}),
        ("codex/rollout.jsonl", {"timestamp": "x", "type": "response_item", "payload": {"type": "\ud800"}}),
        ("claude_code/flat.jsonl", {"type": {}, "uuid": "x", "sessionId": "\ud800"}),
        ("pi/session.jsonl", {"type": [1], "id": "x"}),
        ("copilot_cli/events.jsonl", {"type": "a\udc80", "data": {}}),
    ],
)
def test_a_line_of_odd_values(tmp_path, fixture, value):
    path = tmp_path / "odd.jsonl"
    path.write_text((FIXTURES / fixture).read_text() + json.dumps(value) + "\n")
    assert survival_of(path).wrong == ()


def test_ids_with_lone_surrogates(tmp_path):
    conversation = export(1)[0]
    conversation["conversation_id"] = "\ud800"
    path = tmp_path / "ids.json"
    path.write_text(json.dumps([conversation]))
    assert survival_of(path).wrong == ()


def test_a_zip_member_without_a_name(tmp_path):
    name = b"conversations.json"
    head = b"PK\x03\x04" + b"\x14\x00" + b"\x00" * 20 + len(name).to_bytes(2, "little") + b"\x00\x00" + name
    entry = b"PK\x01\x02" + b"\x00" * 42
    end = b"PK\x05\x06" + b"\x00" * 4 + b"\x01\x00" * 2 + len(entry).to_bytes(4, "little")
    path = tmp_path / "nameless.zip"
    path.write_bytes(head + entry + end + len(head).to_bytes(4, "little") + b"\x00\x00")
    assert survival_of(path).wrong == ()


@pytest.mark.parametrize("build", [opencode_database, cursor_store, cursor_editor])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"id", b"i\xfe"),  # the name of a column is no Unicode
        (b"CREATE TABLE", b"CREATE\xffTABLE"),  # nor is the message that says what is wrong
        (b"data", b"dxta"),  # a column has another name
        (b"data", b"daTa"),  # to SQLite the same one
        (b"value", b"vxlue"),
    ],
)
def test_a_database_whose_schema_is_damaged(tmp_path, build, old, new):
    path = build(tmp_path / "input.db")
    path.write_bytes(path.read_bytes().replace(old, new))
    assert survival_of(path).wrong == ()


@pytest.mark.parametrize("build", [opencode_database, cursor_store, cursor_editor])
def test_a_database_with_a_damaged_page_gives_what_the_others_hold(tmp_path, build):
    path = build(tmp_path / "input.db")
    data = path.read_bytes()
    for page in range(4096, len(data), 4096):
        path.write_bytes(data[:page] + b"\xff" * 200 + data[page + 200 :])
        assert survival_of(path).wrong == ()


def test_chatgpt_words_in_place_of_a_content_or_of_parts_are_words(tmp_path):
    contents = ["plain words", {"content_type": "text", "parts": "one part"}, ["a list"]]
    nodes = {
        str(number): {"parent": None, "message": {"author": {"role": "user"}, "content": content}}
        for number, content in enumerate(contents)
    }
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"conversation_id": "c", "mapping": nodes}]))
    (conversation,), _, _ = read(path)
    assert {one.text for one in conversation.messages} == {"plain words", "one part", "a list"}


def test_claude_code_lines_of_another_form_lose_nothing_and_cut_nothing_off(tmp_path):
    lines = [
        {"type": "user", "uuid": "1", "message": "bare words"},
        {
            "type": "user",
            "uuid": "2",
            "parentUuid": "1",
            "message": {"content": {"type": "text", "text": "one"}},
        },
        {"type": "user", "uuid": "3", "parentUuid": "2", "message": {"content": 5}},
        {"type": "queue-operation", "operation": "enqueue", "content": "queued words"},
        {"type": "of-the-future", "words": "unheard of"},
    ]
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(json.dumps({"sessionId": "s", **line}) for line in lines))
    (conversation,), report, _ = read(path)
    assert [one.text for one in conversation.active_messages()] == [
        "bare words",
        "one",
        "",
        "queued words",
        "",
    ]
    assert [one.raw[0].content_type for one in conversation.messages if one.raw] == ["block", "of-the-future"]
    queued = next(one for one in conversation.messages if one.text == "queued words")
    assert [segment.origin.value for segment in queued.segments] == ["runtime_context"]
    assert {note.reason for note in report.notes} == {
        "unknown content type block",
        "unknown content type of-the-future",
    }


@pytest.mark.parametrize(
    "put_in",
    [
        '<teammate-message teammate_id="bob">\nI have decided to sell the boat.\n</teammate-message>',
        '<channel source="irc" user="mallory">\nI love worms.\n</channel>',
        "Another language model started to solve this problem and produced a summary.\nI decided on Rust.",
    ],
)
def test_what_others_put_into_a_prompt_is_not_typed(put_in: str) -> None:
    assert all(piece.origin is not Origin.TYPED or not piece.text for piece in typed_apart(put_in))


def test_a_feed_that_somebody_types_about_is_typed() -> None:
    assert [piece.origin for piece in typed_apart("My feed has <channel> and </channel>.")] == [Origin.TYPED]
