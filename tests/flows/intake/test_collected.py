"""Copies of assistants' files: one state each, whatever is written meanwhile."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from archives.places import AssistantFolder, places
from flows.intake.collected import Snapshot, changed, kept_answers, take_snapshot, units_of
from schemas.errors import UsageError
from vault.layout import VaultLayout


@pytest.fixture
def layout(tmp_path: Path) -> VaultLayout:
    made = VaultLayout(tmp_path / "vault")
    made.create()
    return made


def taken(layout: VaultLayout, folder: Path, pattern: str, depth: int | None = None) -> Snapshot:
    return take_snapshot(layout, units_of([AssistantFolder("codex", folder, (pattern,), depth)]), folder)


def laid(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_an_unfinished_line_is_cut_from_the_copy(layout: VaultLayout, tmp_path: Path) -> None:
    lines = laid(tmp_path / "home" / "s.jsonl", '{"a": 1}\n{"b": ')
    snapshot = taken(layout, lines.parent, "*.jsonl")
    assert (snapshot.folders[0] / "s.jsonl").read_text() == '{"a": 1}\n'
    assert lines.read_text().endswith('{"b": ')


@pytest.mark.parametrize("text", ['{"a": 1}', '{"a": 1}\n{"b": 2}', '{"a": 1}\n', "\n"])
def test_whole_lines_stay_with_or_without_an_end(layout: VaultLayout, tmp_path: Path, text: str) -> None:
    lines = laid(tmp_path / "home" / "s.jsonl", text)
    snapshot = taken(layout, lines.parent, "*.jsonl")
    assert (snapshot.folders[0] / "s.jsonl").read_text() == text


def test_a_line_longer_than_a_step_is_cut_whole(layout: VaultLayout, tmp_path: Path) -> None:
    lines = laid(tmp_path / "home" / "s.jsonl", '{"a": 1}\n{"b": "' + "x" * 200_000)
    snapshot = taken(layout, lines.parent, "*.jsonl")
    assert (snapshot.folders[0] / "s.jsonl").read_text() == '{"a": 1}\n'


def test_half_written_json_waits_for_the_next_run(layout: VaultLayout, tmp_path: Path) -> None:
    file = laid(tmp_path / "home" / "s.json", '{"messages": [')
    assert taken(layout, file.parent, "*.json").unfinished == [str(file)]
    assert not list(layout.collecting.rglob("*.json"))
    file.write_text('{"messages": []}')
    assert taken(layout, file.parent, "*.json").unfinished == []


def test_a_database_comes_with_its_log(layout: VaultLayout, tmp_path: Path) -> None:
    path = tmp_path / "home" / "a.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as live:
        live.execute("PRAGMA journal_mode = WAL")
        live.execute("CREATE TABLE said (words)")
        live.execute("INSERT INTO said VALUES ('in the log')")
        live.commit()
        before = sorted(one.name for one in path.parent.iterdir())
        snapshot = taken(layout, path.parent, "*.db")
        assert sorted(one.name for one in path.parent.iterdir()) == before
    with closing(sqlite3.connect(snapshot.folders[0] / "a.db")) as copy:
        assert copy.execute("SELECT words FROM said").fetchall() == [("in the log",)]


def test_a_session_is_taken_with_its_subagents(layout: VaultLayout, tmp_path: Path) -> None:
    home = tmp_path / "home"
    laid(home / "project" / "s1.jsonl", "{}\n")
    agent = laid(home / "project" / "s1" / "subagents" / "agent-1.jsonl", "{}\n")
    laid(home / "project" / "s2.jsonl", "{}\n")
    place = AssistantFolder("codex", home, ("**/*.jsonl",), 2)
    first = units_of([place])
    assert [len(unit.files) for unit in first] == [2, 1]
    read = {unit.key: unit.stamp for unit in first}
    laid(agent, "{}\n{}\n")
    assert [Path(unit.key).name for unit in changed(units_of([place]), read)] == ["s1"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    secret = laid(tmp_path / "secret.jsonl", "{}\n")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "s.jsonl").symlink_to(secret)
    assert units_of([AssistantFolder("codex", tmp_path / "home", ("*.jsonl",))]) == []


def test_what_a_killed_run_copied_goes(layout: VaultLayout, tmp_path: Path) -> None:
    laid(layout.collecting / "codex" / "old.jsonl", "{}\n")
    taken(layout, laid(tmp_path / "home" / "s.jsonl", "{}\n").parent, "*.jsonl")
    assert [one.name for one in layout.collecting.rglob("*.jsonl")] == ["s.jsonl"]


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("linux", ".local/share/zed/threads"),
        ("darwin", "Library/Application Support/Zed/threads"),
        ("win32", "AppData/Local/Zed/threads"),
    ],
)
def test_places_are_those_of_the_platform(tmp_path: Path, platform: str, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    assert [(one.tool, one.root) for one in places(tmp_path, platform, {})] == [("zed", tmp_path / folder)]


def test_a_variable_moves_a_place(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "sessions").mkdir(parents=True)
    (found,) = places(tmp_path, "linux", {"CODEX_HOME": str(tmp_path / "elsewhere")})
    assert found.root == tmp_path / "elsewhere" / "sessions"


def test_answers_that_cannot_be_read_stop_the_run(layout: VaultLayout) -> None:
    layout.collected.write_text('{"tools": [')
    with pytest.raises(UsageError, match="what may be collected cannot be read"):
        kept_answers(layout)
