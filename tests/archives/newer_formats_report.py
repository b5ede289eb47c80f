"""The formats of 2026: where their facts are from, whether a real file was at hand, and counts beside counts.

    python tests/archives/newer_formats_report.py > docs/newer-formats.md

The counts of the last column are taken with the standard library alone: the file's own lists, lines and rows.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parents[1]))

from archive_databases import opencode_database
from archive_reading import FIXTURES
from newer_databases import goose_database, imessage_database, webui_database, zed_database, zed_threads

from archives import open_archive
from archives.registry import FORMATS
from schemas.report import NoteKind

_HEAD = """# Formats of 2026

Written by `python tests/archives/newer_formats_report.py > docs/newer-formats.md`; a test keeps it true.

Of each format: where its facts are from; the real file that it was read on, or that there was none; and
what the reader makes of the fixture or database of the tests, beside an independent count of the same file,
by the standard library alone (lists, lines and rows as they stand in it). A format without a real file was
written by public code that writes or reads it.

| format | facts from | a real file | tried on | read: conversations / messages | counted | left out |
|---|---|---|---|---|---|---|
"""
NONE_AT_HAND = "could not be shown on a real file"


class Newer(NamedTuple):
    """A format that users asked for, and how its file is counted without its reader."""

    module: str
    """Of `archives.formats`: its docstring says where the facts are from."""
    format_id: str
    at: str | Callable[[Path], Path]
    """A fixture, or what builds a database."""
    real: str
    """The real file that the reader was tried on."""
    count: Callable[[Path], tuple[int, int]]
    """Conversations and messages."""
    why: str = ""
    """Why they are not the reader's."""


def _value(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _lines(path: Path) -> list[Any]:
    return [json.loads(one) for one in path.read_text(encoding="utf-8").splitlines()]


def _dicts(values: Any) -> list[Any]:
    """A list's objects: the fixtures have odd members, which a reader refuses."""
    return [one for one in values if isinstance(one, dict)]


def _asked(path: Path, *queries: str) -> tuple[int, int]:
    with closing(sqlite3.connect(path)) as database:
        found = [int(database.execute(query).fetchone()[0]) for query in queries]
    return found[0], found[1]


def _antigravity(path: Path) -> tuple[int, int]:
    files = [one for one in path.rglob("*") if one.is_file()]
    steps = {
        (one.parent, step.get("step_index", step.get("content")))
        for one in files
        for step in _lines(one)
        if step.get("content") or step.get("tool_calls")
    }
    return len({folder for folder, _ in steps}), len(steps)


def _kiro(path: Path) -> tuple[int, int]:
    """Sessions are files; an entry of a history and a line of messages is a message where it has content."""
    old = [one for one in path.glob("workspace-sessions/*/*.json") if one.name != "sessions.json"]
    new = list(path.rglob("messages.jsonl"))
    entries = [entry for one in old for entry in _value(one)["history"] if entry["message"]["content"]]
    return len(old) + len(new), len(entries) + sum(map(len, map(_lines, new)))


def _meta(path: Path) -> tuple[int, int]:
    return len(_value(path)), path.read_text(encoding="utf-8").count('"Message"') // 2


def _sillytavern(path: Path) -> tuple[int, int]:
    """Every version of an answer is a message."""
    return 1, sum(len(one.get("swipes", "1")) for one in _lines(path) if "mes" in one)


def _typingmind(path: Path) -> tuple[int, int]:
    chats = _dicts(_value(path)["data"]["chats"])
    return len(chats), sum(len(_dicts(one["messages"])) for one in chats)


def _lobechat(path: Path) -> tuple[int, int]:
    rows = _dicts(_value(path)["state"]["messages"])
    return len({(one.get("sessionId"), one.get("topicId")) for one in rows}), len(rows)


NEWER = (
    Newer("antigravity", "antigravity", "antigravity/home", "2 transcripts of `agy` 1.0.16", _antigravity),
    Newer("gemini_turns", "gemini_takeout", "gemini_takeout/conversation_1774999569.txt", "",
          lambda path: (1, len(_value(path)["conversation_turns"]))),
    Newer("messenger_e2e", "messenger_e2e", "messenger_e2e/Berit_40.json", "",
          lambda path: (1, len(_value(path)["messages"]))),
    Newer("vscode_chat", "vscode_chat", "vscode_chat/exported.json", "",
          lambda path: (1, 2 * len(_value(path)["requests"])), "an entry has two"),
    Newer("goose", "goose", "goose/20250724_1.jsonl", "2 exports",
          lambda path: (1, sum("role" in line for line in _lines(path)))),
    Newer("goose", "goose", goose_database, "",
          lambda path: _asked(path, "SELECT count(DISTINCT session_id) FROM messages",
                              "SELECT count(*) FROM messages")),
    Newer("zed", "zed", zed_database, "a packed and a plain row",
          lambda _: (len(zed_threads()), sum(len(one["messages"]) for one in zed_threads())),
          "less a mark, and two summaries"),
    Newer("kiro", "kiro", "kiro/home", "", _kiro),
    Newer("openwebui_database", "openwebui", webui_database, "",
          lambda path: _asked(path, "SELECT count(*) FROM chat WHERE chat <> '{}'",
                              "SELECT sum(json_array_length(json_extract(chat, '$.models')) * 2) FROM chat")),
    Newer("imessage", "imessage", imessage_database, "7 typedstreams",
          lambda path: _asked(path, "SELECT count(DISTINCT chat_id) + 1 FROM chat_message_join",
                              "SELECT count(*) FROM message")),
    Newer("opencode", "opencode", "opencode/exported.json", "",
          lambda path: (1, len(_value(path)["messages"]))),
    Newer("opencode", "opencode", opencode_database, "",
          lambda path: _asked(path, "SELECT count(*) FROM session",
                              "SELECT count(*) FROM message"), "and what is left of a session"),
    Newer("cline", "cline", "cline/1767225700000", "",
          lambda path: (1, len(_value(path / "api_conversation_history.json")["messages"]))),
    Newer("meta_ai", "meta_ai", "meta_ai/ai_conversations.json", "a file of an Instagram download", _meta),
    Newer("sillytavern", "sillytavern", "sillytavern/Seraphina - 2026-1-5@10h00m00s.jsonl", "", _sillytavern),
    Newer("character_ai", "character_ai", "character_ai/seraphina.json", "",
          lambda path: (len(found := _dicts(_value(path)["histories"]["histories"])),
                        sum(len(_dicts(one["msgs"])) for one in found))),
    Newer("amp", "amp", "amp/T-019b9d03.json", "", lambda path: (1, len(_value(path)["messages"]))),
    Newer("typingmind", "typingmind", "typingmind/export.json", "", _typingmind),
    Newer("lobechat", "lobechat", "lobechat/export.json", "", _lobechat,
          "and the agent's instruction in each conversation"),
    Newer("cherry_studio", "cherry_studio", "cherry_studio/data.json", "",
          lambda path: (len(found := _dicts(_value(path)["indexedDB"]["topics"])),
                        sum(len(_dicts(one["messages"])) for one in found)), "and the assistant's prompt"),
    Newer("jan", "jan", "jan/threads", "",
          lambda path: (len(found := list(path.rglob("messages.jsonl"))), sum(map(len, map(_lines, found))))),
)  # fmt: skip


def _read(path: Path) -> tuple[int, int, str]:
    """(conversations, messages, what was left out and why)."""
    with open_archive(path) as archive:
        found = [len(one.messages) for one in archive.conversations()]
        for _ in archive.resources():
            pass
        notes = archive.report().notes
    left = [f"{one.count} {one.reason}" for one in notes if one.kind in (NoteKind.SKIPPED, NoteKind.REJECTED)]
    return len(found), sum(found), "; ".join(left)


def _facts(module: str) -> str:
    """What a reader's docstring says of its facts: its paragraph on them, else the last one."""
    told = (import_module(f"archives.formats.{module}").__doc__ or "").split("\n\n")
    found = next((one for one in told if "Facts" in one), told[-1])
    facts = re.split(r"Facts(?: for Roo)?:", " ".join(found.split()), maxsplit=1)[-1]
    facts = re.sub(r"; (?:no (?:user's )?(?:file|database)\b|no file of a user's).*", "", facts)
    facts = re.sub(r" No user's database was at hand\.", "", facts)
    # paths of other repositories: in backticks a page's are this one's
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", facts.strip().rstrip("."))


def rows() -> list[tuple[Newer, tuple[int, int, str], tuple[int, int]]]:
    """Each format with what its reader finds and what is counted without it."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number, one in enumerate(NEWER):
            path = FIXTURES / one.at if isinstance(one.at, str) else one.at(Path(folder) / f"{number}.db")
            found.append((one, _read(path), one.count(path)))
    return found


def report() -> str:
    """The document, as Markdown."""
    titles = {row.id: row.title for row in FORMATS}
    lines = []
    for one, read, counted in rows():
        tried = f"`{one.at}`" if isinstance(one.at, str) else "a database of its tables"
        beside = f"{counted[0]} / {counted[1]}" + (f": {one.why}" if one.why else "")
        lines.append(
            f"| {titles[one.format_id]} | {_facts(one.module)} | {one.real or NONE_AT_HAND} | {tried} "
            f"| {read[0]} / {read[1]} | {beside} | {read[2] or 'nothing'} |\n"
        )
    return _HEAD + "".join(lines)


if __name__ == "__main__":
    sys.stdout.write(report())
