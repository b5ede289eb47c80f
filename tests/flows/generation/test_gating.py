from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from interfaces.main import main
from schemas.act import ActKind
from schemas.unit import State
from vault.gating import explanation, outcomes
from vault.integrity import differences
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.queries import NoteFilter, list_notes
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

HULL = "The hull of the boat is 7 metres long."
GARDEN = {"garden": [("user", f"{HULL} It is painted blue. The wifi password is Tr0ub4dor&3")]}
BOTH = {**GARDEN, "boat": [("user", f"{HULL} The mast is 9 metres tall.")]}


def states(vault: Path, words: str) -> list[tuple[str, str]]:
    """(state, id) of the notes with these words, in the order of their conversations' names."""
    with open_vault(vault) as reader:
        rows = list_notes(reader.ledger, NoteFilter("ada", states=None))
        assert differences(reader.index, reader.ledger) == []
    found = sorted((str(row["conversation"]), row) for row in rows if words in str(row["text"]))
    return [(str(row["state"]), str(row["id"])) for _, row in found]


def test_the_very_words_of_an_older_note_are_merged_into_it(tmp_path: Path, export: Exporter) -> None:
    vault = let_pass(tmp_path / "vault")
    ingested(IngestRequest(vault, (export("ada", GARDEN),)))
    ((state, older),) = states(vault, "hull")
    assert state == State.PASSED
    ingested(IngestRequest(vault, (export("ada", BOTH),)))
    (newer, unit), (still, same) = states(vault, "hull")
    assert (newer, still, same) == (State.ARCHIVED, State.PASSED, older)
    with open_vault(vault) as reader:
        told = explanation(reader.ledger, unit)
        assert told["duplicate_of"] == [older]
        verdicts = told["verdicts"]
        assert isinstance(verdicts, list)
        assert verdicts[-1] == {
            "criterion": "duplicate",
            "outcome": "merge",
            "reason": f"says the same as {older}",
        }
    # once the older note is discarded, the newer one stands for itself
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.DISCARD, [older])
    more = {**BOTH, "boat": [*BOTH["boat"], ("user", "The boom is new.")]}
    ingested(IngestRequest(vault, ()))
    ingested(IngestRequest(vault, (export("ada", more),)))
    assert [state for state, _ in states(vault, "hull")] == [State.PASSED, State.DISCARDED]
    with open_vault(vault) as reader:
        assert explanation(reader.ledger, unit)["duplicate_of"] is None


def test_in_one_run_the_note_said_first_stands_for_both(tmp_path: Path, export: Exporter) -> None:
    vault = let_pass(tmp_path / "vault")
    ingested(IngestRequest(vault, (export("ada", BOTH),)))
    assert sorted(state for state, _ in states(vault, "hull")) == [State.ARCHIVED, State.PASSED]


def test_a_secret_is_held_back_and_masked(tmp_path: Path, export: Exporter) -> None:
    vault = let_pass(tmp_path / "vault")
    ingested(IngestRequest(vault, (export("ada", GARDEN),)))
    ((state, unit),) = states(vault, "password")
    assert state == State.REJECTED
    with open_vault(vault) as reader:
        told = explanation(reader.ledger, unit)
        counts, criteria = outcomes(reader.ledger, "ada")
        quotes = reader.ledger.query("SELECT evidence, context FROM units WHERE id = ?", [unit])
    assert "Tr0ub4dor" not in str(told["text"])
    assert "[masked: " in str(told["text"])
    assert "Tr0ub4dor" in str(quotes), "what was said stays as it was said"
    assert counts["rejected"] == 1
    assert {"criterion": "secret", "outcome": "reject", "notes": 1} in criteria


def test_the_owners_settings_are_judged_by_again(
    tmp_path: Path, export: Exporter, capsys: pytest.CaptureFixture[str]
) -> None:
    vault = tmp_path / "vault"
    archive = export("ada", GARDEN)
    ingested(IngestRequest(vault, (archive,)))
    ((before, unit),) = states(vault, "blue")
    assert before != State.PASSED, "a note that nobody understands by itself"
    VaultLayout(vault).gate.write_text('{"passing": 1.0, "rejecting": 0.0}', encoding="utf-8")
    ingested(IngestRequest(vault, (archive,)))
    assert states(vault, "blue") == [(State.REVIEW, unit)]
    VaultLayout(vault).gate.write_text('{"off": ["worth_keeping"]}', encoding="utf-8")
    ingested(IngestRequest(vault, (archive,)))
    assert states(vault, "blue") == [(State.PASSED, unit)]
    assert main(["gate", "--explain", unit, "--vault", str(vault), "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["notes"]
    assert told["gate_state"] == "passed"
    assert "worth_keeping" not in {one["criterion"] for one in told["verdicts"]}
    assert main(["gate", "--vault", str(vault)]) == 0
    assert "rejected" in capsys.readouterr().out
