"""What fuzzing found, kept."""

from __future__ import annotations

import json

import pytest
from archive_databases import cursor_editor, cursor_store, opencode_database
from archive_reading import FIXTURES, export, survives


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
    survives(path)


def test_ids_with_lone_surrogates(tmp_path):
    conversation = export(1)[0]
    conversation["conversation_id"] = "\ud800"
    path = tmp_path / "ids.json"
    path.write_text(json.dumps([conversation]))
    survives(path)


def test_a_zip_member_without_a_name(tmp_path):
    name = b"conversations.json"
    head = b"PK\x03\x04" + b"\x14\x00" + b"\x00" * 20 + len(name).to_bytes(2, "little") + b"\x00\x00" + name
    entry = b"PK\x01\x02" + b"\x00" * 42
    end = b"PK\x05\x06" + b"\x00" * 4 + b"\x01\x00" * 2 + len(entry).to_bytes(4, "little")
    path = tmp_path / "nameless.zip"
    path.write_bytes(head + entry + end + len(head).to_bytes(4, "little") + b"\x00\x00")
    survives(path)


@pytest.mark.parametrize("build", [opencode_database, cursor_store, cursor_editor])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"id", b"i\xfe"),  # the name of a column is no Unicode
        (b"CREATE TABLE", b"CREATE\xffTABLE"),  # nor is the message that says what is wrong
        (b"data", b"dxta"),  # a column has another name
        (b"value", b"vxlue"),
    ],
)
def test_a_database_whose_schema_is_damaged(tmp_path, build, old, new):
    path = build(tmp_path / "input.db")
    path.write_bytes(path.read_bytes().replace(old, new))
    survives(path)


@pytest.mark.parametrize("build", [opencode_database, cursor_store, cursor_editor])
def test_a_database_with_a_damaged_page_gives_what_the_others_hold(tmp_path, build):
    path = build(tmp_path / "input.db")
    data = path.read_bytes()
    for page in range(4096, len(data), 4096):
        path.write_bytes(data[:page] + b"\xff" * 200 + data[page + 200 :])
        survives(path)
