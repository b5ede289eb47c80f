"""Summaries as they are read: by their command, by recall and by `get`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from interfaces.main import main

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]
Ask = Callable[..., Any]

TURNS = [
    ("user", "The garden is 40 square metres. I can only spend 200 euros on it."),
    ("assistant", "You could plant a hedge of hornbeam. Hornbeam grows 30 cm a year."),
    ("user", "OK let's go with the hornbeam hedge. Which month is best for planting?"),
]


@pytest.fixture
def ask(tmp_path: Path, export: Exporter, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs a command with --json on a vault that holds one conversation."""
    vault = tmp_path / "vault"
    assert main(["ingest", str(export("ada", {"garden": TURNS})), "--vault", str(vault)]) == 0
    capsys.readouterr()

    def run(*words: object, code: int = 0) -> Any:
        assert main([*map(str, words), "--vault", str(vault), "--json"]) == code
        out = capsys.readouterr().out
        return json.loads(out) if out else None

    return run


def test_a_summary_is_read_by_conversation_recalled_by_kind_and_opened_by_id(ask: Ask) -> None:
    conversation = ask("list")["notes"][0]["conversation_id"]
    summary = ask("summary", conversation[:10])
    assert "hornbeam" in summary["text"]
    (hit,) = ask("recall", "hornbeam hedge", "--kind", "summary")["hits"]
    assert (hit["kind"], hit["id"], hit["conversation_id"]) == ("summary", summary["id"], conversation)
    (item,) = ask("get", summary["id"][:12])["items"]
    assert item["kind"] == "summary"
    assert item["record"]["text"] == summary["text"]
    assert {note["id"] for note in item["record"]["notes"]} == set(summary["unit_ids"])
    ask("summary", "00000000-none", code=2)


def test_a_summary_comes_after_the_notes_that_it_goes_with(ask: Ask) -> None:
    *notes, summary = ask("recall", "hornbeam hedge")["hits"]
    assert "summary" not in {hit["kind"] for hit in notes}
    assert (summary["kind"], summary["part"]) == ("summary", "peripheral")
    assert len(ask("recall", "hornbeam hedge", "--limit", 2)["hits"]) == 2
    assert "summary" not in {hit["kind"] for hit in ask("recall", "hornbeam hedge", "--kind", "unit")["hits"]}


def test_a_summary_shows_its_conversation(ask: Ask) -> None:
    (hit,) = ask("recall", "hornbeam hedge", "--kind", "summary")["hits"]
    assert ask("show", hit["id"]) == ask("show", hit["conversation_id"])
