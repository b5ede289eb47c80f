"""A made-up home folder in which every assistant keeps something, from the readers' own fixtures."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from archive_databases import cursor_editor, opencode_database
from newer_databases import goose_database, zed_database

from benchmarks.faults.assistant_sessions import lay

_OF_EDITORS = {
    "Code/User/globalStorage/saoudrizwan.claude-dev/tasks": "cline",
    "Code/User/globalStorage/kilocode.kilo-code/tasks/1767607200001": "cline/1767607200000",
    "VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1767225800001": "cline/1767225800000",
}
FILES = {
    **{f".config/{place}": fixture for place, fixture in _OF_EDITORS.items()},
    ".claude/projects/-work-boat": "claude_code/project",
    ".codex/sessions/2026/07/24/rollout-2026-07-24.jsonl": "codex/rollout.jsonl",
    ".gemini/tmp/ab12/chats/session-1.json": "gemini_cli/session.json",
    ".gemini/antigravity/brain": "antigravity/home/brain",
    ".copilot/session-state/s1/events.jsonl": "copilot_cli/events.jsonl",
    ".config/Code/User/workspaceStorage/w1/chatSessions/s.json": "vscode_chat/session.json",
    ".local/share/opencode/storage": "opencode/storage",
    ".cursor/projects/boat/agent-transcripts/session-7.jsonl": "cursor/session-7.jsonl",
}
TOOLS = ("claude-code", "codex", "gemini-cli", "antigravity", "copilot-cli", "vscode", "cline", "opencode",
         "cursor", "goose", "zed", "roo", "kilo")  # fmt: skip
KILO = ("kilo", "kilo-cline")
"""Kilo keeps sessions in two formats, which are two archives."""


def kilo_database(path: Path) -> Path:
    """OpenCode's tables, as Kilo keeps them: a session of its own."""
    with closing(sqlite3.connect(opencode_database(path))) as connection, connection:
        for table, columns in {"session": ("id",), "message": ("id", "session_id"),
                               "part": ("id", "message_id")}.items():  # fmt: skip
            for column in columns:
                connection.execute(f"UPDATE {table} SET {column} = 'kilo_' || {column}")
    return path


def assistants_home(home: Path) -> Path:
    """Fill the folder, as on Linux, and return it."""
    lay(home, FILES)
    for place, make in {
        ".config/Cursor/User/globalStorage/state.vscdb": cursor_editor,
        ".local/share/opencode/opencode.db": opencode_database,
        ".local/share/kilo/kilo.db": kilo_database,
        ".local/share/goose/sessions/sessions.db": goose_database,
        ".local/share/zed/threads/threads.db": zed_database,
    }.items():
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        make(home / place)
    return home
