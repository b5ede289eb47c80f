"""Where on this machine a conversation lies that an assistant keeps as a file named by the session's id.

Looked for when it is asked for, by the form of the id alone: nothing that an archive says becomes part of a
path unless it is a UUID.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from archives.places import AssistantFolder

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TOOLS = {"claude_code": "claude-code", "codex": "codex"}
"""Provider to the assistant whose files bear the session's id: `<id>.jsonl`, `rollout-<time>-<id>.jsonl`."""
_LINE_IDS = {"claude_code": "uuid"}
"""The key under which a line names its own message."""


def local_source(provider: str, native_id: str, message: str, there: Iterable[AssistantFolder]) -> str | None:
    """The file of a session, with the line of a message of it where the file names messages: `path:line`.

    `native_id` and `message` are the assistant's own ids, `there` its places (`archives.places.places`). None
    where there is no such file any more, or where an id has not the form of the assistant's.
    """
    tool = _TOOLS.get(provider)
    if tool is None or not _UUID.fullmatch(native_id):
        return None
    for place in there:
        if place.tool != tool:
            continue
        for path in sorted(place.root.glob(f"**/*{native_id}.jsonl")):
            if path.is_file() and not path.is_symlink():
                line = _line_of(path, _LINE_IDS.get(provider), message)
                return f"{path}:{line}" if line else str(path)
    return None


def _line_of(path: Path, key: str | None, message: str) -> int | None:
    """The first line, from 1, that bears the id of the message; None where none does."""
    plain = message.partition("~")[0]  # of a message in several versions, the file's own id
    if key is None or not _UUID.fullmatch(plain):
        return None
    named = re.compile(rb'"%s"\s*:\s*"%s"' % (key.encode(), plain.encode()))
    try:
        with path.open("rb") as lines:
            return next((number for number, line in enumerate(lines, 1) if named.search(line)), None)
    except OSError:
        return None
