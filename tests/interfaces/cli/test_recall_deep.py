"""`mnemic recall --deep` on an ingested vault, by flag and by settings."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from interfaces.main import main

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
