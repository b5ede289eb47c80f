from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from interfaces.cli import terminal, welcome
from interfaces.cli.plain_dates import plain_date
from interfaces.main import main

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]
NOW = datetime(2026, 3, 31, 15, 30, tzinfo=UTC)  # a Tuesday


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("today", "2026-03-31"),
        ("Yesterday", "2026-03-30"),
        ("3 weeks ago", "2026-03-10"),
        ("a month ago", "2026-02-28"),
        ("last year", "2025-03-31"),
        ("13 months ago", "2025-02-28"),
        ("monday", "2026-03-30"),
        ("last tuesday", "2026-03-24"),
    ],
)
def test_a_few_plain_words_name_a_day(words: str, day: str) -> None:
    assert plain_date(words, NOW) == datetime.fromisoformat(f"{day}T00:00:00+00:00")


@pytest.mark.parametrize("words", ["", "soon", "2026-03-01", "9999 years ago", "-1 days ago"])
def test_other_words_name_none(words: str) -> None:
    assert plain_date(words, NOW) is None


def test_a_command_that_is_misspelt_gets_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recal", "the boat"]) == 2
    assert "Did you mean recall" in capsys.readouterr().err
    for typed in ("serach", "find", "reacll"):
        assert main([typed]) == 2
        assert "Did you mean recall?" in capsys.readouterr().err
    assert main(["xyzzy"]) == 2
    assert "--help" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(
    shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["completion", shell]) == 0
    assert f"_MNEMIC_COMPLETE={shell}_complete" in capsys.readouterr().out
    monkeypatch.setenv("_MNEMIC_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", "mnemic summ")
    monkeypatch.setenv("COMP_CWORD", "summ" if shell == "fish" else "1")
    assert main([]) == 0
    said = capsys.readouterr().out
    assert "summarize" in said
    assert "recall" not in said


def test_an_assistants_server_says_so_to_a_person(tmp_path: Path) -> None:
    asked = [sys.executable, "-c", "from interfaces.main import run; run()", "mcp", "--vault", str(tmp_path)]
    leader, follower = pty.openpty()
    with subprocess.Popen(asked, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        assert b"Ctrl-C ends it" in server.stderr.readline()
        server.kill()
    os.close(leader)
    os.close(follower)
    piped = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    assert (piped.stdout, piped.stderr) == (b"", b"")


@pytest.mark.parametrize(
    ("options", "line"), [([], "No browser was opened"), (["--no-open"], "Open this in")]
)
def test_a_page_that_no_browser_shows_says_to_open_it(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    export: Exporter,
    tmp_path: Path,
    options: list[str],
    line: str,
) -> None:
    ingested(IngestRequest(tmp_path / "vault", (export("ada", {"boat": [("user", "The hull is green.")]}),)))
    monkeypatch.setattr("interfaces.web.app.serve", lambda _, __, ready: ready())
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    assert main(["open", *options, "--vault", str(tmp_path / "vault")]) == 0
    said = capsys.readouterr()
    assert line in said.out + said.err


def test_a_question_needs_no_quotes(export: Exporter, tmp_path: Path) -> None:
    ingested(IngestRequest(tmp_path / "vault", (export("ada", {"boat": [("user", "The hull is green.")]}),)))
    asked = ["recall", "what", "colour", "is", "the", "hull", "--vault", str(tmp_path / "vault")]
    assert main([*asked, "--mode", "bm25"]) == 0
    assert main(["recall"]) == 2


def test_without_a_command_a_newcomer_is_led(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main([]) == 0
    assert "Commands:" in capsys.readouterr().out  # nobody is watching: the help
    monkeypatch.setenv("MNEMIC_VAULT", "/nowhere/at/all")
    welcome.greet()
    said = capsys.readouterr().out
    assert said.index("✓ 1. Fetch the") < said.index("→ 2. Read an archive") < said.index("3. Ask it")
    monkeypatch.setattr(welcome, "is_installed", lambda: False)
    welcome.greet()
    assert "→ 1. Fetch the embedding weights" in capsys.readouterr().out


def test_markdown_is_laid_out_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "- **decision** of Mara\n  The boat is green.\n"
    terminal.print_markdown(text)
    assert capsys.readouterr().out == text
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    terminal.print_markdown(text)
    laid_out = capsys.readouterr().out
    assert "**" not in laid_out
    assert laid_out.rstrip().splitlines()[-1].endswith("The boat is green.")
