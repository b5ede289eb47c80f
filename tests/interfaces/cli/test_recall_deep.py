"""`mnemic recall --deep` on an ingested vault, by flag and by settings."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from interfaces.main import main
from retrieval.deep.escalation import CALLS

TURNS = [
    ("user", "The garden is 40 square metres. I can only spend 200 euros on it."),
    ("assistant", "You could plant a hedge of hornbeam. Hornbeam grows 30 cm a year."),
    ("user", "OK let's go with the hornbeam hedge. Which month is best for planting?"),
]
QUERY = "How much may the hornbeam hedge cost?"


def test_deep_search_is_off_unless_asked_for(
    tmp_path: Path,
    export: Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vault = tmp_path / "vault"
    assert main(["ingest", str(export("ada", {"garden": TURNS})), "--vault", str(vault)]) == 0
    capsys.readouterr()

    def ask(*flags: str) -> Any:
        moment = ("--as-of", "2026-11-01")
        assert main(["recall", QUERY, *flags, *moment, "--vault", str(vault), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    plain = ask()
    assert plain["deep"] is None
    assert 0 <= plain["confidence"] <= 1
    told = ask("--deep", "--deep-threshold", "1")["deep"]
    assert (told["by"], told["timed_out"], told["refused"]) == ("offline", False, False)
    assert 0 < told["pool"] <= 50
    assert ask("--deep", "--deep-threshold", "0") == plain
    assert ask("--deep", "--deep-threshold", "1", "--deep-mode", "shadow") == plain
    monkeypatch.setenv("MNEMIC_DEEP_SEARCH_ENABLED", "true")
    monkeypatch.setenv("MNEMIC_DEEP_SEARCH_THRESHOLD", "1")
    assert ask()["deep"]["pool"] == told["pool"]
    assert ask("--no-deep") == plain


def test_a_session_s_deep_searches_count_in_every_process(
    tmp_path: Path,
    export: Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    vault = tmp_path / "vault"
    assert main(["ingest", str(export("ada", {"garden": TURNS})), "--vault", str(vault)]) == 0
    deep = ["--deep", "--deep-threshold", "1", "--vault", str(vault)]
    for _ in range(CALLS):
        assert main(["recall", QUERY, *deep, "--session", "chat", "--session-calls", "9"]) == 0
    capsys.readouterr()
    assert main(["recall", QUERY, *deep, "--session", "chat", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["deep"]
    assert told is None or told["refused"]
    assert main(["recall", QUERY, *deep, "--json"]) == 0
    assert not json.loads(capsys.readouterr().out)["deep"]["refused"]
    assert main(["status", "--json", "--vault", str(vault)]) == 0
    (month,) = json.loads(capsys.readouterr().out)["deep_searches"]
    assert month["searches"] > 1
    assert (month["judged"], month["hits"], month["share"]) == (0, 0, None)
    assert main(["train", "scorer", "--vault", str(vault)]) == 2
    assert "too few" in capsys.readouterr().err
    assert main(["train", "scorer", "--back", "--vault", str(vault)]) == 0
