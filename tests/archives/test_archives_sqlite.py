"""Formats that are databases."""

from __future__ import annotations

import sqlite3

import pytest
from archive_databases import cursor_editor, cursor_store, opencode_database
from archive_reading import read

from schemas.errors import DamagedArchive, UnrecognisedArchive
from schemas.report import NoteKind


@pytest.fixture
def state(tmp_path):
    return cursor_editor(tmp_path / "state.vscdb")


def spoken(conversation):
    return [(s.origin, m.text[s.start : s.end].strip()) for m in conversation.messages for s in m.segments]


def test_the_editors_database(state):
    conversations, report, rejected = read(state)
    assert [c.title for c in conversations] == ["Sails"]
    assert spoken(conversations[0]) == [
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


@pytest.mark.parametrize("build", [cursor_editor, cursor_store, opencode_database])
@pytest.mark.parametrize("keep", [0.2, 0.5, 0.8])
def test_a_cut_database_is_reported(tmp_path, build, keep):
    path = build(tmp_path / "cut.db")
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    try:
        report = read(path)[1]
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


def test_opencodes_database(tmp_path):
    conversations, report, rejected = read(opencode_database(tmp_path / "opencode.db"))
    assert [(c.native_id, c.title, c.project) for c in conversations] == [
        ("ses_1", "Sails", "/work/boat"),
        ("ses_2", "Empty", "/work/boat"),
        ("ses_9", None, None),
    ]
    assert spoken(conversations[0]) == [
        ("typed", "Cut the sail."),
        ("runtime_context", "Called the Read tool"),
        ("reasoning", "Where?"),
        ("tool_call", '{"path": "sail.md"}'),
        ("tool_result", "9 m2"),
        ("assistant", "Cut."),
    ]
    assert spoken(conversations[2]) == [("typed", "Mend the jib.")]
    assert {note.reason for note in report.notes} == {
        "unknown content type hologram",
        "a message that is no JSON object",
        "a session that its messages name is missing",
        "a part whose message is missing",
    }
    assert [record.where for record in rejected] == ["opencode.db, message msg_4"]


def test_opencode_from_its_log(tmp_path):
    """A live database keeps its newest rows beside it."""
    path = opencode_database(tmp_path / "opencode.db")
    holder = sqlite3.connect(path)
    holder.execute("PRAGMA journal_mode = WAL")
    holder.execute("PRAGMA wal_autocheckpoint = 0")
    part = '{"type": "text", "text": "And the jib."}'
    holder.execute("INSERT INTO part VALUES ('prt_9', 'msg_1', 'ses_1', NULL, NULL, ?)", (part,))
    holder.commit()
    conversations, _, _ = read(tmp_path)
    holder.close()
    assert ("typed", "Cut the sail.") in spoken(conversations[0])
    assert ("typed", "And the jib.") in spoken(conversations[0])


def test_the_clis_store(tmp_path):
    (conversation,), report, rejected = read(cursor_store(tmp_path / "store.db"))
    assert (conversation.native_id, conversation.title) == ("agent-7", "Sails")
    assert spoken(conversation) == [
        ("runtime_context", "You are a coding agent."),
        ("runtime_context", "<user_info>\nOS: linux\n</user_info>"),
        ("typed", "Cut the sail."),
        ("reasoning", "Where?"),
        ("tool_call", '{"path": "sail.md"}'),
        ("tool_result", "9 m2"),
        ("assistant", "Cut."),
    ]
    assert [note.reason for note in report.notes] == ["a blob whose form is not known"]
    assert not rejected


def test_a_text_that_is_no_unicode_costs_only_itself(tmp_path):
    path = opencode_database(tmp_path / "opencode.db")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE session SET title = CAST(x'53ff' AS TEXT) WHERE id = 'ses_1'")
    conversations, _, _ = read(path)
    assert conversations[0].title == "S\ufffd"
    assert spoken(conversations[0])[0] == ("typed", "Cut the sail.")
