from __future__ import annotations

import json
import os
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from interfaces.main import cli, main
from schemas.errors import UsageError

FIXTURES = Path(__file__).resolve().parents[2] / "archives" / "fixtures"
KEYS = [
    "format", "conversations", "messages_active", "user_typed", "assistant", "off_branch", "tool_results",
    "reasoning", "titles", "first_time_utc", "last_time_utc", "skipped", "unknown", "errors",
]  # fmt: skip


def mnemic(*words: str | Path) -> str:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.output


def test_inspect_prints_the_keys_that_scripts_rely_on() -> None:
    found = json.loads(mnemic("inspect", FIXTURES / "chatgpt" / "branches.json", "--json"))
    assert list(found) == KEYS
    assert (found["conversations"], found["messages_active"], found["off_branch"]) == (4, 9, 3)
    assert (found["user_typed"], found["assistant"]) == (3, 4)
    assert found["skipped"]
    assert [error["reason"] for error in found["errors"]] == [
        "a conversation without its messages (no mapping)"
    ]


def test_inspect_shows_documents_too() -> None:
    out = mnemic("inspect", FIXTURES / "claude_ai" / "account_export")
    assert "resources" in out
    assert "3" in next(line for line in out.splitlines() if "resources" in line)


@pytest.mark.parametrize(
    ("zone", "first"), [(None, "2026-01-13T09:05:00Z"), ("Asia/Tokyo", "2026-01-13T00:05:00Z")]
)
def test_local_times_are_told_or_named_as_a_guess(zone: str | None, first: str) -> None:
    words: list[str | Path] = ["inspect", FIXTURES / "whatsapp" / "ios.txt", "--json"]
    found = json.loads(mnemic(*words, *(("--timezone", zone) if zone else ())))
    assert found["format"] == "whatsapp"
    assert ("a local time without a zone" in found["unknown"]) == (zone is None)
    assert found["first_time_utc"] == first


def test_how_much_an_archive_may_unfold_to_is_said_by_a_flag_or_else_a_setting(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(FIXTURES / "chatgpt" / "branches.json", "conversations.json")
        archive.writestr("note.txt", "x")
    setting = {"MNEMIC_MAX_MEMBERS": "1"}
    refused = CliRunner().invoke(cli, ["inspect", str(path)], env=setting)
    assert "more than 1 members" in str(refused.exception)
    said = CliRunner().invoke(cli, ["inspect", str(path), "--max-members", "2"], env=setting)
    assert said.exit_code == 0, said.output
    wrong = CliRunner().invoke(cli, ["inspect", str(path)], env={"MNEMIC_MAX_MEMBERS": "many"})
    assert isinstance(wrong.exception, UsageError)


def test_a_cut_database_is_told_with_its_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, vault = tmp_path / "state.db", str(tmp_path / "vault")
    headers = [{"bubbleId": "b1", "type": 1}]
    rows = {
        "composerData:c1": json.dumps({"name": "Hedge", "fullConversationHeadersOnly": headers}),
        "bubbleId:c1:b1": json.dumps({"type": 1, "text": "I decided to cut the hornbeam hedge in March."}),
        "padding": "x" * 20_000,
    }
    with closing(sqlite3.connect(state)) as connection, connection:
        connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
        connection.executemany("INSERT INTO cursorDiskKV VALUES (?, ?)", rows.items())
    whole = state.stat().st_size
    os.truncate(state, whole - 100)
    assert main(["ingest", str(state), "--account", "ada", "--vault", vault]) == 3
    ingested = capsys.readouterr().out
    assert main(["status", "--imports", "--vault", vault]) == 0
    for said in (ingested, capsys.readouterr().out):
        told = " ".join(said.replace("│", " ").split())
        assert f"the database is cut: {whole - 100:,} of {whole:,} bytes are there" in told
        assert "first in state.db" in told
        assert "Close the program that writes it, copy it again together with the files beside it" in told
