"""What a person sees on a terminal of eighty columns: no line is cut, no number, date or id is folded."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from interfaces.main import main

COLUMNS = 80
TALK = (
    '{"id": "c1", "owner": "Mara", "title": "A boat whose title is long enough to fold", '
    '"created_at": "2026-01-05T10:00:00Z", '
    '"messages": [{"id": "m", "role": "user", "created_at": "2026-01-05T10:00:00Z", '
    '"text": "I decided to paint the hull of the boat green. It must be dry by 3 May."}, '
    '{"id": "n", "role": "user", "created_at": "2026-01-05T10:01:00Z", "text": ""}]}\n'
)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("narrow")
    archive = folder / "an-archive-with-a-long-name.transcript.jsonl"
    archive.write_text(TALK, encoding="utf-8")
    assert main(["ingest", str(archive), "--account", "mara", "--vault", str(folder / "vault")]) == 0
    return folder / "vault"


def seen(*arguments: str) -> list[str]:
    """The lines that a command prints on a real terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    surroundings = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen(
        [sys.executable, "-c", "from interfaces.main import run; run()", *arguments],
        stdout=theirs,
        stdin=subprocess.DEVNULL,
        env={**surroundings, "TERM": "xterm", "NO_COLOR": "1"},
    ) as running:
        os.close(theirs)
        said = b""
        while part := _read(ours):
            said += part
    os.close(ours)
    assert running.returncode == 0
    return re.sub(r"\x1b\[[0-9;]*m|\r", "", said.decode()).splitlines()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # how Linux says that the other end is closed
        return b""


@pytest.mark.parametrize("command", [("list",), ("status", "--imports"), ("vault", "list")])
def test_a_table_fits_and_folds_no_date_number_or_id(vault: Path, command: tuple[str, ...]) -> None:
    lines = seen(*command, "--vault", str(vault))
    rows = [line for line in lines if line.startswith(("│", "┃", "┏", "└"))]
    assert rows
    assert all(len(line) <= COLUMNS and line[-1] in "│┃┓┘" for line in rows)
    whole = {"list": ("2026-01-05", "to paint the hull of the boat"), "status": ("2026-01-05", "mara")}
    for one in whole.get(command[0], ("published", " MiB")):
        assert any(one in line for line in rows)
