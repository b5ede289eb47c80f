"""Where assistants keep their conversations on a person's machine: one table for macOS, Linux and Windows.

The readers' modules name the files' formats and their sources. The places of Antigravity, Goose and Zed are
those of github.com/vshulcz/deja-vu (`docs/registry/`). No place was looked at on macOS or Windows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_HOME, _CONFIG, _DATA, _LOCAL, _CLAUDE, _CODEX = "home", "config", "data", "local", "claude", "codex"

_BASES: dict[str, dict[str, tuple[str, str]]] = {
    _HOME: {},
    _CONFIG: {
        "linux": ("XDG_CONFIG_HOME", ".config"),
        "darwin": ("", "Library/Application Support"),
        "win32": ("APPDATA", "AppData/Roaming"),
    },
    # programs that follow XDG everywhere
    _DATA: dict.fromkeys(("linux", "darwin", "win32"), ("XDG_DATA_HOME", ".local/share")),
    _LOCAL: {
        "linux": ("XDG_DATA_HOME", ".local/share"),
        "darwin": ("", "Library/Application Support"),
        "win32": ("LOCALAPPDATA", "AppData/Local"),
    },
    _CLAUDE: dict.fromkeys(("linux", "darwin", "win32"), ("CLAUDE_CONFIG_DIR", ".claude")),
    _CODEX: dict.fromkeys(("linux", "darwin", "win32"), ("CODEX_HOME", ".codex")),
}
"""Of each base and platform, the variable that moves it and the folder below home where none does."""

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Antigravity", "Kiro")
"""VS Code and what is built on it: each may have its extensions' tasks."""

_TASKS = ("*/api_conversation_history.json", "*/history_item.json")


_FORMATS = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini-cli": "gemini_cli",
    "antigravity": "antigravity",
    "copilot-cli": "copilot_cli",
    "cursor": "cursor",
    "vscode": "vscode_chat",
    "opencode": "opencode",
    "kilo": "opencode",
    "goose": "goose",
    "zed": "zed",
    "cline": "cline",
    "roo": "cline",
}
"""The format of each assistant's files, by its id in `archives.registry`; of tasks it is Cline's."""


@dataclass(frozen=True, slots=True)
class AssistantFolder:
    """A folder of one assistant's conversations."""

    tool: str
    root: Path
    patterns: tuple[str, ...]
    """Of the files below it, in the manner of `Path.glob`. A database's log is taken with it."""
    depth: int | None = None
    """Parts of a file's path that name what is read together, such as a session and its subagents; 0:
    everything in the place; None: each file is by itself."""

    @property
    def format_id(self) -> str:
        """What its files are read as, whatever else may lie among them."""
        return _FORMATS["cline" if self.patterns == _TASKS else self.tool]

    @property
    def archive(self) -> str:
        """Name of the archive that its files make up. An archive has one format, and Kilo keeps two."""
        usual = self.format_id == _FORMATS[self.tool]
        return self.tool if usual else f"{self.tool}-{self.format_id}"


_Row = tuple[str, str, str, tuple[str, ...], int | None]
_TABLE: tuple[_Row, ...] = (
    ("claude-code", _CLAUDE, "projects", ("**/*.jsonl",), 2),
    ("codex", _CODEX, "sessions", ("**/rollout-*.jsonl",), None),
    ("codex", _CODEX, "archived_sessions", ("**/rollout-*.jsonl",), None),
    ("gemini-cli", _HOME, ".gemini/tmp", ("*/chats/**/*.json", "*/chats/**/*.jsonl"), None),
    # the folder's name differs by version and profile
    ("antigravity", _HOME, ".gemini", ("antigravity*/brain/*/.system_generated/logs/**/*.jsonl",), 3),
    ("copilot-cli", _HOME, ".copilot/session-state", ("*/events.jsonl",), None),
    ("cursor", _CONFIG, "Cursor/User", ("globalStorage/state.vscdb", "workspaceStorage/*/state.vscdb"), None),
    ("cursor", _HOME, ".cursor", ("projects/*/agent-transcripts/**/*.jsonl", "chats/*/*/store.db"), None),
    *(
        (
            "vscode",
            _CONFIG,
            f"{editor}/User",
            (
                *(f"workspaceStorage/*/chatSessions/*.{ending}" for ending in ("json", "jsonl")),
                *(f"globalStorage/emptyWindowChatSessions/*.{ending}" for ending in ("json", "jsonl")),
            ),
            None,
        )
        for editor in ("Code", "Code - Insiders", "VSCodium")
    ),
    ("opencode", _DATA, "opencode", ("storage/session/**/*.json", "storage/message/**/*.json",
                                     "storage/part/**/*.json"), 0),
    ("opencode", _DATA, "opencode", ("opencode*.db",), None),
    ("kilo", _DATA, "kilo", ("kilo*.db",), None),
    ("goose", _DATA, "goose/sessions", ("sessions.db", "*.jsonl"), None),
    ("goose", _CONFIG, "Block/goose/data/sessions", ("sessions.db", "*.jsonl"), None),
    ("zed", _LOCAL, "zed/threads", ("threads.db",), None),
    ("zed", _LOCAL, "Zed/threads", ("threads.db",), None),
    ("cline", _HOME, ".cline/data/tasks", _TASKS, 1),
    *(
        (tool, _CONFIG, f"{editor}/User/globalStorage/{extension}/tasks", _TASKS, 1)
        for editor in _EDITORS
        for tool, extension in (
            ("cline", "saoudrizwan.claude-dev"),
            ("roo", "rooveterinaryinc.roo-cline"),
            ("kilo", "kilocode.kilo-code"),
        )
    ),
)  # fmt: skip

TOOLS: tuple[str, ...] = tuple(dict.fromkeys(row[0] for row in _TABLE))
"""Names of the assistants, as `mnemic collect --tool` takes them."""


def places(home: Path, platform: str, environment: Mapping[str, str]) -> list[AssistantFolder]:
    """The places of every assistant that are there, below `home` or where the environment moves them.

    `platform` is as `sys.platform` says; what is no macOS and no Windows counts as Linux.
    """
    found: dict[tuple[str, Path, tuple[str, ...]], AssistantFolder] = {}
    seen: set[tuple[str, tuple[int, int], tuple[str, ...]]] = set()
    for tool, base, folder, patterns, depth in _TABLE:
        root = _base(base, home, platform, environment) / folder
        try:
            status = root.stat()
        except OSError:
            continue
        # where a file system does not tell capitals apart, zed and Zed are one
        same = (tool, (status.st_dev, status.st_ino), patterns)
        if same not in seen and root.is_dir():
            seen.add(same)
            found[tool, root, patterns] = AssistantFolder(tool, root, patterns, depth)
    return list(found.values())


def _base(name: str, home: Path, platform: str, environment: Mapping[str, str]) -> Path:
    by_platform = _BASES[name]
    if not by_platform:
        return home
    variable, folder = by_platform.get(platform, by_platform["linux"])
    moved = environment.get(variable) if variable else None
    return Path(moved) if moved else home / folder
