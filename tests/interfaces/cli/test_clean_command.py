from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from interfaces.main import main

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

TALKS = {
    "hedge": [("user", "The garden hedge costs 1,200 euros.")],
    "budget": [("user", "The garden hedge costs €1200.")],
}


def test_a_sweep_from_dry_run_to_undo(
    tmp_path: Path, export: Exporter, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main([*arguments, "--vault", str(tmp_path / "vault")])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    assert run("ingest", str(export("ada", TALKS)))[0] == 0
    code, out, _ = run("clean", "duplicates", "--dry-run")
    assert (code, "What would change" in out, "applied 1" in out) == (0, True, True)
    (change,) = json.loads(run("clean", "duplicates", "--dry-run", "--json")[1])["changes"]
    assert change["unit_id"][:8] in out
    assert change["other_id"][:8] in out
    summary = json.loads(run("clean", "duplicates", "--json")[1])
    assert (summary["effects"], summary["remaining"]) == ({"applied": 1}, 0)
    hidden = summary["changes"][0]["other_id"]
    (logged,) = json.loads(run("clean", "log", "--json")[1])["judgements"]
    assert (logged["other_id"], logged["verdict"]) == (hidden, "duplicate")
    assert run("clean", "undo")[0] == 2
    assert json.loads(run("clean", "undo", hidden[:8], "--json")[1])["restored"] == [hidden]
    code, _, err = run("clean", "undo", hidden[:8])
    assert (code, "no sweep did anything" in err) == (2, True)
    code, _, err = run("clean", "accept", hidden)
    assert (code, "nothing is proposed" in err) == (2, True)
