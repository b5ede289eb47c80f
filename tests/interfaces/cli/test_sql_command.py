"""`mnemic sql` runs one statement for a limited time, which neither ends the process nor writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from interfaces.main import main

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sql")
    (folder / "note.md").write_text("# Garden\n\nThe garden is 40 square metres.\n", encoding="utf-8")
    vault = folder / "vault"
    assert main(["ingest", str(folder / "note.md"), "--account", "ada", "--vault", str(vault)]) == 0
    return vault


@pytest.mark.parametrize("query", ["", "  ", "/* nothing */", ";", "SELECT 1; SELECT 2"])
def test_what_is_not_one_statement_is_misuse(
    vault: Path, capsys: pytest.CaptureFixture[str], query: str
) -> None:
    assert main(["sql", query, "--vault", str(vault)]) == 2
    assert "Give one statement" in capsys.readouterr().err


@pytest.mark.parametrize("query", ["SHOW TABLES", "SELECT count(*) FROM chunks;", "FROM migrations"])
def test_one_statement_is_run(vault: Path, query: str) -> None:
    assert main(["sql", query, "--vault", str(vault)]) == 0


@pytest.mark.parametrize("ask", ["CALL {}", "SELECT * FROM {}"])
def test_no_log_is_turned_on(vault: Path, tmp_path: Path, ask: str) -> None:
    log = f"enable_logging(storage='file', storage_path='{tmp_path / 'logs'}')"
    code = "import sys; from interfaces.main import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "sql", ask.format(log), "--vault", str(vault)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert done.returncode == 2, done.stderr
    assert "locked" in done.stderr
    assert not (tmp_path / "logs").exists()


def test_a_query_that_takes_too_long_is_stopped(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    endless = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range * b.range % 7 = 3"
    assert main(["sql", endless, "--seconds", "0.2", "--vault", str(vault)]) == 2
    assert "longer than 0.2 seconds" in capsys.readouterr().err
