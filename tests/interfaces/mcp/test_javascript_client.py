"""The server over stdio, spoken to by a client in another language; skips where npm does not have it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from open_gate import let_pass

from benchmarks.faults.javascript_client import install, random_calls, spoken_to, wrong_with
from chunking import estimate_tokens
from interfaces.main import main
from schemas.errors import UsageError
from vault.reader import open_vault

OWNER = "mara"
SAID = "I decided to paint the hull green. Which primer suits epoxy? I will call Otto Brandt on Monday."


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the installed client."""
    folder = tmp_path_factory.mktemp("javascript")
    try:
        install(folder)
    except UsageError as error:
        pytest.skip(f"no client in JavaScript: {str(error).splitlines()[0]}")
    return folder


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = let_pass(tmp_path / "vault")
    talk = {
        "id": "c1", "owner": "Mara", "title": "The boat's paint", "created_at": "2026-01-05T10:00:00Z",
        "messages": [{"id": "m1", "role": "user", "created_at": "2026-01-05T10:00:00Z", "text": SAID}],
    }  # fmt: skip
    file = tmp_path / "boat.transcript.jsonl"
    file.write_text(json.dumps(talk) + "\n", encoding="utf-8")
    assert main(["ingest", str(file), "--account", OWNER, "--vault", str(root)]) == 0
    return root


def test_a_client_of_another_language_reads_within_budgets(client: Path, vault: Path) -> None:
    with open_vault(vault) as reader:
        held = [(str(one), str(text)) for one, text in reader.ledger.query("SELECT id, text FROM units")]
    calls = random_calls(held, 40, random.Random(26))
    heard = spoken_to(client, ["--vault", str(vault)], calls)
    assert {"recall", "get", "recall_pair"} <= set(heard.tools)
    assert "remember" not in heard.tools
    assert "catch_up" in heard.prompts
    assert "mnemic://threads" in heard.resources
    wrong = [wrong_with(call, *answer) for call, answer in zip(calls, heard.answers, strict=True)]
    assert [one for one in zip(calls, wrong, strict=True) if one[1]] == []


def test_a_client_of_another_language_has_words_remembered(client: Path, vault: Path) -> None:
    ferry = "Shall I book the Friday ferry to Oban?"
    calls = [
        {"name": "remember", "arguments": {"said": "Yes, do that."}},
        {"name": "remember", "arguments": {"said": "Yes, do that.", "answering": ferry}},
        {"name": "recall", "arguments": {"query": ferry, "budget": 200}},
        {"name": "undo", "arguments": {}},
        {"name": "recall", "arguments": {"query": "the hull", "budget": 0}},
    ]
    heard = spoken_to(client, ["--vault", str(vault), "--allow-write"], calls)
    assert [failed for failed, _ in heard.answers] == [True, False, False, False, True]
    riddle, remembered, recalled, undone, _ = (text for _, text in heard.answers)
    assert "`answering`" in riddle
    assert f"in answer to: {ferry}" in remembered
    assert f"in answer to: {ferry}" in recalled
    assert estimate_tokens(recalled) <= 200
    assert "mnemic forget --conversation" in undone
