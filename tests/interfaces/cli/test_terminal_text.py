"""No text of an archive drives the terminal, whichever command prints it, and JSON reads back unchanged."""

from __future__ import annotations

import ast
import json
import logging
import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from open_gate import let_pass

from interfaces.cli.terminal import HARMLESS, escaped, print_markdown, table, visible
from interfaces.main import main
from schemas.errors import UsageError
from vault.reader import open_vault

REPOSITORY = Path(__file__).resolve().parents[3]
EVIL = "\x1b]0;owned\x07\x9b2J\u202egnp.exe\u2066\x7f[bold]x[/bold]"
"""An OSC, a C1 introducer, turned direction, markup."""
SQL_NAMED = f'SELECT text AS "{EVIL}" FROM units_current'
SQL_CAST = "SELECT text::INT FROM messages"


def driving(text: str) -> set[str]:
    """The characters that no terminal should get, said without the module that is tried."""
    return {one for one in text if unicodedata.category(one).startswith(("C", "Zl", "Zp"))} - HARMLESS


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("driven")
    vault = let_pass(folder / "vault")
    for account in (f"ada{EVIL}", "bob"):
        message = {
            "id": "m",
            "role": "user",
            "name": f"Ada{EVIL}",
            "created_at": "2026-01-05T10:00:00Z",
            "text": f"I decided to paint the hull of the boat {EVIL} green.",
        }
        talk = {"id": "c1", "owner": f"Ada{EVIL}", "title": f"Boat {EVIL}", "messages": [message]}
        archive = folder / "boat.transcript.jsonl"
        archive.write_text(json.dumps(talk) + "\n", encoding="utf-8")
        assert main(["ingest", str(archive), "--account", account, "--vault", str(vault)]) == 0
    return vault


Say = Callable[..., str]


@pytest.fixture
def say(vault: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """All that a command prints; none of it drives a terminal."""

    def run(*arguments: str, code: int = 0) -> str:
        capsys.readouterr()
        assert main([*arguments, "--vault", str(vault)]) == code
        said = capsys.readouterr()
        assert driving(said.out + said.err) == set()
        return said.out + said.err

    return run


def hers(vault: Path) -> tuple[str, str]:
    """A note and its conversation."""
    with open_vault(vault) as reader:
        ((unit, home),) = reader.ledger.query(
            "SELECT id, conversation_id FROM units WHERE account <> 'bob' ORDER BY id LIMIT 1"
        )
    return str(unit), str(home)


def test_what_is_shown_drives_no_terminal(vault: Path, say: Say) -> None:
    unit, home = hers(vault)
    account = f"ada{EVIL}"
    assert "Ada\N{SYMBOL FOR DELETE}" in say("show", home)
    say("list", code=2)  # names the accounts
    for command in (
        ("list", "--account", account),
        ("recall", "the boat", "--explain", "--account", account),
        ("get", unit),
        ("get", unit, home, "--full"),
        ("gate", "--explain", unit, "--account", account),
        ("summary", home),
        ("threads", "--account", account),
        ("status", "--imports"),
        ("sql", SQL_NAMED),
        ("correct", unit, f"The hull {EVIL} is red.", "--account", account),
        ("undo", "--account", account),
        ("forget", "--conversation", home, "--dry-run"),
        ("export", "units", "--to", str(vault.parent / f"out{EVIL}.jsonl".replace("/", ""))),
    ):
        try:
            say(*command)
        except AssertionError as error:
            raise AssertionError(command[:2]) from error
    assert "\N{SYMBOL FOR DELETE}" in say("sql", SQL_CAST, code=2)
    say("keep", f"{EVIL}{EVIL}", "--account", account, code=2)
    say("list", f"--{EVIL}", code=2)


def test_what_inspect_shows_drives_no_terminal(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = vault.parent / "boat.transcript.jsonl"
    for options in ([], ["--json"]):
        capsys.readouterr()
        assert main(["inspect", str(archive), *options]) == 0
        said = capsys.readouterr()
        assert driving(said.out + said.err) == set()


def test_json_reads_back_as_it_was_said(vault: Path, say: Say) -> None:
    _, home = hers(vault)
    record = json.loads(say("show", home, "--json"))
    assert record["title"] == f"Boat {EVIL}"
    (row,) = json.loads(say("sql", f'SELECT 1 AS "{EVIL}"', "--json"))
    assert row == {EVIL: 1}


@given(st.text())
def test_json_is_the_same_value_without_what_drives(text: str) -> None:
    told = escaped(json.dumps({text: text}, ensure_ascii=False))
    assert json.loads(told) == {text: text}
    assert not {one for one in told if unicodedata.category(one) in ("Cc", "Cf", "Cs")} - HARMLESS
    assert not {one for one in visible(text) if unicodedata.category(one) in ("Cc", "Cf", "Cs")} - HARMLESS


def test_letters_that_are_joined_and_lines_stay() -> None:
    said = "a\tb\r\n\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{NO-BREAK SPACE}é"
    assert visible(said) == said.replace("\r\n", "\n")


def test_nothing_in_a_table_is_markup_or_an_emoji() -> None:
    made = table("[red]t[/red]", ("[b]c[/b]",), [(":warning: [i]x[/i]",)])
    assert str(made.title) == "[red]t[/red]"
    assert str(made.columns[0].header) == "[b]c[/b]"
    assert [str(one) for one in made.columns[0].cells] == [":warning: [i]x[/i]"]


def test_warnings_and_errors_drive_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> frozenset[str]:
        logging.lastResort.handle(logging.makeLogRecord({"msg": EVIL}))  # type: ignore[union-attr]
        raise UsageError(EVIL)

    monkeypatch.setattr("interfaces.main.apply_file", broken)
    assert main(["list"]) == 2
    said = capsys.readouterr().err
    assert said.count("owned") == 2
    assert driving(said) == set()


@pytest.mark.parametrize("file_format", ["jsonl", "csv", "parquet"])
def test_an_export_to_a_terminal_drives_it_no_more(vault: Path, file_format: str) -> None:
    ours, theirs = os.openpty()
    command = ["export", "units", "--format", file_format, "--vault", str(vault)]
    code = "import sys; from interfaces.main import main; sys.exit(main(sys.argv[1:]))"
    with subprocess.Popen(
        [sys.executable, "-c", code, *command], stdout=theirs, stderr=theirs, cwd=REPOSITORY
    ) as run:
        os.close(theirs)
        said = b"".join(_read(ours)).decode().replace("\r\n", "\n")
    assert run.returncode == (2 if file_format == "parquet" else 0)
    assert driving(said) == set()
    assert ("--to" in said) == (file_format == "parquet")


def _read(terminal: int) -> Iterator[bytes]:
    try:
        while part := os.read(terminal, 1 << 16):
            yield part
    except OSError:  # Linux says so when the other side has closed
        pass
    finally:
        os.close(terminal)


def test_a_link_that_is_its_own_text_is_laid_out_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_markdown("Sources:\n- <https://chatgpt.com/c/e4001> 31209797\n")
    assert capsys.readouterr().out.count("https://chatgpt.com/c/e4001") == 1


def test_no_other_module_prints() -> None:
    """Whoever prints does so by `interfaces.cli.terminal`; `reference` writes pages of the docs."""
    printing = {"echo", "secho", "confirm", "prompt", "Console"}
    for path in sorted((REPOSITORY / "interfaces").rglob("*.py")):
        if path.name in ("terminal.py", "reference.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in {*printing, "print"}, f"{path.name}:{node.lineno} prints by itself"
            assert "sys.stdout.buffer" not in ast.unparse(node), f"{path.name}:{node.lineno}"
