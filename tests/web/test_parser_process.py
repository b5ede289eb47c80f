"""The child that parses: how it starts, and that it never outlives what it was asked for."""

from __future__ import annotations

import signal
import subprocess
import sys
import venv
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("trafilatura", reason="no mnemic[web]: no page was parsed")
from schemas.errors import MachineError
from tests.web.local_web import article
from web.fetch.outcome import Bounds, Fetched, PageOutcome
from web.pages.parser_process import PageParser, page_line

PAGE = Fetched("http://a.test/", PageOutcome.KEPT, body=article("Noss", "puffin").encode())
ENDLESS = Fetched("http://a.test/", PageOutcome.KEPT, body=b"<html><body>" + b"<p>a</p>" * 200_000)


def test_the_parser_starts_as_mnemic_itself_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By mnemic's own search path: not by what is installed beside the interpreter, or by PYTHONPATH."""
    venv.create(tmp_path / "bare", symlinks=True)
    (site,) = (tmp_path / "bare" / "lib").glob("*/site-packages")
    (site / "sitecustomize.py").write_text("print('hello')\nprint('and', end='', flush=True)\n")
    (tmp_path / "json.py").write_text("raise SystemExit(9)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bare" / "bin" / "python"))
    with closing(PageParser(Bounds(parse_seconds=20))) as parser:
        assert [parser.parsed(PAGE).outcome for _ in range(2)] == [PageOutcome.KEPT] * 2


@pytest.mark.parametrize("executable", ["/bin/false", "/nowhere/python"])
def test_a_parser_that_does_not_start_is_no_page_s_fault(
    monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    with closing(PageParser(Bounds())) as parser, pytest.raises(MachineError, match="does not start"):
        parser.parsed(PAGE)


def test_a_parser_without_its_parent_ends(capfd: pytest.CaptureFixture[str]) -> None:
    ended = []
    for page, seconds, heard in ((ENDLESS, 0.2, True), (PAGE, 20.0, False)):
        with closing(PageParser(Bounds())) as parser:
            child = parser.started()
            assert isinstance(child, subprocess.Popen)
            assert child.stdin is not None
            assert child.stdout is not None
            if not heard:
                child.stdout.close()
            child.stdin.write(page_line(page, rendered=False, seconds=seconds))
            child.stdin.flush()
            ended.append(child.wait(30))
    assert ended == [-signal.SIGALRM, 0]
    assert capfd.readouterr().err == ""
