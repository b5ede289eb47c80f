"""The recorded walk in docs/images: a terminal can play it, and it shows commands that there are."""

from __future__ import annotations

import json
import re
from pathlib import Path

from benchmarks.terminal_cast import NOTE, SCENES
from interfaces.main import cli

CAST = Path(__file__).resolve().parents[3] / "docs" / "images" / "mnemic.cast"
COMMANDS = [command for _, commands in SCENES for command in commands]


def test_the_cast_is_one_that_terminals_play() -> None:
    header, *events = map(json.loads, CAST.read_text(encoding="utf-8").splitlines())
    assert (header["version"], header["width"] > 0, header["height"] > 0) == (2, True, True)
    times = [at for at, _, _ in events]
    assert times == sorted(times)
    assert 120 < times[-1] < 360
    assert {kind for _, kind, _ in events} == {"o"}


def test_the_cast_shows_the_commands_of_its_scenes() -> None:
    shown = "".join(json.loads(line)[2] for line in CAST.read_text(encoding="utf-8").splitlines()[1:])
    for command in COMMANDS:
        assert all(part in shown for part in command.split(NOTE))
        assert command.split()[1] in cli.list_commands(None)  # type: ignore[arg-type]
    assert not re.search(r"/(?:home|root|tmp|Users)/", shown)
