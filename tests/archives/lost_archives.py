"""Small archives of many services, each with a text where readers once did not look."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

AT = "2026-01-05T10:00:00Z"
MS = 1767607200000


class Lost(NamedTuple):
    """A file, and what of it has to be found: `origin(label): text`, and names of attachments."""

    name: str
    data: Any
    segments: list[str] = []  # noqa: RUF012 - a tuple's default is never changed
    attachments: list[str] = []  # noqa: RUF012
    title: str | None = None


def claude_code(*lines: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"sessionId": "s", "uuid": str(n), "timestamp": AT, **line} for n, line in enumerate(lines)]


def codex(*payloads: dict[str, Any], kind: str = "response_item") -> list[dict[str, Any]]:
    opening = {"timestamp": AT, "type": "session_meta", "payload": {"id": "x", "cwd": "/w"}}
    return [opening, *({"timestamp": AT, "type": kind, "payload": payload} for payload in payloads)]


def claude_ai(*content: dict[str, Any], **message: Any) -> list[dict[str, Any]]:
    told = {"uuid": "m", "sender": "assistant", "text": "", "content": list(content), **message}
    return [{"uuid": "c", "name": "Talk", "created_at": AT, "chat_messages": [told]}]


def chatgpt(content: dict[str, Any], role: str = "assistant", **metadata: Any) -> list[dict[str, Any]]:
    message = {"author": {"role": role}, "content": content, "metadata": metadata, "recipient": "all"}
    return [{"conversation_id": "c", "mapping": {"n": {"parent": None, "children": [], "message": message}}}]


def discord(**row: Any) -> dict[str, Any]:
    told = {"id": "1", "type": "Default", "timestamp": AT, "content": "", "author": {"name": "ada"}, **row}
    return {"guild": {"name": "G"}, "channel": {"id": "7", "name": "boats"}, "messages": [told]}


def messenger(**row: Any) -> dict[str, Any]:
    told = {"sender_name": "Ada", "timestamp_ms": MS, **row}
    return {"participants": [{"name": "Ada"}], "title": "T", "thread_path": "t", "messages": [told]}


def telegram(**row: Any) -> dict[str, Any]:
    told = {"id": 1, "type": "message", "date": "2026-01-05T10:00:00", "from": "Ada", "text": "", **row}
    return {"name": "Boats", "id": 9, "messages": [told]}


def slack(**row: Any) -> list[dict[str, Any]]:
    return [{"type": "message", "ts": "1767607200.000100", "text": "", **row}]


def takeout(**row: Any) -> list[dict[str, Any]]:
    return [{"header": "Gemini Apps", "products": ["Gemini Apps"], "time": AT, **row}]


def openwebui(chat: dict[str, Any] | None = None, **message: Any) -> list[dict[str, Any]]:
    told = {"id": "a", "parentId": None, "childrenIds": [], "role": "assistant", "content": "Yes.", **message}
    return [{"id": "c", "chat": {**(chat or {}), "history": {"currentId": "a", "messages": {"a": told}}}}]


def lechat(**row: Any) -> list[dict[str, Any]]:
    return [{"id": "a", "chatId": "c", "role": "assistant", "content": "Look.", "createdAt": AT, **row}]


def vscode(**request: Any) -> dict[str, Any]:
    return {"sessionId": "v", "requests": [{"requestId": "r", "message": {"text": "Go."}, **request}]}


def pi(*lines: dict[str, Any]) -> list[dict[str, Any]]:
    opening = {"type": "session", "id": "s", "timestamp": AT, "cwd": "/w"}
    asked = {"type": "message", "id": "q", "message": {"role": "user", "content": "Go."}}
    return [opening, asked, *lines]


def copilot_cli(kind: str, **data: Any) -> list[dict[str, Any]]:
    opening = {"type": "session.start", "id": "0", "data": {"sessionId": "s", "startTime": AT}}
    return [opening, {"type": kind, "id": "1", "timestamp": AT, "data": data}]


def grok(**beside: Any) -> dict[str, Any]:
    talk = {"conversation": {"id": "g", "title": "T"}, "responses": [{"sender": "human", "message": "One."}]}
    return {"conversations": [talk], **beside}


def written(folder: Path, lost: Lost) -> Path:
    path = folder / lost.name
    if isinstance(lost.data, str):
        path.write_text(lost.data)
    elif lost.name.endswith(".jsonl"):
        path.write_text("\n".join(map(json.dumps, lost.data)) + "\n")
    else:
        path.write_text(json.dumps(lost.data))
    return path


def segments(conversations: Any) -> list[str]:
    return [
        f"{one.origin}{f'({one.label})' if one.label else ''}: {message.text[one.start : one.end]}"
        for conversation in conversations
        for message in conversation.messages
        for one in message.segments
    ]
