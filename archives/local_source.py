"""The way back from a conversation: its page at its service, or the file of an assistant on this machine.

A file is looked for when it is asked for, by the form of the conversation's id alone: nothing that an archive
says becomes part of a path, a pattern or a query unless it has the form of that assistant's ids. A database
is asked whether it has the session, as it stood when its log was last folded in, and nothing is written
beside it.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from archives.places import AssistantFolder, places
from schemas.source_links import source_link

LINES_LOOKED_FOR = 1 << 25
"""Bytes of a file in which the line of a message is looked for."""
_MOST_STEPS = 20_000_000
"""Instructions of SQLite's machine for one look into a database: a second at most."""
_HEAD = 1 << 16
"""Bytes from its beginning in which a session's file names its session."""
_LATEST = 4_102_444_800_000
"""Milliseconds of 1970 to 2100: an id with a later time is of something else."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OPENCODE_ID = re.compile(r"ses_[0-9A-Za-z]{1,64}")


@dataclass(frozen=True, slots=True)
class LocalRecord:
    """Where on this machine a conversation or a message of it lies."""

    path: Path
    line: int | None = None
    """From 1, where the file names its messages by line."""
    record: str | None = None
    """Of a database: the table and the key of the session's row."""

    @property
    def place(self) -> str:
        """As editors take it: `path:line`."""
        return f"{self.path}:{self.line}" if self.line else str(self.path)

    @property
    def link(self) -> str:
        """As an address; behind # the line (`L12`), or the row (`session=ses_1`)."""
        part = f"L{self.line}" if self.line else self.record and quote(self.record, safe="=")
        return self.path.absolute().as_uri() + (f"#{part}" if part else "")


@dataclass(frozen=True, slots=True)
class _Kept:
    """How an assistant keeps its sessions."""

    tools: tuple[str, ...]
    ids: re.Pattern[str]
    files: tuple[str, ...] = ()
    """Patterns below the assistant's places; {id} is the session's id, {head} its first eight characters."""
    by_day: bool = False
    """Whether a session lies in a folder of the day on which it began, by the local clock."""
    named_by: str = ""
    """The key by which a file names its session, where its name does not."""
    message_key: str = ""
    """The key by which a line names its own message."""
    databases: tuple[str, ...] = ()
    row: tuple[str, str, str] = ("", "", "")
    """Of a database: the table, its column of ids, and what stands before the id there."""


_TASK = "{id}/api_conversation_history.json"
_KEPT: dict[str, _Kept] = {
    "claude_code": _Kept(("claude-code",), _UUID, ("*/{id}.jsonl",), message_key="uuid"),
    "codex": _Kept(("codex",), _UUID, ("*/*/*/rollout-*{id}.jsonl", "rollout-*{id}.jsonl"), by_day=True),
    "gemini_cli": _Kept(
        ("gemini-cli",),
        _UUID,
        ("*/chats/session-*{head}.jsonl", "*/chats/session-*{head}.json"),
        named_by="sessionId",
    ),
    "copilot_cli": _Kept(("copilot-cli",), _UUID, ("{id}/events.jsonl",), message_key="id"),
    "antigravity": _Kept(
        ("antigravity",),
        _UUID,
        tuple(
            f"antigravity*/brain/{{id}}/.system_generated/logs/{name}.jsonl"
            for name in ("transcript_full", "transcript")
        ),
    ),
    "vscode_chat": _Kept(
        ("vscode",),
        _UUID,
        tuple(
            f"{folder}/{{id}}.{ending}"
            for folder in ("workspaceStorage/*/chatSessions", "globalStorage/emptyWindowChatSessions")
            for ending in ("jsonl", "json")
        ),
    ),
    "cursor": _Kept(
        ("cursor",),
        _UUID,
        ("projects/*/agent-transcripts/{id}.jsonl", "projects/*/agent-transcripts/*/{id}.jsonl",
         "chats/*/{id}/store.db"),
        databases=("globalStorage/state.vscdb",),
        row=("cursorDiskKV", "key", "composerData:"),
    ),
    "opencode": _Kept(
        ("opencode", "kilo"),
        _OPENCODE_ID,
        ("storage/session/*/{id}.json",),
        databases=("opencode*.db", "kilo*.db"),
        row=("session", "id", ""),
    ),
    "goose": _Kept(
        ("goose",),
        re.compile(r"[0-9]{8}_[0-9]{1,9}"),
        ("{id}.jsonl",),
        databases=("sessions.db",),
        row=("sessions", "id", ""),
    ),
    "zed": _Kept(("zed",), _UUID, databases=("threads.db",), row=("threads", "id", "")),
    "cline": _Kept(("cline", "roo", "kilo"), re.compile(r"[0-9]{13}"), (_TASK,)),
}  # fmt: skip
"""By the provider that the readers give; who is not here keeps no file that an id alone leads to."""


def way_back(provider: object, native_id: object, message: str = "") -> str | None:
    """The page of a conversation at its service, else its file on this machine; None where neither is."""
    page = source_link(provider, native_id)
    found = None if page else on_this_machine(str(provider), str(native_id), message)
    return page or (found.link if found else None)


def on_this_machine(provider: str, native_id: str, message: str = "") -> LocalRecord | None:
    """The record in the places of whoever runs this."""
    if provider not in _KEPT:
        return None
    return local_record(provider, native_id, message, places(Path.home(), sys.platform, os.environ))


def local_record(
    provider: str, native_id: str, message: str, there: Iterable[AssistantFolder]
) -> LocalRecord | None:
    """The file of a session, with the line of a message of it where the file names messages, or the database
    that has it.

    `native_id` and `message` are the assistant's own ids, `there` its places (`archives.places.places`). None
    where there is no such file any more, or where an id has not the form of the assistant's.
    """
    kept = _KEPT.get(provider)
    if kept is None or not kept.ids.fullmatch(native_id):
        return None
    roots = list(dict.fromkeys(place.root for place in there if place.tool in kept.tools))
    days = [f"{day:%Y/%m/%d}/rollout-*{{id}}.jsonl" for day in _days(native_id)] if kept.by_day else []
    for path in _files(roots, (*days, *kept.files), native_id):
        if not kept.named_by or _names(path, kept.named_by, native_id):
            return LocalRecord(path, _line_of(path, kept.message_key, message))
    table, column, before = kept.row
    for path in _files(roots, kept.databases, native_id):
        if _has_row(path, table, column, before + native_id):
            return LocalRecord(path, record=f"{table}={before}{native_id}")
    return None


def _days(native_id: str) -> list[datetime]:
    """The days on which a session of this id may have begun, where the id is one that has a time (version 7):
    there are thousands of files, and three folders to look into."""
    milliseconds = int(native_id[:8] + native_id[9:13], 16)
    if native_id[14] != "7" or milliseconds >= _LATEST:
        return []
    began = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return [began + timedelta(days=one) for one in (0, -1, 1)]


def _files(roots: Iterable[Path], patterns: Iterable[str], native_id: str) -> Iterator[Path]:
    """What is there of the patterns; no link leads out of an assistant's folder."""
    for pattern in patterns:
        wanted = pattern.format(id=native_id, head=native_id[:8])
        for root in roots:
            for path in sorted(root.glob(wanted)):
                if path.is_file() and path.resolve() == root.resolve() / path.relative_to(root):
                    yield path


def _names(path: Path, key: str, native_id: str) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return re.search(rb'"%s"\s*:\s*"%s"' % (key.encode(), native_id.encode()), head) is not None


def _line_of(path: Path, key: str, message: str) -> int | None:
    """The first line, from 1, that bears the id of the message; None where none does."""
    plain = message.partition("~")[0]  # of a message in several versions, the file's own id
    if not key or not _UUID.fullmatch(plain):
        return None
    try:
        if path.stat().st_size > LINES_LOOKED_FOR:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    for found in re.finditer(rb'"%s"\s*:\s*"%s"' % (key.encode(), plain.encode()), data):
        begin, end = data.rfind(b"\n", 0, found.start()) + 1, data.find(b"\n", found.end())
        if _says(data[begin : end if end >= 0 else None], key, plain):
            return data.count(b"\n", 0, begin) + 1
    return None


def _says(line: bytes, key: str, value: str) -> bool:
    """Whether a line has it for itself: what a tool gave back may have lines of another session within."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get(key) == value


def _has_row(path: Path, table: str, column: str, key: str) -> bool:
    """Whether the database has it. Immutable: neither lock nor log is made beside a file that is another
    program's."""
    try:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as database:
            # a view of the same name may go on for ever
            database.set_progress_handler(lambda: 1, _MOST_STEPS)
            found = database.execute(f"SELECT 1 FROM {table} WHERE {column} = ? LIMIT 1", (key,)).fetchone()
    except sqlite3.Error:
        return False
    return found is not None
