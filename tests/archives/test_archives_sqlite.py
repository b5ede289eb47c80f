"""Formats that are databases."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing

import pytest
from archive_databases import cursor_editor, cursor_store, opencode_database
from archive_reading import read

from archives.sqlite_check import first_damage
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


def opencode_of(path, messages):
    """One session of so many messages, with the index that OpenCode has on parts."""
    opencode_database(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM part")
        connection.execute("DELETE FROM message")
        for number in range(messages):
            data = json.dumps({"role": "user" if number % 2 == 0 else "assistant"})
            connection.execute("INSERT INTO message VALUES (?, 'ses_1', 1, 1, ?)", (f"m{number:04}", data))
            said = json.dumps({"type": "text", "text": f"Word {number} of the sail. " * 5})
            connection.execute(
                "INSERT INTO part VALUES (?, ?, 'ses_1', 1, 1, ?)", (f"p{number:04}", f"m{number:04}", said)
            )
        connection.execute("CREATE INDEX part_message ON part (message_id)")
    return path


def told_of(path):
    """What the report, or the error where nothing was readable, says."""
    try:
        report = read(path)[1]
    except DamagedArchive as error:
        return str(error)
    assert not report.complete
    return " ".join(f"{note.where}: {note.reason}. {note.remedy}" for note in report.notes)


@pytest.mark.parametrize("messages", [2, 300])
@pytest.mark.parametrize("cut", [1, 100, 3_000, 4_096, 5_000])
def test_a_cut_database_says_how_much_is_missing(tmp_path, messages, cut):
    path = opencode_of(tmp_path / "opencode.db", messages)
    whole = path.stat().st_size
    os.truncate(path, whole - cut)
    told = told_of(path)
    assert f"opencode.db: the database is cut: {whole - cut:,} of {whole:,} bytes are there" in told
    assert "copy it again" in told


def test_a_database_with_a_page_of_zeros_is_damaged(tmp_path):
    """A copy that was broken off and has its full length, as download programs make them."""
    whole = opencode_of(tmp_path / "opencode.db", 100).read_bytes()
    path = tmp_path / "zeros.db"
    for page in range(1, len(whole) // 4096):
        path.write_bytes(whole[: page * 4096] + bytes(4096) + whole[(page + 1) * 4096 :])
        assert "zeros.db: the database is damaged" in told_of(path), page


def test_an_index_that_lacks_rows_is_damage(tmp_path):
    """Parts are looked up by it: what it lacks would be gone without a word."""
    path = opencode_of(tmp_path / "opencode.db", 20)
    partly = "sql || ' WHERE message_id > ''m0009'' '"
    fully = "substr(sql, 1, instr(sql, ' WHERE') - 1)"
    for schema, then in ((partly, "REINDEX part_message"), (fully, "SELECT 1")):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute(f"UPDATE sqlite_master SET sql = {schema} WHERE name = 'part_message'")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(then)
    assert "opencode.db: the database is damaged" in told_of(path)


def test_a_check_that_does_not_end_says_so(tmp_path):
    with closing(sqlite3.connect(opencode_of(tmp_path / "opencode.db", 20))) as connection:
        assert first_damage(connection) == ""
        connection.set_progress_handler(lambda: 1, 1)
        assert "too large or too tangled to be checked" in first_damage(connection)


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_whole_database_is_complete(tmp_path, mode):
    path = opencode_of(tmp_path / "opencode.db", 300)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("DELETE FROM part WHERE id > 'p0290'")  # free pages, and a log that is newer
        connection.commit()
        conversations, report, rejected = read(tmp_path)
    assert report.complete
    assert sum(len(one.messages) for one in conversations) == 291
    assert not rejected
