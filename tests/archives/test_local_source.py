"""Where a session lies on this machine: by its id alone, and only where the id is one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archives.local_source import local_source
from archives.places import places

SESSION, MESSAGE = "0a1b2c3d-0000-4000-8000-000000000001", "0a1b2c3d-0000-4000-8000-00000000000a"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    claude = tmp_path / ".claude" / "projects" / "-work"
    claude.mkdir(parents=True)
    lines = [{"uuid": "other"}, {"parentUuid": MESSAGE, "uuid": "third"}, {"uuid": MESSAGE}]
    (claude / f"{SESSION}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    codex = tmp_path / ".codex" / "sessions" / "2026" / "01"
    codex.mkdir(parents=True)
    (codex / f"rollout-2026-01-02T10-00-00-{SESSION}.jsonl").write_text("{}\n")
    return tmp_path


def found(home: Path, provider: str, session: str = SESSION, message: str = MESSAGE) -> str | None:
    return local_source(provider, session, message, places(home, "linux", {}))


def test_a_session_has_its_file_and_line(home: Path) -> None:
    path = home / ".claude" / "projects" / "-work" / f"{SESSION}.jsonl"
    assert found(home, "claude_code") == f"{path}:3"
    assert found(home, "claude_code", message=f"{MESSAGE}~0123456789ab") == f"{path}:3"
    assert found(home, "claude_code", message="content-1") == str(path)
    assert found(home, "codex", message="") == str(next(home.glob(".codex/**/rollout-*.jsonl")))


@pytest.mark.parametrize(
    "session", ["", "*", "../x", f"{SESSION}/..", SESSION.replace("0a", "0b", 1), "[a-z]"]
)
def test_what_is_no_session_s_id_has_no_file(home: Path, session: str) -> None:
    assert found(home, "claude_code", session) is None


def test_a_link_is_not_followed_and_other_services_have_none(home: Path) -> None:
    folder = home / ".claude" / "projects" / "-work"
    (folder / f"{SESSION}.jsonl").rename(folder / "kept")
    (folder / f"{SESSION}.jsonl").symlink_to(folder / "kept")
    assert found(home, "claude_code") is None
    assert found(home, "chatgpt") is None
