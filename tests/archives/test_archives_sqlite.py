"""Formats that are databases: built here, since a binary fixture tells a reader nothing."""

from __future__ import annotations

import json
import sqlite3

import pytest
from archive_reading import read

from schemas.errors import DamagedArchive, UnrecognisedArchive
from schemas.report import NoteKind


@pytest.fixture
def state(tmp_path):
    path = tmp_path / "state.vscdb"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
    composer = {
        "name": "Sails",
        "createdAt": 1767607200000,
        "fullConversationHeadersOnly": [
            {"bubbleId": "b1", "type": 1},
            {"bubbleId": "b2", "type": 2},
            {"bubbleId": "gone", "type": 2},
        ],
    }
    tool = {"name": "run", "rawArgs": '{"a": 1}', "result": "done"}
    rows = {
        "composerData:c1": composer,
        "bubbleId:c1:b1": {"type": 1, "text": "Cut the sail."},
        "bubbleId:c1:b2": {"type": 2, "text": "Cut.", "thinking": {"text": "Where?"}, "toolFormerData": tool},
        "composerData:c2": "no object",
    }
    connection.executemany(
        "INSERT INTO cursorDiskKV VALUES (?, ?)", [(key, json.dumps(value)) for key, value in rows.items()]
    )
    connection.commit()
    connection.close()
    return path


def test_the_editors_database(state):
    conversations, report, rejected = read(state)
    assert [c.title for c in conversations] == ["Sails"]
    words = [
        (s.origin, m.text[s.start : s.end].strip()) for m in conversations[0].messages for s in m.segments
    ]
    assert words == [
        ("typed", "Cut the sail."),
        ("reasoning", "Where?"),
        ("assistant", "Cut."),
        ("tool_call", '{"a": 1}'),
        ("tool_result", "done"),
    ]
    assert [note.reason for note in report.notes if note.kind is NoteKind.HOLE] == [
        "a bubble that its composer names is missing"
    ]
    assert len(rejected) == 1


def test_a_locked_database_is_read_from_a_copy(state):
    holder = sqlite3.connect(state, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert len(read(state)[0]) == 1
    holder.close()


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.8])
def test_a_cut_database_is_reported(state, keep):
    data = state.read_bytes()
    state.write_bytes(data[: int(len(data) * keep)])
    try:
        report = read(state)[1]
    except (DamagedArchive, UnrecognisedArchive):
        return
    assert not report.complete


def test_another_database_is_no_archive(tmp_path):
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE birds (name TEXT)")
    connection.close()
    with pytest.raises(UnrecognisedArchive):
        read(path)
