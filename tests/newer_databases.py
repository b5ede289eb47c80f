"""Databases of Goose, Zed, Open WebUI and iMessage for tests, by the tables of their public sources."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa

_GOOSE = """
CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    user_set_name BOOLEAN DEFAULT FALSE, session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    extension_data TEXT DEFAULT '{}', total_tokens INTEGER, model_config_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL
    REFERENCES sessions(id), role TEXT NOT NULL, content_json TEXT NOT NULL,
    created_timestamp INTEGER NOT NULL,
    timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER, metadata_json TEXT);
CREATE INDEX idx_messages_session ON messages(session_id);
"""


def goose_database(path: Path) -> Path:
    """A session with a tool and a hidden text, a message that is no list, one whose session is missing."""
    text: Any = [{"type": "text", "text": "Inspect the mast."}]
    call = {"status": "success", "value": {"name": "shell", "arguments": {"command": "ls"}}}
    result = {"status": "success", "value": {"content": [{"type": "text", "text": "mast.md"}]}}
    hidden = [{"type": "text", "text": "For the model alone."}]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_GOOSE)
        connection.execute(
            "INSERT INTO sessions VALUES ('20260724_2', '', 'Mast', 0, 'user', '/work/boat', "
            "'2026-07-24 11:00:00', '2026-07-24T11:00:09Z', '{}', 12, '{\"model_name\": \"m-1\"}')"
        )
        rows: list[tuple[str | None, str, str, Any, int, Any]] = [
            ("u1", "20260724_2", "user", text, 0, {"userVisible": True}),
            (
                "a1",
                "20260724_2",
                "assistant",
                [{"type": "toolRequest", "id": "c", "toolCall": call}],
                1,
                None,
            ),
            (
                "u2",
                "20260724_2",
                "user",
                [{"type": "toolResponse", "id": "c", "toolResult": result}],
                2,
                None,
            ),
            (None, "20260724_2", "user", hidden, 3, {"userVisible": False}),
            ("a2", "20260724_2", "assistant", [{"type": "text", "text": "One file."}], 4, None),
            ("x1", "20260724_2", "user", "no list", 5, None),
            ("o1", "20260724_9", "user", [{"type": "text", "text": "Whose am I?"}], 6, None),
        ]
        connection.executemany(
            "INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp, "
            "metadata_json) VALUES (?, ?, ?, ?, ?, ?)",
            [
                (key, session, role, json.dumps(content), 1784282401 + at, json.dumps(told) if told else None)
                for key, session, role, content, at, told in rows
            ],
        )
    return path


_ZED = """
CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL,
    data_type TEXT NOT NULL, data BLOB NOT NULL);
ALTER TABLE threads ADD COLUMN folder_paths TEXT;
ALTER TABLE threads ADD COLUMN created_at TEXT;
"""


def packed_with_zstd(data: bytes) -> bytes:
    """A zstd frame that does not state the size of its content, as Zed's encoder writes them."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    held: bytes = sink.getvalue().to_pybytes()
    return held


def zed_threads() -> tuple[dict[str, Any], dict[str, Any]]:
    """A thread in today's shape and one in agent 1's."""
    return _zed_thread(), _old_zed_thread()


def _zed_thread() -> dict[str, Any]:
    tool = {
        "id": "t1",
        "name": "terminal",
        "raw_input": "{}",
        "input": {"command": "ls"},
        "is_input_complete": True,
    }
    results = {
        "t1": {
            "tool_use_id": "t1",
            "tool_name": "terminal",
            "is_error": False,
            "content": [{"Text": "jib.md"}],
        }
    }
    mention = {"uri": {"File": {"abs_path": "/work/boat/jib.md"}}, "content": "The jib has 11 m2."}
    return {
        "version": "0.3.0",
        "title": "A smaller jib",
        "updated_at": "2026-07-19T09:00:02Z",
        "detailed_summary": "The jib was cut.",
        "model": {"provider": "zed.dev", "model": "claude-sonnet-4"},
        "draft_prompt": [{"type": "text", "text": "and the ma"}],
        "messages": [
            {
                "User": {
                    "id": "u1",
                    "content": [{"Text": "Cut the jib."}, {"Mention": mention}, {"Image": {}}],
                }
            },
            {
                "Agent": {
                    "content": [
                        {"Thinking": {"text": "Which file?", "signature": None}},
                        {"RedactedThinking": "x"},
                        {"ToolUse": tool},
                        {"Text": "It is cut."},
                        {"Hologram": 1},
                    ],
                    "tool_results": results,
                }
            },
            "Resume",
            {"Compaction": {"text": "later"}},
        ],
    }


def _old_zed_thread() -> dict[str, Any]:
    return {
        "version": "0.2.0",
        "summary": "Old thread",
        "updated_at": "2026-07-18T09:00:02Z",
        "detailed_summary_state": {"Generated": {"text": "An old talk.", "message_id": 2}},
        "initial_project_snapshot": {"worktree_snapshots": [{"worktree_path": "/work/old"}]},
        "messages": [
            {
                "id": 1,
                "role": "user",
                "context": "<files>jib.md</files>",
                "segments": [{"type": "text", "text": "Hello?"}],
            },
            {
                "id": 2,
                "role": "assistant",
                "segments": [{"type": "thinking", "text": "Hm."}, {"type": "text", "text": "Hello."}],
                "tool_uses": [{"id": "o1", "name": "now", "input": {}}],
                "tool_results": [{"tool_use_id": "o1", "is_error": False, "content": "noon"}],
            },
        ],
    }


def zed_database(path: Path) -> Path:
    """A packed thread, a plain one, one that is cut short, and one packed by means nobody knows."""
    new, old = zed_threads()
    frame = packed_with_zstd(json.dumps(new).encode())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_ZED)
        at = "2026-07-19T09:00:02+00:00"
        connection.executemany(
            "INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    "z-new",
                    "A smaller jib",
                    at,
                    "zstd",
                    frame,
                    "/work/boat\n/work/sail",
                    "2026-07-19T09:00:00+00:00",
                ),
                ("z-old", "Old thread", at, "json", json.dumps(old), None, None),
                ("z-cut", "Cut", at, "zstd", frame[: len(frame) // 2], None, None),
                ("z-odd", "Odd", at, "lz9", frame, None, None),
            ],
        )
    return path


_WEBUI = """
CREATE TABLE "chat" (id VARCHAR NOT NULL, user_id VARCHAR, title TEXT, chat JSON, created_at BIGINT,
    updated_at BIGINT, share_id TEXT, archived BOOLEAN, pinned BOOLEAN, meta JSON, folder_id TEXT);
CREATE TABLE "user" (id VARCHAR NOT NULL, name VARCHAR, email VARCHAR, role VARCHAR);
CREATE TABLE memory (id VARCHAR NOT NULL, user_id VARCHAR, content TEXT, updated_at BIGINT);
"""


def webui_database(path: Path, *, users: int = 1) -> Path:
    """Two chats of the first user, one of each further one, one without its tree, and a memory."""

    def chat(question: str, answer: str) -> str:
        return json.dumps({
            "models": ["llama3.2"],
            "history": {"currentId": "a", "messages": {
                "q": {"id": "q", "parentId": None, "childrenIds": ["a"], "role": "user", "content": question,
                      "timestamp": 1767607200},
                "a": {"id": "a", "parentId": "q", "childrenIds": [], "role": "assistant", "content": answer,
                      "model": "llama3.2", "timestamp": 1767607205},
            }},
        })  # fmt: skip

    rows = [
        ("c1", "user-0", "Glue", chat("Which glue?", "Epoxy.")),
        ("c2", "user-0", "Paint", chat("Which paint?", "Two coats.")),
        ("c3", "user-0", "Broken", "{}"),
        *((f"d{n}", f"user-{n}", "Theirs", chat("Whose boat?", "Hers.")) for n in range(1, users)),
    ]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_WEBUI)
        connection.executemany(
            "INSERT INTO \"chat\" VALUES (?, ?, ?, ?, 1767607200, 1767607300, NULL, 0, 0, NULL, 'boat')", rows
        )
        people = [(f"user-{n}", f"Person {n}", f"p{n}@example.org") for n in range(users)]
        connection.executemany("INSERT INTO \"user\" VALUES (?, ?, ?, 'user')", people)
        connection.execute("INSERT INTO memory VALUES ('m', 'user-0', 'Sails a sloop', 1)")
    return path


_IMESSAGE = """
CREATE TABLE message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT,
    handle_id INTEGER DEFAULT 0, subject TEXT, attributedBody BLOB, date INTEGER,
    is_from_me INTEGER DEFAULT 0,
    item_type INTEGER DEFAULT 0, group_title TEXT, associated_message_type INTEGER DEFAULT 0,
    balloon_bundle_id TEXT, payload_data BLOB, date_edited INTEGER DEFAULT 0);
CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, service TEXT);
CREATE TABLE chat (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, chat_identifier TEXT,
    display_name TEXT);
CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER, message_date INTEGER DEFAULT 0,
    PRIMARY KEY (chat_id, message_id));
CREATE TABLE chat_recoverable_message_join (chat_id INTEGER, message_id INTEGER);
CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, filename TEXT,
    mime_type TEXT, transfer_name TEXT, total_bytes INTEGER DEFAULT 0);
CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER);
"""


def typedstream(text: str) -> bytes:
    """An NSAttributedString as NSArchiver writes it: header, classes, the string with its length, one run."""
    data = text.encode()
    if len(data) < 0x80:
        length = bytes([len(data)])
    elif len(data) < 1 << 16:
        length = b"\x81" + len(data).to_bytes(2, "little")
    else:
        length = b"\x82" + len(data).to_bytes(4, "little")
    classes = b"\x84\x84\x84\x12NSAttributedString\x00\x84\x84\x08NSObject\x00\x85\x92"
    classes += b"\x84\x84\x84\x08NSString\x01\x94"
    run = (
        b"\x86\x84\x02iI\x01"
        + bytes([min(len(text), 0x7F)])
        + b"\x92\x84\x84\x84\x0cNSDictionary\x00\x94\x84\x01i\x00\x86\x86"
    )
    return b"\x04\x0bstreamtyped\x81\xe8\x03\x84\x01@" + classes + b"\x84\x01+" + length + data + run


def imessage_database(path: Path) -> Path:
    """A chat of two with both kinds of text, a group, a message of no chat and one that was deleted."""
    at = 788_918_400 * 10**9
    long = "Yes: the keel first. " * 10
    messages: list[tuple[Any, ...]] = [
        ("g1", "Shall we paint?", 1, None, None, at, 0, 0, None, 0, None, 0),
        ("g2", None, 0, "The keel", typedstream(long), at + 10**9, 1, 0, None, 0, None, 0),
        ("g3", None, 1, None, typedstream("\ufffcHere — the tin"), at + 2 * 10**9, 0, 0, None, 0, None, 0),
        ("g4", "Loved “Shall we paint?”", 0, None, None, at + 3 * 10**9, 1, 0, None, 2000, None, 0),
        ("g5", None, 2, None, b"\x04\x0bstreamtyped", at + 4 * 10**9, 0, 0, None, 0, "com.apple.Stickers", 7),
        ("g6", None, 0, None, None, at + 5 * 10**9, 1, 2, "Boat crew", 0, None, 0),
        ("g7", "I am in no chat", 1, None, None, 788_918_406, 0, 0, None, 0, None, 0),
        ("g8", "I was deleted", 1, None, None, at, 0, 0, None, 0, None, 0),
    ]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_IMESSAGE)
        connection.executemany(
            "INSERT INTO message (guid, text, handle_id, subject, attributedBody, date, is_from_me, "
            "item_type, group_title, associated_message_type, balloon_bundle_id, date_edited) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            messages,
        )
        people = [("+4790000001", "iMessage"), ("b@example.org", "iMessage")]
        connection.executemany("INSERT INTO handle (id, service) VALUES (?, ?)", people)
        chats = [("iMessage;-;+4790000001", "+4790000001", None), ("iMessage;+;chat7", "chat7", "Boat crew")]
        connection.executemany(
            "INSERT INTO chat (guid, chat_identifier, display_name) VALUES (?, ?, ?)", chats
        )
        joined = [(1, 1), (1, 2), (1, 3), (1, 4), (2, 5), (2, 6)]
        connection.executemany("INSERT INTO chat_message_join (chat_id, message_id) VALUES (?, ?)", joined)
        connection.execute("INSERT INTO chat_recoverable_message_join VALUES (1, 8)")
        connection.execute(
            "INSERT INTO attachment (guid, filename, mime_type, transfer_name, total_bytes) "
            "VALUES ('at_0', '~/Library/tin.heic', 'image/heic', 'tin.heic', 812)"
        )
        connection.execute("INSERT INTO message_attachment_join VALUES (3, 1)")
    return path
