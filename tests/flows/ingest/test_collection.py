"""What assistants keep on a machine, read twice, while it grows, and with the reader killed in between."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from assistants_home import KILO, TOOLS, assistants_home
from chatgpt_export import chatgpt_conversation

from archives import places
from flows.ingest.collection import collect, found_units, to_read
from flows.intake.collected import keep_answers, kept_answers
from interfaces.main import main
from vault.generations import published_ledger
from vault.layout import VaultLayout

ROLLOUT = ".codex/sessions/2026/07/24/rollout-2026-07-24.jsonl"
MOVED = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "platform", "linux")
    for variable in MOVED:
        monkeypatch.delenv(variable, raising=False)
    return assistants_home(tmp_path / "home")


def allowed(tmp_path: Path, *tools: str) -> VaultLayout:
    layout = VaultLayout(tmp_path / "vault")
    layout.create()
    answers = kept_answers(layout)
    keep_answers(layout, answers.model_copy(update={"tools": dict.fromkeys(tools, True)}))
    return layout


def conversations(layout: VaultLayout) -> dict[str, str]:
    """Messages' texts by conversation, of the published ledger."""
    with published_ledger(layout) as ledger:
        assert ledger is not None
        rows = ledger.query("SELECT conversation_id FROM conversations ORDER BY 1")
        found = {str(one): ledger.conversation(str(one)) for (one,) in rows}
        return {
            one: "\n".join(sorted(message.text for message in whole.messages))
            for one, whole in found.items()
            if whole
        }


def go_on(path: Path, words: str) -> None:
    """Add an answer of Codex's, and the beginning of a line that is not finished."""
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}
    line = {"timestamp": "2026-07-24T12:00:00Z", "type": "response_item", "payload": said}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n" + json.dumps(line)[:40])


def test_every_assistant_is_found_once(home: Path) -> None:
    assert {unit.tool for unit in found_units()} == set(TOOLS) == set(places.TOOLS)
    assert len({unit.key for unit in found_units()}) == len(found_units())


def test_all_tools_come_in_once_and_grow(home: Path, tmp_path: Path) -> None:
    layout = allowed(tmp_path, *TOOLS)
    first = collect(layout.root)
    assert first.summary is not None
    assert {Path(one.archive).name for one in first.summary.archives} == {*TOOLS, *KILO}
    assert all(one.new for one in first.summary.archives)
    assert first.summary.accounts == ("me",)
    assert not layout.collecting.exists()
    before = conversations(layout)

    assert collect(layout.root).summary is None
    assert to_read(layout) == []

    go_on(home / ROLLOUT, "The mast stands.")
    second = collect(layout.root).summary
    assert second is not None
    assert [(Path(one.archive).name, one.new, one.updated) for one in second.archives] == [("codex", 0, 1)]
    after = conversations(layout)
    assert after.keys() == before.keys()
    assert [one for one in after if after[one] != before[one]]
    assert sum("The mast stands." in text for text in after.values()) == 1
    assert collect(layout.root, again=True).summary is not None
    assert conversations(layout) == after


def test_both_kinds_of_kilos_sessions_come_in(home: Path, tmp_path: Path) -> None:
    layout = allowed(tmp_path, "kilo")
    assert collect(layout.root).summary is not None
    said = "\n".join(conversations(layout).values())
    assert "Paint the hull." in said
    assert "Cut the sail." in said


def test_a_file_of_another_format_hides_no_session(home: Path, tmp_path: Path) -> None:
    """Such as what a tool answered: a session's folder has its results beside it."""
    layout = allowed(tmp_path, "claude-code")
    results = home / ".claude/projects/-work-boat/0a1b2c3d-0000-4000-8000-000000000001/tool-results"
    results.mkdir()
    talk = chatgpt_conversation("other", [("user", "Somebody's export lies here.")])
    (results / "answer.jsonl").write_text(json.dumps(talk) + "\n", encoding="utf-8")
    assert collect(layout.root).summary is not None
    said = conversations(layout)
    assert len(said) == 3
    assert "Why does the kiln log stop at midnight?" in "\n".join(said.values())
    assert "Somebody's export" not in "\n".join(said.values())


def test_a_file_that_no_reader_reads_is_told_once(home: Path, tmp_path: Path) -> None:
    layout = allowed(tmp_path, "gemini-cli")
    old = {"history": [{"role": "user", "parts": [{"text": "Hello?"}]}], "start_time": "2025-12-16T23:47:00Z"}
    for path in home.rglob(".gemini/tmp/**/*.json*"):
        path.write_text(json.dumps(old), encoding="utf-8")
    summary = collect(layout.root).summary
    assert summary is not None
    (told,) = summary.archives
    assert told.report is not None
    assert [(note.reason, note.count) for note in told.report.notes] == [("a file without conversations", 1)]
    assert collect(layout.root).summary is None


KILLED = """
import os, sys
from pathlib import Path
import flows.ingest.collection as collection
real = collection.take_snapshot
def die(*_): os.kill(os.getpid(), 9)
def copied(*given):
    real(*given)
    die()
if sys.argv[2] == "copying":
    collection.take_snapshot = copied
else:
    collection._remember = die
sys.platform = "linux"
collection.collect(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("moment", ["copying", "published"])
def test_a_killed_run_loses_and_doubles_nothing(home: Path, tmp_path: Path, moment: str) -> None:
    layout = allowed(tmp_path, "codex")
    killed = subprocess.run([sys.executable, "-c", KILLED, str(layout.root), moment], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(to_read(layout)) == 1
    summary = collect(layout.root).summary
    assert summary is not None
    assert summary.rows["conversations"] == 1
    assert summary.published is (moment == "copying")
    assert to_read(layout) == []
    assert not layout.collecting.exists()


def test_without_an_answer_nothing_is_read(home: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    assert main(["collect", "--vault", str(vault)]) == 2
    assert to_read(VaultLayout(vault)) == []


def test_a_tool_that_was_turned_off_is_not_read(home: Path, tmp_path: Path) -> None:
    layout = allowed(tmp_path, "codex", "zed")
    assert [unit.tool for unit in to_read(layout)] == ["codex", "zed"]
    answers = kept_answers(layout)
    keep_answers(layout, answers.model_copy(update={"tools": {"codex": False, "zed": True}}))
    assert [unit.tool for unit in to_read(layout)] == ["zed"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_told(home: Path, tmp_path: Path) -> None:
    layout = allowed(tmp_path, "codex")
    (home / ROLLOUT).chmod(0)
    done = collect(layout.root)
    assert done.unreadable
    assert done.exit_code == 3
