"""`mnemic recall --deep` on an ingested vault, by flag and by settings."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text

from interfaces.cli.commands import recall as recall_command
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


FILE = """How much may the hornbeam hedge cost?

What may the hedge and the fence cost in euros?
How much may the garden fence cost?
"""


def test_a_file_s_weak_questions_share_one_call(
    tmp_path: Path,
    export: Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    vault, file = tmp_path / "vault", tmp_path / "questions.txt"
    assert main(["ingest", str(export("ada", {"garden": TURNS})), "--vault", str(vault)]) == 0
    file.write_text(FILE, encoding="utf-8")
    capsys.readouterr()

    def answer(body: dict[str, Any]) -> Scripted:
        found = re.findall(r"^([\d.]+):\n<note>\n(.*?)\n</note>", user_text(body), re.M | re.S)
        lines = [f"{number}: {9 if 'euros' in text else 5} - as told" for number, text in found]
        return Scripted(json.dumps({"lines": [one for one in lines if not one.startswith("2.")]}))

    moment = ("--as-of", "2026-11-01", "--vault", str(vault))
    with ModelServer(answer) as server:
        model = ("--deep", "--deep-threshold", "1", "--deep-judge", "model", "--base-url", server.url)
        assert main(["recall", "--questions", str(file), *model, *moment]) == 0
        told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert server.messages_sent == 1
    asked = [line for line in FILE.splitlines() if line]
    assert [one["query"] for one in told] == asked
    assert [one["deep"]["questions"] for one in told] == [3, 3, 3]
    assert [one["deep"]["timed_out"] for one in told] == [False, True, False]
    assert "200 euros" in told[0]["hits"][0]["text"]
    assert main(["recall", asked[1], "--json", *moment]) == 0
    assert {**told[1], "deep": None} == json.loads(capsys.readouterr().out)
    assert main(["status", "--json", "--vault", str(vault)]) == 0
    (spent,) = json.loads(capsys.readouterr().out)["model"]["spending"]
    assert spent["calls"] == 1


def test_questions_are_answered_as_one_by_one(
    tmp_path: Path,
    export: Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vault, file = tmp_path / "vault", tmp_path / "questions.txt"
    assert main(["ingest", str(export("ada", {"garden": TURNS})), "--vault", str(vault)]) == 0
    file.write_text(FILE * (CALLS + 1), encoding="utf-8")
    capsys.readouterr()
    moment = ("--as-of", "2026-11-01", "--vault", str(vault))
    assert main(["recall", "--questions", str(file), "--digest", *moment]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(told) == 3 * (CALLS + 1)
    assert main(["recall", "How much may the garden fence cost?", "--digest", "--json", *moment]) == 0
    assert told[2] == told[-1] == json.loads(capsys.readouterr().out)
    monkeypatch.setattr(recall_command, "ASKED_AT_ONCE", 3)
    assert main(["recall", "--questions", str(file), "--deep", "--deep-threshold", "1", *moment]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["deep"]["refused"] for one in told] == [False] * 3 * CALLS + [True] * 3
    for wrong in (["A question"], ["--session", "s"], ["--mode", "tiered"]):
        assert main(["recall", *wrong, "--questions", str(file), *moment]) == 2
    file.write_text("\n \n", encoding="utf-8")
    assert main(["recall", "--questions", str(file), *moment]) == 2
    assert "has no question" in capsys.readouterr().err
    assert main(["recall", *moment]) == 2
