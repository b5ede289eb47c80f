"""The hook that has Claude Code hand over a session when it ends: an entry in its own `settings.json`.

The entry is of the event `SessionEnd`; see https://code.claude.com/docs/en/hooks.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from schemas.errors import UsageError
from vault.files import replacing


def settings_file() -> Path:
    """Claude Code's settings for all projects: in `CLAUDE_CONFIG_DIR`, else in `~/.claude`."""
    moved = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(moved) if moved else Path.home() / ".claude") / "settings.json"


def hook_line(vault: Path) -> str:
    """The shell line that the hook runs."""
    program = Path(sys.argv[0]).resolve()
    by_module = [sys.executable, "-c", "from interfaces.main import run; run()"]
    start = [str(program)] if program.name.startswith("mnemic") else by_module
    return shlex.join([*start, "collect", "--tool", "claude-code", "--vault", str(vault.resolve())])


def install(file: Path, line: str) -> bool:
    """Add the hook to Claude Code's settings and leave all else as it is; False where it is there already.

    Raises UsageError where the file is not what such settings look like: nothing is written then.
    """
    settings = _settings(file)
    hooks = settings.setdefault("hooks", {})
    entries = hooks.setdefault("SessionEnd", []) if isinstance(hooks, dict) else None
    if not isinstance(entries, list):
        raise _unreadable(file, "`hooks` or `hooks.SessionEnd` is of another kind")
    if any(
        line == hook.get("command")
        for entry in entries
        if isinstance(entry, dict)
        for hook in entry.get("hooks", ())
        if isinstance(hook, dict)
    ):
        return False
    entries.append({"hooks": [{"type": "command", "command": line}]})
    file.parent.mkdir(parents=True, exist_ok=True)
    target = file.resolve()  # the settings may be a link into a folder of dotfiles
    with replacing(target) as fresh:
        fresh.write_text(json.dumps(settings, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return True


def _settings(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise _unreadable(file, str(error)) from error
    try:
        found = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise _unreadable(file, str(error)) from error
    if not isinstance(found, dict):
        raise _unreadable(file, "it is no JSON object")
    return found


def _unreadable(file: Path, why: str) -> UsageError:
    return UsageError(
        "Claude Code's settings cannot be read, and were left as they are",
        where=str(file),
        why=why,
        remedy="Mend the file, or add the hook by hand (docs/collecting.md)",
    )
