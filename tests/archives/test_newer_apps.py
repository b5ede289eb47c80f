"""Chat apps of 2026 against counts taken by walking their files, and databases that would do harm."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing

import pytest
from archive_reading import FIXTURES, read, zipped
from newer_databases import (
    goose_database,
    imessage_database,
    packed_with_zstd,
    webui_database,
    zed_database,
)
from test_newer_formats import count, notes, spoken

from schemas.errors import DamagedArchive, UnrecognisedArchive
from schemas.report import NoteKind

DATABASES = {
    goose_database: "messages",
    imessage_database: "message",
    webui_database: "chat",
    zed_database: "threads",
}


def values(path):
    return json.loads(path.read_text())


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def typed(conversations):
    return [text for one in conversations for origin, text in spoken(one) if origin == "typed"]


def test_versions_of_an_answer_are_branches():
    (path,) = (FIXTURES / "sillytavern").iterdir()
    rows = [row for row in lines(path) if "mes" in row]
    swipes = {swipe for row in rows for swipe in row.get("swipes", [])} - {row["mes"] for row in rows}
    (conversation,), report, rejected = read(path)
    assert report.messages == len(rows) + len(swipes)
    assert report.records == report.messages + len(rejected)
    active = [m.text for m in conversation.messages if m.id in conversation.active_ids]
    assert [text.split("\n")[-1] for text in active] == [row["mes"] for row in rows]
    assert typed([conversation]) == [row["mes"] for row in rows if row["is_user"]]


def test_every_form_of_sillytaverns_times_is_read():
    (path,) = (FIXTURES / "sillytavern").iterdir()
    (conversation,), report, _ = read(path)
    shown = [m for m in conversation.messages if m.id in conversation.active_ids]
    assert [m.created_at.strftime("%H:%M") for m in shown] == ["10:00", "10:01", "10:02", "10:03", "10:03"]
    assert notes(report)[NoteKind.UNKNOWN, "a local time without a zone"] == 3


def test_each_chat_with_a_character_is_a_conversation():
    path = FIXTURES / "character_ai" / "seraphina.json"
    chats = [chat for chat in values(path)["histories"]["histories"] if isinstance(chat, dict)]
    conversations, _, rejected = read(path)
    assert [len(c.messages) for c in conversations] == [len(chat["msgs"]) for chat in chats]
    assert len(rejected) == 1
    human = [row["text"] for chat in chats for row in chat["msgs"] if row["src"]["is_human"]]
    assert typed(conversations) == human


def test_jans_thread_has_its_title_and_instructions():
    folder = FIXTURES / "jan" / "threads"
    rows = lines(folder / "jan_1767607200" / "messages.jsonl")
    (conversation,), report, rejected = read(folder)
    assert report.records == len(rows) + 1  # the instructions stand in thread.json
    assert len(rejected) == 1
    assert (conversation.title, conversation.model) == ("Varnish", "qwen3-4b")
    assert typed([conversation]) == ["Which varnish?"]


def test_typingminds_chats_lie_in_folders():
    path = FIXTURES / "typingmind" / "export.json"
    data = values(path)["data"]
    chats = [chat for chat in data["chats"] if isinstance(chat, dict)]
    conversations, report, _ = read(path)
    assert [len(c.messages) for c in conversations] == [len(chat["messages"]) for chat in chats]
    assert [c.project for c in conversations] == ["Boat", None]
    told = (NoteKind.SKIPPED, "userPrompts beside the chats")
    assert notes(report)[told] == len(data["userPrompts"])


def test_lobechats_one_list_becomes_topics_in_order_of_time():
    path = FIXTURES / "lobechat" / "export.json"
    rows = [row for row in values(path)["state"]["messages"] if isinstance(row, dict)]
    conversations, report, rejected = read(path)
    instructions = len(conversations)
    assert report.records == len(rows) + instructions + len(rejected)
    first = [m.native_id for m in conversations[0].messages if m.role != "system"]
    assert first == ["a", "b", "c", "d"]
    state = values(path)["state"]
    assert {c.native_id for c in conversations} == {"s1/t1", "s1"}
    assert state["topics"][0]["title"] == conversations[0].title


def test_lobechats_export_of_today_is_read_too(tmp_path):
    state = values(FIXTURES / "lobechat" / "export.json")["state"]
    path = tmp_path / "lobe.json"
    path.write_text(json.dumps({"data": state, "mode": "pglite", "schemaHash": "x"}))
    assert typed(read(path)[0]) == ["How many coats of primer?", "Outside any topic."]


def test_cherry_studios_blocks_go_to_the_messages_that_name_them(tmp_path):
    path = FIXTURES / "cherry_studio" / "data.json"
    tables = values(path)["indexedDB"]
    listed = sum(len(topic["messages"]) for topic in tables["topics"])
    backup = zipped(tmp_path / "cherry-studio.zip", {"data.json": path.read_bytes()})
    conversations, report, _ = read(backup)
    unnamed, instructions = 1, 1
    assert report.records == listed + unnamed + instructions
    assert [c.title for c in conversations] == ["Sails", None]
    named = {key for topic in tables["topics"] for row in topic["messages"] for key in row.get("blocks", [])}
    held = {block["id"] for block in tables["message_blocks"]}
    assert notes(report)[NoteKind.HOLE, "a block that its message names is missing"] == len(named - held)
    assert notes(report)[NoteKind.SKIPPED, "a block that no message names"] == len(held - named)


def test_amps_calls_without_arguments_stay():
    path = FIXTURES / "amp" / "T-019b9d03.json"
    rows = [row for row in values(path)["messages"] if isinstance(row, dict)]
    (conversation,), report, _ = read(path)
    assert report.messages == len(rows)
    calls = [block for row in rows for block in row["content"] if block["type"] == "tool_use"]
    labels = [s.label for m in conversation.messages for s in m.segments if s.origin == "tool_call"]
    assert labels == [call["name"] for call in calls]


def test_meta_ais_download_takes_nobodys_words_for_the_owners():
    path = FIXTURES / "meta_ai" / "ai_conversations.json"
    (thread,) = values(path)
    listed = [row for item in thread["label_values"] for row in item.get("dict", []) if "dict" in row]
    (conversation,), report, _ = read(path, owner="Ada")
    assert report.messages == len(listed)
    assert {origin for origin, _ in spoken(conversation)} == {"runtime_context", "unknown"}
    assert ("unknown", "That’s the ebb.") in spoken(conversation)
    assert conversation.messages[0].created_at < conversation.messages[-1].created_at


@pytest.mark.parametrize("build", DATABASES)
@pytest.mark.parametrize("keep", [0.2, 0.5, 0.8])
def test_a_newer_database_that_is_cut_says_so(tmp_path, build, keep):
    path = build(tmp_path / "cut.db")
    os.truncate(path, int(path.stat().st_size * keep))
    try:
        report = read(path)[1]
    except (DamagedArchive, UnrecognisedArchive):
        return
    assert not report.complete


@pytest.mark.parametrize("build", DATABASES)
def test_a_view_in_place_of_a_table_is_not_read(tmp_path, build):
    path = build(tmp_path / "trap.db")
    table = DATABASES[build]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f'ALTER TABLE "{table}" RENAME TO hidden')
        connection.execute(f'CREATE VIEW "{table}" AS SELECT * FROM hidden')
    try:
        conversations, report, _ = read(path)
    except UnrecognisedArchive:
        return
    assert conversations == []
    assert not report.complete


@pytest.mark.parametrize("build", DATABASES)
def test_a_newer_database_in_use_is_read_from_a_copy(tmp_path, build):
    path = build(tmp_path / "live.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        assert read(path)[0]


@pytest.mark.parametrize("build", DATABASES)
@pytest.mark.parametrize("packed", [False, True])
def test_a_schema_that_lies_deep_in_the_file_is_found(tmp_path, build, packed):
    """A server's migrations make a table anew behind what is there; a schema of many tables is a tree."""
    path = build(tmp_path / "long.db")
    table = DATABASES[build]
    before = [spoken(one) for one in read(path)[0]]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE ballast (data BLOB)")
        connection.execute("INSERT INTO ballast VALUES (zeroblob(300000))")
        connection.execute(f'ALTER TABLE "{table}" RENAME TO old_rows')
        for number in range(200):
            connection.execute(
                f"CREATE TABLE other_{number} (id TEXT, {', '.join(f'c{n} TEXT' for n in range(30))})"
            )
        (sql,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'old_rows'").fetchone()
        connection.execute(sql.replace("old_rows", table))
        connection.execute(f'INSERT INTO "{table}" SELECT * FROM old_rows')
        connection.execute("DROP TABLE old_rows")
    if packed:
        path = zipped(tmp_path / "long.zip", {path.name: path.read_bytes()})
    assert [spoken(one) for one in read(path)[0]] == before


def test_a_thread_that_unfolds_without_end_costs_itself_alone(tmp_path):
    path = zed_database(tmp_path / "threads.db")
    bomb = packed_with_zstd(b"[" * (1 << 26))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE threads SET data = ? WHERE id = 'z-new'", (bomb,))
    conversations, report, _ = read(path)
    assert [c.native_id for c in conversations] == ["z-old"]
    assert any("unfolds to far more" in note.reason for note in report.notes)
    assert count(path, "SELECT count(*) FROM threads") == 4


@pytest.mark.parametrize("size", [512, 4096, 65_536])
def test_a_schema_that_goes_round_in_circles_ends(tmp_path, size):
    """Every page an inner one that names every other page, as no program writes them."""
    page = bytearray(b"\x05\x00\x00" + (0xFFFF).to_bytes(2, "big") + bytes(7))
    while len(page) < size:
        page += (12).to_bytes(2, "big")
    path = zed_database(tmp_path / "circles.db")
    first = bytearray(path.read_bytes()[:100].ljust(size, b"\x00"))
    first[16:18] = (size if size < 65_536 else 1).to_bytes(2, "big")
    first[100:] = page[: size - 100]
    path.write_bytes(bytes(first) + bytes(page[:size]) * ((1 << 21) // size))
    with pytest.raises((DamagedArchive, UnrecognisedArchive)):
        read(path)
