"""`mnemic collect`: when it reads, and what it writes into another program's settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interfaces.cli.session_end_hook import install
from interfaces.cli.watching import QUIET_SECONDS, WatchPace
from schemas.errors import UsageError

LINE = "mnemic collect --tool claude-code"
ONE, TWO = (("s1", "a"),), (("s1", "b"),)


def test_the_hook_leaves_other_settings_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    other = {"hooks": [{"type": "command", "command": "bye"}]}
    file.write_text(json.dumps({"model": "opus", "hooks": {"SessionEnd": [other]}}))
    assert install(file, LINE)
    assert not install(file, LINE)
    said = json.loads(file.read_text())
    assert said["model"] == "opus"
    mine = {"hooks": [{"type": "command", "command": LINE}]}
    assert said["hooks"]["SessionEnd"] == [other, mine]


def test_the_hook_makes_settings_where_there_are_none(tmp_path: Path) -> None:
    assert install(tmp_path / ".claude" / "settings.json", LINE)


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"SessionEnd": {}}}', "\udcff"])
def test_settings_that_cannot_be_read_are_left(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.json"
    content = text.encode("utf-8", "surrogateescape")
    file.write_bytes(content)
    with pytest.raises(UsageError, match="were left as they are"):
        install(file, LINE)
    assert file.read_bytes() == content


def test_a_change_is_read_once_it_is_quiet() -> None:
    pace = WatchPace(600)
    assert not pace.is_due(ONE, 0)
    assert not pace.is_due(TWO, QUIET_SECONDS)
    assert pace.is_due(TWO, 2 * QUIET_SECONDS)
    assert not pace.is_due((), 3 * QUIET_SECONDS)


def test_two_runs_lie_apart_by_the_owners_minutes() -> None:
    pace = WatchPace(600)
    pace.ran(100)
    assert not pace.is_due(ONE, 200)
    assert not pace.is_due(ONE, 699)
    assert pace.is_due(ONE, 700)


def test_what_never_rests_is_read_all_the_same() -> None:
    pace = WatchPace(60)
    pace.ran(0)
    due = [second for second in range(1, 200) if pace.is_due((("s1", str(second)),), second)]
    assert due[0] == 61
