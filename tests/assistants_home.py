"""A made-up home folder in which every assistant keeps something, from the readers' own fixtures."""

from __future__ import annotations

import shutil
from pathlib import Path

from archive_databases import cursor_editor, opencode_database
from newer_databases import goose_database, zed_database

FIXTURES = Path(__file__).parent / "archives" / "fixtures"

FILES = {
    ".claude/projects/-work-boat": "claude_code/project",
    ".codex/sessions/2026/07/24/rollout-2026-07-24.jsonl": "codex/rollout.jsonl",
    ".gemini/tmp/ab12/chats/session-1.json": "gemini_cli/session.json",
    ".gemini/antigravity/brain": "antigravity/home/brain",
    ".copilot/session-state/s1/events.jsonl": "copilot_cli/events.jsonl",
    ".config/Code/User/workspaceStorage/w1/chatSessions/s.json": "vscode_chat/session.json",
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks": "cline",
    ".local/share/opencode/storage": "opencode/storage",
    ".cursor/projects/boat/agent-transcripts/session-7.jsonl": "cursor/session-7.jsonl",
}
TOOLS = ("claude-code", "codex", "gemini-cli", "antigravity", "copilot-cli", "vscode", "cline", "opencode",
         "cursor", "goose", "zed")  # fmt: skip


def assistants_home(home: Path) -> Path:
    """Fill the folder, as on Linux, and return it."""
    for place, fixture in FILES.items():
        source, target = FIXTURES / fixture, home / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)
    for place, make in {
        ".config/Cursor/User/globalStorage/state.vscdb": cursor_editor,
        ".local/share/opencode/opencode.db": opencode_database,
        ".local/share/goose/sessions/sessions.db": goose_database,
        ".local/share/zed/threads/threads.db": zed_database,
    }.items():
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        make(home / place)
    return home
