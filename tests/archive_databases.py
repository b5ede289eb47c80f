"""Databases for tests, built here since a binary fixture tells a reader nothing."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

_OPENCODE = """
CREATE TABLE `session` (`id` text PRIMARY KEY, `project_id` text NOT NULL, `parent_id` text,
    `directory` text NOT NULL, `title` text NOT NULL, `time_created` integer, `time_updated` integer);
CREATE TABLE `message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `time_created` integer,
    `time_updated` integer, `data` text NOT NULL);
CREATE TABLE `part` (`id` text PRIMARY KEY, `message_id` text NOT NULL, `session_id` text NOT NULL,
    `time_created` integer, `time_updated` integer, `data` text NOT NULL);
"""


def opencode_database(path: Path) -> Path:
    """Two sessions; an injected text, a tool, a message without its session, a part without its message."""
    at = 1767607200000
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_OPENCODE)
        connection.executemany(
            "INSERT INTO session VALUES (?, 'p', NULL, '/work/boat', ?, ?, ?)",
            [("ses_1", "Sails", at, at + 9000), ("ses_2", "Empty", at, at)],
        )
        messages: list[tuple[str, str, dict[str, Any] | str]] = [
            ("msg_1", "ses_1", {"role": "user", "time": {"created": at}}),
            ("msg_2", "ses_1", {"role": "assistant", "parentID": "msg_1", "modelID": "m-1"}),
            ("msg_3", "ses_9", {"role": "user"}),
            ("msg_4", "ses_1", "no json"),
        ]
        connection.executemany(
            "INSERT INTO message VALUES (?, ?, ?, NULL, ?)",
            [(key, session, at + 1000, json.dumps(data)) for key, session, data in messages],
        )
        state = {"status": "completed", "input": {"path": "sail.md"}, "output": "9 m2"}
        parts: list[tuple[str, str, dict[str, Any]]] = [
            ("prt_1", "msg_1", {"type": "text", "text": "Cut the sail."}),
            ("prt_2", "msg_1", {"type": "text", "text": "Called the Read tool", "synthetic": True}),
            ("prt_3", "msg_2", {"type": "reasoning", "text": "Where?"}),
            ("prt_4", "msg_2", {"type": "tool", "tool": "read", "state": state}),
            ("prt_5", "msg_2", {"type": "text", "text": "Cut."}),
            ("prt_6", "msg_2", {"type": "hologram", "x": 1}),
            ("prt_7", "msg_3", {"type": "text", "text": "Mend the jib."}),
            ("prt_8", "msg_8", {"type": "text", "text": "Nobody's."}),
        ]
        connection.executemany(
            "INSERT INTO part VALUES (?, ?, 'ses', NULL, NULL, ?)",
            [(key, message, json.dumps(data)) for key, message, data in parts],
        )
    return path


def cursor_editor(path: Path) -> Path:
    """The editor's state: one composer with a bubble missing, one that is no object."""
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
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
        connection.executemany(
            "INSERT INTO cursorDiskKV VALUES (?, ?)",
            [(key, json.dumps(value)) for key, value in rows.items()],
        )
    return path


def cursor_store(path: Path) -> Path:
    """The CLI's store: messages as JSON blobs, named in order by the root, which is no JSON."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are a coding agent."},
        {"role": "user", "content": [{"type": "text", "text": "<user_info>\nOS: linux\n</user_info>"}]},
        {"role": "user", "content": "<user_query>\nCut the sail.\n</user_query>"},
        {
            "id": "m-3",
            "role": "assistant",
            "content": [
                {"type": "reasoning", "text": "Where?"},
                {"type": "tool-call", "toolName": "read", "args": {"path": "sail.md"}},
            ],
        },
        {"role": "tool", "content": [{"type": "tool-result", "toolName": "read", "result": "9 m2"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Cut."}]},
    ]
    blobs = [json.dumps(message).encode() for message in messages]
    root = b"".join(b"\x0a\x20" + hashlib.sha256(blob).digest() for blob in blobs) + b"\x2a\x03abc"
    about = {
        "agentId": "agent-7",
        "latestRootBlobId": hashlib.sha256(root).hexdigest(),
        "name": "Sails",
        "createdAt": 1767607200000,
    }
    # blobs have no order of their own
    held = sorted([*blobs, root, b"\x0a\x02no message"], key=lambda blob: hashlib.sha256(blob).hexdigest())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)")
        connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
        connection.execute("INSERT INTO meta VALUES ('0', ?)", (json.dumps(about).encode().hex(),))
        connection.executemany(
            "INSERT INTO blobs VALUES (?, ?)", [(hashlib.sha256(blob).hexdigest(), blob) for blob in held]
        )
    return path


def cursor_items(path: Path) -> Path:
    """Older chats of the editor: a tab, and a prompt whose tab is gone."""
    tab = {
        "tabId": "t1",
        "chatTitle": "Sails",
        "lastSendTime": 1767607200000,
        "bubbles": [
            {"type": "user", "id": "b1", "text": "Cut the sail.", "selections": [{"text": "jib = 9"}]},
            {"type": "ai", "id": "b2", "rawText": "Cut."},
        ],
    }
    rows = {
        "workbench.panel.aichat.view.aichat.chatdata": {"tabs": [tab]},
        "aiService.prompts": [{"text": "Cut the sail."}, {"text": "Mend the jib."}],
    }
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
        connection.executemany(
            "INSERT INTO ItemTable VALUES (?, ?)", [(key, json.dumps(value)) for key, value in rows.items()]
        )
    return path


def cursor_bubbles(path: Path) -> Path:
    """A composer with a bubble of code alone, one it does not list, one of another composer that is gone."""
    composer = {"name": "Sails", "fullConversationHeadersOnly": [{"bubbleId": "b1", "type": 2}]}
    rows: dict[str, Any] = {
        "composerData:c1": composer,
        "bubbleId:c1:b1": {
            "type": 2,
            "codeBlocks": [{"content": "sail = 9"}],
            "images": [{"path": "hull.png"}],
            "attachedCodeChunks": [{"relativeWorkspacePath": "rig.py", "lines": ["mast = 1"]}],
            "context": {"selections": [{"text": "boom = 2"}]},
        },
        "bubbleId:c1:b2": {"type": 1, "text": "Nobody lists me."},
        "bubbleId:c9:b3": {"type": 1, "text": "My composer is gone."},
    }
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
        connection.executemany(
            "INSERT INTO cursorDiskKV VALUES (?, ?)",
            [(key, json.dumps(value)) for key, value in rows.items()],
        )
    return path
