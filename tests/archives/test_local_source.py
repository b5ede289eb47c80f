"""Where a session lies on this machine: by its id alone, and only where the id is one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from archives.formats.gemini_takeout import _THREAD
from archives.local_source import LocalRecord, _has_row, local_record, way_back
from archives.places import places
from benchmarks.faults.assistant_sessions import WRITERS

SESSION, MESSAGE = "0a1b2c3d-0000-4000-8000-000000000001", "0a1b2c3d-0000-4000-8000-00000000000a"
PROVIDERS = {
    "claude-code": ("claude_code", "00000001-0000-4000-8000-000000000000"),
    "codex": ("codex", "00000002-0000-4000-8000-000000000000"),
    "gemini-cli, JSON": ("gemini_cli", "00000003-0000-4000-8000-000000000000"),
    "gemini-cli, lines": ("gemini_cli", "00000004-0000-4000-8000-000000000000"),
    "antigravity": ("antigravity", "00000005-0000-4000-8000-000000000000"),
    "copilot-cli": ("copilot_cli", "00000006-0000-4000-8000-000000000000"),
    "vscode": ("vscode_chat", "00000007-0000-4000-8000-000000000000"),
    "cline": ("cline", "1785571200000"),
    "roo": ("cline", "1785571200001"),
    "kilo, tasks": ("cline", "1785571200002"),
    "opencode, files": ("opencode", "ses_f0"),
    "cursor, lines": ("cursor", "00000008-0000-4000-8000-000000000000"),
    "goose, lines": ("goose", "20260801_1"),
}
"""Of what an assistant keeps in files: the provider, and the id of its first session."""
DATABASES = {
    "kilo, database": ("opencode", "ses_k0", "session=ses_k0"),
    "opencode, database": ("opencode", "ses_d0", "session=ses_d0"),
    "cursor, editor": (
        "cursor",
        "00000009-0000-4000-8000-000000000000",
        "cursorDiskKV=composerData:00000009-0000-4000-8000-000000000000",
    ),
    "goose, database": ("goose", "20260802_1", "sessions=20260802_1"),
    "zed": (
        "zed",
        "0000000a-0000-4000-8000-000000000000",
        "threads=0000000a-0000-4000-8000-000000000000",
    ),
}
ODD = (
    "", "*", "../x", f"{SESSION}/..", f"{SESSION}\n", "[a-z]", "javascript:alert(1)", "a b", "x' OR '1'='1",
    "{id}", "ses_../../x", "ses_*", "20260801_*", "%2e%2e", "178557120000*", "~", "/etc/passwd",
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    claude = tmp_path / ".claude" / "projects" / "-work"
    claude.mkdir(parents=True)
    lines = [{"uuid": "other", "within": {"uuid": MESSAGE}}, {"parentUuid": MESSAGE}, {"uuid": MESSAGE}]
    (claude / f"{SESSION}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return tmp_path


@pytest.fixture(scope="module")
def full_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every assistant's sessions, below a folder whose name is not one for an address."""
    home = tmp_path_factory.mktemp("home") / "A da's <home> #1"
    for write in WRITERS.values():
        for number in range(2):
            write(home, number, f"The sail is {number} metres long.")
    return home


def found(home: Path, provider: str, session: str = SESSION, message: str = MESSAGE) -> LocalRecord | None:
    return local_record(provider, session, message, places(home, "linux", {}))


def test_a_message_of_a_session_has_its_line(home: Path) -> None:
    path = home / ".claude" / "projects" / "-work" / f"{SESSION}.jsonl"
    for message in (MESSAGE, f"{MESSAGE}~0123456789ab"):
        one = found(home, "claude_code", message=message)
        assert one == LocalRecord(path, 3)
        assert (one.place, one.link) == (f"{path}:3", f"{path.as_uri()}#L3")
    assert found(home, "claude_code", message="content-1") == LocalRecord(path)


@pytest.mark.parametrize("name", PROVIDERS)
def test_every_assistants_session_has_its_file(full_home: Path, name: str) -> None:
    provider, session = PROVIDERS[name]
    one = found(full_home, provider, session)
    assert one is not None
    assert one.record is None
    assert one.path.is_file()
    assert session in str(one.path) or session in one.path.read_text()
    assert not set(one.link) & set(" <>'\"")
    assert one.link.startswith("file:///")


@pytest.mark.parametrize("name", DATABASES)
def test_a_session_in_a_database_has_its_row(full_home: Path, name: str) -> None:
    provider, session, row = DATABASES[name]
    before = sorted(full_home.rglob("*"))
    one = found(full_home, provider, session)
    assert one is not None
    assert one.record == row
    assert one.link.endswith(row.replace(":", "%3A"))
    assert sorted(full_home.rglob("*")) == before
    assert found(full_home, provider, session[:-1] + "7") is None


@pytest.mark.parametrize("session", [*ODD, SESSION.replace("0a", "0b", 1)])
@pytest.mark.parametrize("provider", sorted({one for one, *_ in (*PROVIDERS.values(), *DATABASES.values())}))
def test_what_is_no_session_s_id_has_no_file(full_home: Path, provider: str, session: str) -> None:
    assert found(full_home, provider, session) is None


@pytest.mark.parametrize("day", ["2026/07/23", "2026/07/24", "2026/07/25", "2020/01/01"])
def test_a_rollout_is_found_in_whatever_days_folder(tmp_path: Path, day: str) -> None:
    session = "019f9213-8c00-7000-8000-000000000001"  # 2026-07-24, as its first digits say
    path = tmp_path / ".codex" / "sessions" / day / f"rollout-2026-07-24T10-00-00-{session}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("{}\n")
    assert found(tmp_path, "codex", session) == LocalRecord(path)
    assert found(tmp_path, "codex", f"ffffffff-ffff-7{session[15:]}") is None


def test_a_file_that_names_another_session_is_not_it(full_home: Path) -> None:
    assert found(full_home, "gemini_cli", "00000003-0000-4000-8000-00000000dead") is None


def test_a_link_is_not_followed_and_other_services_have_none(home: Path) -> None:
    folder = home / ".claude" / "projects" / "-work"
    (folder / f"{SESSION}.jsonl").rename(folder / "kept")
    (folder / f"{SESSION}.jsonl").symlink_to(folder / "kept")
    assert found(home, "claude_code") is None
    assert found(home, "chatgpt") is None


def test_a_folder_that_is_a_link_is_not_gone_into(home: Path, tmp_path: Path) -> None:
    projects = home / ".claude" / "projects"
    (projects / "-work").rename(tmp_path / "outside")
    (projects / "-work").symlink_to(tmp_path / "outside")
    assert found(home, "claude_code") is None


def test_a_page_at_the_service_comes_before_a_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    assert way_back("chatgpt", SESSION) == f"https://chatgpt.com/c/{SESSION}"
    assert str(way_back("claude_code", SESSION, MESSAGE)).endswith(f"{SESSION}.jsonl#L3")
    assert way_back("markdown", SESSION) is None


def test_a_view_without_end_in_a_database_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "CREATE VIEW session AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c)"
            " SELECT 'x' || id AS id FROM c"
        )
        database.commit()
    assert not _has_row(path, "session", "id", "ses_1")


@pytest.mark.parametrize(
    ("address", "thread"),
    [
        ("https://gemini.google.com/app/0123456789abcdef", "0123456789abcdef"),
        ("https://gemini.google.com/app/c/0123456789abcdef?hl=en", "0123456789abcdef"),
        ("https://gemini.google.com/app/settings", None),
        ("https://gemini.google.com/search?q=/app/0123456789abcdef", None),
        ("javascript://gemini.google.com/app/0123456789abcdef", None),
    ],
)
def test_only_a_page_of_a_conversation_names_a_thread(address: str, thread: str | None) -> None:
    found = _THREAD.match(address)
    assert (found and found[1]) == thread
