"""A made-up home folder of every assistant that `mnemic collect` reads, whose sessions grow.

Each writer puts one more message of the person's into a session, in its program's own way: a line at the
end of a file in two writes, a JSON file written anew, a row of a database that has a log. After `A_SESSION`
messages a new session begins. What a message says is the caller's, so that it can be looked for.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

A_SESSION = 6
"""Messages of a session, before the next one begins."""
BETWEEN = 0.002
"""Seconds between the two halves of a line."""
FIXTURES = Path(__file__).resolve().parents[2] / "tests" / "archives" / "fixtures"
_OPENCODE_HOME = ".local/share/opencode"
_TASKS = "{editor}/User/globalStorage/{extension}/tasks"

LAID = {
    ".claude/projects/-work-kiln": "claude_code/project",
    ".codex/sessions/2026/07/24/rollout-2026-07-24.jsonl": "codex/rollout.jsonl",
    ".gemini/tmp/ab12/chats/session-1.json": "gemini_cli/session.json",
    ".gemini/tmp/ab12/chats/session-2.jsonl": "gemini_cli/session.jsonl",
    ".gemini/antigravity/brain": "antigravity/home/brain",
    ".copilot/session-state/s1/events.jsonl": "copilot_cli/events.jsonl",
    ".config/Code/User/workspaceStorage/w1/chatSessions/s.json": "vscode_chat/session.json",
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks": "cline",
    f"{_OPENCODE_HOME}/storage": "opencode/storage",
    ".cursor/projects/boat/agent-transcripts/session-7.jsonl": "cursor/session-7.jsonl",
    ".local/share/goose/sessions/20250724_1.jsonl": "goose/20250724_1.jsonl",
}
"""What lies there from the beginning, of the readers' fixtures."""
SAMPLES = {
    "claude_code": ".claude/projects/-sample/{}",
    "codex": ".codex/sessions/2026/07/25/rollout-{}",
    "gemini_cli": ".gemini/tmp/cd34/chats/{}",
    "copilot": ".copilot/session-state/{}/events.jsonl",
    "cursor": ".cursor/projects/sample/agent-transcripts/{}",
}
"""Where a real file of a folder of samples is laid."""

Writer = Callable[[Path, int, str], None]
"""Puts a message into a session below the home folder: (home, number from 0, words)."""


def laid_out(home: Path, samples: Path | None) -> Path:
    """Lay the readers' fixtures, and the real files of a folder of samples where one is named."""
    lay(home, LAID)
    if samples is None:
        return home
    for name, place in SAMPLES.items():
        for source in sorted((samples / name).glob("*.json*")):
            _copy(source, home / place.format(source.name))
    for source in sorted((samples / "opencode").glob("*.json")):
        _, *parts = source.name.split("__")  # the first names the collection that it is from
        _copy(source, home / _OPENCODE_HOME / "storage" / Path(*parts))
    return home


def lay(home: Path, fixtures: Mapping[str, str]) -> None:
    """Copy fixtures of the readers, files and folders, to places below the home folder."""
    for place, fixture in fixtures.items():
        source, target = FIXTURES / fixture, home / place
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            _copy(source, target)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _stamp(number: int) -> str:
    return f"2026-08-01T{8 + number // 60:02}:{number % 60:02}:00Z"


def _epoch(number: int) -> int:
    return 1_785_571_200_000 + number * 60_000


def _uuid(kind: int, session: int) -> str:
    return f"{kind:08x}-0000-4000-8000-{session:012x}"


def _append(path: Path, line: Any, head: Any = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(line) + "\n"
    if head is not None and not path.exists():
        text = json.dumps(head) + "\n" + text
    half = len(text) // 2
    with path.open("a", encoding="utf-8") as file:
        file.write(text[:half])
        file.flush()
        time.sleep(BETWEEN)
        file.write(text[half:])


def _grown(path: Path, fresh: Any, key: str, item: Any) -> None:
    """A JSON file read, given one more item, and written anew in its place, as these programs do."""
    path.parent.mkdir(parents=True, exist_ok=True)
    held = json.loads(path.read_text(encoding="utf-8")) if path.exists() else fresh
    (held if not key else held[key]).append(item)
    path.write_text(json.dumps(held), encoding="utf-8")


def _claude_code(home: Path, number: int, words: str) -> None:
    session, step = divmod(number, A_SESSION)
    key = _uuid(1, session)
    line = {"type": "user", "uuid": _uuid(11, number), "parentUuid": _uuid(11, number - 1) if step else None,
            "sessionId": key, "timestamp": _stamp(number), "cwd": "/work/boat", "isSidechain": False,
            "message": {"role": "user", "content": words}}  # fmt: skip
    _append(home / ".claude/projects/-work-boat" / f"{key}.jsonl", line)


def _codex(home: Path, number: int, words: str) -> None:
    session = number // A_SESSION
    about = {"id": _uuid(2, session), "timestamp": _stamp(number), "cwd": "/work/boat"}
    head = {"timestamp": _stamp(number), "type": "session_meta", "payload": about}
    said = {"type": "user_message", "message": words}
    line = {"timestamp": _stamp(number), "type": "event_msg", "payload": said}
    _append(home / ".codex/sessions/2026/08/01" / f"rollout-{_uuid(2, session)}.jsonl", line, head)


def _gemini_json(home: Path, number: int, words: str) -> None:
    session = number // A_SESSION
    fresh = {"sessionId": _uuid(3, session), "projectHash": "h", "startTime": _stamp(number),
             "lastUpdated": _stamp(number), "messages": []}  # fmt: skip
    item = {"id": f"g{number}", "timestamp": _stamp(number), "type": "user", "content": [{"text": words}]}
    name = f"session-{session}-{_uuid(3, session)[:8]}.json"
    _grown(home / ".gemini/tmp/ef56/chats" / name, fresh, "messages", item)


def _gemini_lines(home: Path, number: int, words: str) -> None:
    session = number // A_SESSION
    head = {"sessionId": _uuid(4, session), "projectHash": "h", "startTime": _stamp(number),
            "lastUpdated": _stamp(number), "kind": "main"}  # fmt: skip
    line = {"id": f"l{number}", "timestamp": _stamp(number), "type": "user", "content": [words]}
    name = f"session-{session}-{_uuid(4, session)[:8]}.jsonl"
    _append(home / ".gemini/tmp/ef56/chats" / name, line, head)


def _antigravity(home: Path, number: int, words: str) -> None:
    session, step = divmod(number, A_SESSION)
    told = f"<USER_REQUEST>\n{words}\n</USER_REQUEST>"
    line = {"step_index": step, "source": "USER_EXPLICIT", "type": "USER_INPUT", "status": "DONE",
            "created_at": _stamp(number), "content": told}  # fmt: skip
    logs = home / ".gemini/antigravity/brain" / _uuid(5, session) / ".system_generated/logs"
    _append(logs / "transcript.jsonl", line)


def _copilot_cli(home: Path, number: int, words: str) -> None:
    session, step = divmod(number, A_SESSION)
    head = {"type": "session.start", "id": f"s{session}", "parentId": None, "timestamp": _stamp(number),
            "data": {"sessionId": _uuid(6, session), "startTime": _stamp(number)}}  # fmt: skip
    before = f"e{number - 1}" if step else f"s{session}"
    line = {"type": "user.message", "id": f"e{number}", "parentId": before,
            "timestamp": _stamp(number), "data": {"content": words}}  # fmt: skip
    _append(home / ".copilot/session-state" / _uuid(6, session) / "events.jsonl", line, head)


def _vscode(home: Path, number: int, words: str) -> None:
    session = number // A_SESSION
    fresh = {"version": 3, "sessionId": _uuid(7, session), "creationDate": _epoch(number),
             "lastMessageDate": _epoch(number), "requests": []}  # fmt: skip
    item = {"requestId": f"r{number}", "timestamp": _epoch(number), "message": {"text": words, "parts": []},
            "response": []}  # fmt: skip
    folder = home / ".config/Code/User/workspaceStorage/w2/chatSessions"
    _grown(folder / f"{_uuid(7, session)}.json", fresh, "requests", item)


def _tasks_of(editor: str, extension: str, apart: int) -> Writer:
    """`apart`: milliseconds by which the assistants' tasks, which are named by the time, lie apart."""

    def write(home: Path, number: int, words: str) -> None:
        said = {"role": "user", "content": [{"type": "text", "text": f"<task>\n{words}\n</task>"}],
                "ts": _epoch(number)}  # fmt: skip
        folder = home / ".config" / _TASKS.format(editor=editor, extension=extension)
        task = str(_epoch(number - number % A_SESSION) + apart)
        _grown(folder / task / "api_conversation_history.json", [], "", said)

    return write


def _opencode_files(home: Path, number: int, words: str) -> None:
    session = number // A_SESSION
    storage, key = home / _OPENCODE_HOME / "storage", f"ses_f{session}"
    files: dict[str, Any] = {
        f"session/proj/{key}.json": {"id": key, "projectID": "proj", "directory": "/work", "title": "Boat",
                                     "time": {"created": _epoch(0), "updated": _epoch(number)}},
        f"message/{key}/msg_f{number}.json": {"id": f"msg_f{number}", "sessionID": key, "role": "user",
                                              "time": {"created": _epoch(number)}},
        f"part/msg_f{number}/prt_f{number}.json": {"id": f"prt_f{number}", "type": "text", "text": words},
    }  # fmt: skip
    for place, value in files.items():
        (storage / place).parent.mkdir(parents=True, exist_ok=True)
        (storage / place).write_text(json.dumps(value), encoding="utf-8")


def _into(path: Path, schema: str, rows: list[tuple[str, tuple[Any, ...]]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(schema)
        with connection:
            for statement, values in rows:
                connection.execute(statement, values)


_OPENCODE = """
CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT,
    directory TEXT NOT NULL, title TEXT NOT NULL, time_created INTEGER, time_updated INTEGER);
CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER,
    time_updated INTEGER, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
    time_created INTEGER, time_updated INTEGER, data TEXT NOT NULL);
"""


def _opencode_like(place: str, mark: str) -> Writer:
    def write(home: Path, number: int, words: str) -> None:
        key, at = f"ses_{mark}{number // A_SESSION}", _epoch(number)
        message = json.dumps({"role": "user", "time": {"created": at}})
        part = json.dumps({"type": "text", "text": words})
        _into(home / place, _OPENCODE, [
            ("INSERT OR IGNORE INTO session VALUES (?, 'p', NULL, '/work', 'Boat', ?, ?)", (key, at, at)),
            ("UPDATE session SET time_updated = ? WHERE id = ?", (at, key)),
            ("INSERT INTO message VALUES (?, ?, ?, NULL, ?)", (f"msg_{mark}{number}", key, at, message)),
            ("INSERT INTO part VALUES (?, ?, ?, NULL, NULL, ?)",
             (f"prt_{mark}{number}", f"msg_{mark}{number}", key, part)),
        ])  # fmt: skip

    return write


def _cursor_lines(home: Path, number: int, words: str) -> None:
    told = f"<user_query>\n{words}\n</user_query>"
    line = {"role": "user", "message": {"content": [{"type": "text", "text": told}]}}
    name = f"{_uuid(8, number // A_SESSION)}.jsonl"
    _append(home / ".cursor/projects/boat/agent-transcripts" / name, line)


_CURSOR = "CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"


def _cursor_editor(home: Path, number: int, words: str) -> None:
    session, step = divmod(number, A_SESSION)
    first, key = session * A_SESSION, _uuid(9, session)
    bubbles = [{"bubbleId": f"b{one}", "type": 1} for one in range(first, first + step + 1)]
    composer = {"name": "Boat", "createdAt": _epoch(first), "fullConversationHeadersOnly": bubbles}
    insert = "INSERT INTO cursorDiskKV VALUES (?, ?)"
    _into(home / ".config/Cursor/User/globalStorage/state.vscdb", _CURSOR, [
        (insert, (f"composerData:{key}", json.dumps(composer))),
        (insert, (f"bubbleId:{key}:b{number}", json.dumps({"type": 1, "text": words}))),
    ])  # fmt: skip


def _goose_lines(home: Path, number: int, words: str) -> None:
    name = f"20260801_{number // A_SESSION + 1}"
    head = {"description": "Boat", "id": name, "created_at": _stamp(number), "updated_at": _stamp(number),
            "working_dir": "/work/boat", "extension_data": {}}  # fmt: skip
    line = {"role": "user", "created": _epoch(number) // 1000, "content": [{"type": "text", "text": words}]}
    _append(home / ".local/share/goose/sessions" / f"{name}.jsonl", line, head)


_GOOSE = """
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '', user_set_name BOOLEAN DEFAULT FALSE,
    session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL, created_at TIMESTAMP,
    updated_at TIMESTAMP, extension_data TEXT DEFAULT '{}', total_tokens INTEGER, model_config_json TEXT);
CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT,
    session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL,
    created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP, tokens INTEGER, metadata_json TEXT);
"""


def _goose_database(home: Path, number: int, words: str) -> None:
    key, content = f"20260802_{number // A_SESSION + 1}", json.dumps([{"type": "text", "text": words}])
    _into(home / ".local/share/goose/sessions/sessions.db", _GOOSE, [
        ("INSERT OR IGNORE INTO sessions (id, description, working_dir, created_at, updated_at) "
         "VALUES (?, 'Boat', '/work/boat', ?, ?)", (key, _stamp(0), _stamp(number))),
        ("INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp) "
         "VALUES (?, ?, 'user', ?, ?)", (f"m{number}", key, content, _epoch(number) // 1000)),
    ])  # fmt: skip


_ZED = """
CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL,
    data_type TEXT NOT NULL, data BLOB NOT NULL);
"""


def _zed(home: Path, number: int, words: str) -> None:
    path, key = home / ".local/share/zed/threads/threads.db", _uuid(10, number // A_SESSION)
    _into(path, _ZED, [])
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        row = connection.execute("SELECT data FROM threads WHERE id = ?", (key,)).fetchone()
    thread: Any = json.loads(row[0]) if row else {"version": "0.3.0", "title": "Boat", "messages": []}
    thread["messages"].append({"User": {"id": f"z{number}", "content": [{"Text": words}]}})
    thread["updated_at"] = _stamp(number)
    values = (key, "Boat", _stamp(number), "json", json.dumps(thread))
    _into(path, _ZED, [("INSERT OR REPLACE INTO threads VALUES (?, ?, ?, ?, ?)", values)])


WRITERS: dict[str, Writer] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "gemini-cli, JSON": _gemini_json,
    "gemini-cli, lines": _gemini_lines,
    "antigravity": _antigravity,
    "copilot-cli": _copilot_cli,
    "vscode": _vscode,
    "cline": _tasks_of("Code", "saoudrizwan.claude-dev", 0),
    "roo": _tasks_of("Code", "rooveterinaryinc.roo-cline", 1),
    "kilo, tasks": _tasks_of("VSCodium", "kilocode.kilo-code", 2),
    "kilo, database": _opencode_like(".local/share/kilo/kilo.db", "k"),
    "opencode, files": _opencode_files,
    "opencode, database": _opencode_like(f"{_OPENCODE_HOME}/opencode.db", "d"),
    "cursor, lines": _cursor_lines,
    "cursor, editor": _cursor_editor,
    "goose, lines": _goose_lines,
    "goose, database": _goose_database,
    "zed": _zed,
}
"""By what they write: the assistant's name as `mnemic collect` has it, and the form where there are two."""
