from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.upkeep.checkup import examine_all
from inference.weights import cache_folder
from interfaces.cli import terminal, welcome
from interfaces.cli.commands.ingest import print_summary
from interfaces.cli.plain_dates import plain_date
from interfaces.main import main
from vault.layout import default_vault_folder
from vault.reader import open_vault

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
        said = server.stderr.readline().decode()
        assert "Ctrl-C ends it" in said
        assert said.rstrip().endswith(f" mcp --vault {tmp_path}")
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
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("Begin with `mnemic setup`")


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


def test_an_undo_says_that_what_was_forgotten_stays_so(
    capsys: pytest.CaptureFixture[str], export: Exporter, tmp_path: Path
) -> None:
    talks = {"boat": [("user", "The hull is green.")], "car": [("user", "The car has a red roof.")]}
    ingested(IngestRequest(tmp_path / "vault", (export("ada", talks),)))
    vault = ["--vault", str(tmp_path / "vault")]
    with open_vault(tmp_path / "vault") as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units WHERE text LIKE '%hull%' LIMIT 1")
    assert main(["keep", str(unit), *vault]) == 0
    assert main(["forget", "--match", "red roof", "--yes", *vault]) == 0
    capsys.readouterr()
    assert main(["undo", *vault]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"What you did last, to forget at .* UTC, cannot be undone\.", first)
    assert second.startswith("took back keep 1 of ")
    assert main(["undo", *vault]) == 1
    assert "cannot be undone" in capsys.readouterr().out
    assert main(["keep", str(unit), *vault]) == 0
    capsys.readouterr()
    assert main(["undo", *vault]) == 0  # what was done after it
    assert "forget" not in capsys.readouterr().out


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 1)])
def test_on_a_terminal_notes_are_shown_before_they_are_kept(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    export: Exporter,
    tmp_path: Path,
    answer: str,
    code: int,
) -> None:
    ingested(IngestRequest(tmp_path / "vault", (export("ada", {"boat": [("user", "The hull is green.")]}),)))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{answer}\n"))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    asked = ["keep", "--query", "what colour is the hull?", "--vault", str(tmp_path / "vault")]
    assert main(asked) == code
    said = capsys.readouterr().out
    assert said.index("would be kept") < said.index("Keep it?")
    assert ("Nothing was kept" in said) == bool(code)
    if code:
        assert main([*asked, "--yes"]) == 0
        assert "?" not in capsys.readouterr().out


def test_the_line_for_an_assistant_names_a_vault_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_VAULT", "/a b/vault")
    assert welcome.assistant_line(default_vault_folder()).endswith(" mcp --vault '/a b/vault'")
    monkeypatch.delenv("MNEMIC_VAULT")
    assert welcome.assistant_line(default_vault_folder()).endswith(" mcp")


def test_the_first_ingest_on_a_terminal_ends_with_that_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, export: Exporter, tmp_path: Path
) -> None:
    archive = export("ada", {"boat": [("user", "The hull is green.")]})
    summary = ingested(IngestRequest(tmp_path / "vault", (archive,)))
    for watched in (False, True):
        monkeypatch.setattr("sys.stdout.isatty", lambda watched=watched: watched)
        print_summary(summary)
        assert ("claude mcp add mnemic -- " in capsys.readouterr().out) == watched


def test_doctor_names_the_cache_and_a_vault_that_is_not_there(tmp_path: Path) -> None:
    found = {one.what: one for one in examine_all(tmp_path / "none")}
    assert str(cache_folder()) in found["cache"].said
    assert f"there is no vault at {tmp_path / 'none'}" in found["vault"].said
    assert "mnemic ingest" in found["vault"].remedy
