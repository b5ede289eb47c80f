"""A note that recall tells lies at a path at once, also before a run has filed it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest, ingest
from interfaces.main import main
from vault.reader import open_vault

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
HEALTH = [("user", "I am allergic to penicillin. My doctor prescribed a cream for my eczema.")]

Told = Callable[..., Any]


@pytest.fixture
def vault(tmp_path: Path, export: Callable[..., Path]) -> Path:
    """Told notes on a garden, and rejected ones on health, of another conversation."""
    root = let_pass(tmp_path / "vault")
    assert ingested(IngestRequest(root, (export("alice", {"the-balcony": GARDEN}),))).published
    (root / "gate.json").write_text(
        json.dumps({"passing": 1.0, "rejecting": 1.0, "own": 1.0}), encoding="utf-8"
    )
    assert ingest(IngestRequest(root, (export("doctor", {"the-doctor": HEALTH}),), account="alice")).published
    return root


@pytest.fixture
def told(vault: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    def tell(*arguments: str, code: int = 0) -> Any:
        capsys.readouterr()
        assert main([*arguments, "--json", "--vault", str(vault)]) == code
        out = capsys.readouterr().out
        return json.loads(out) if out else None

    return tell


def rejected(vault: Path) -> list[str]:
    with open_vault(vault) as reader:
        found = reader.ledger.query("SELECT id FROM units_current WHERE state = 'rejected' ORDER BY id")
    return [str(unit) for (unit,) in found]


def whole(told: Told, *arguments: str) -> dict[str, int]:
    """Notes by path; as many as are told in all, and each at one path at least."""
    said = told("summarize", "--depth", "1", *arguments)
    counts: dict[str, int] = said["note_counts"]["alice"]
    assert said["total_notes"] <= sum(counts.values()) <= 3 * said["total_notes"]
    return counts


def test_a_note_kept_out_of_the_rejected_lies_somewhere(vault: Path, told: Told) -> None:
    unit = rejected(vault)[0]
    before = whole(told)
    told("keep", unit)
    assert told("path", "show", unit)["notes"] == [{"id": unit, "path": "unsorted.untitled"}]
    assert whole(told) == before | {"unsorted": before.get("unsorted", 0) + 1}
    told("path", "move", unit, "health.allergy")
    assert told("path", "show", unit)["notes"] == [{"id": unit, "path": "health.allergy"}]
    told("undo")
    told("undo")
    assert whole(told) == before


def test_the_topic_is_that_of_the_conversations_other_notes(
    vault: Path, told: Told, export: Callable[..., Path]
) -> None:
    first, second, *_ = rejected(vault)
    told("keep", first)
    later = export("later", {"the-lawn": [("user", "The lawn in the garden has moss in the shade.")]})
    assert ingest(IngestRequest(vault, (later,), account="alice")).published
    assert all("the-doctor" in one["path"] for one in told("path", "show", first)["notes"])
    told("keep", second)
    assert told("path", "show", second)["notes"] == [{"id": second, "path": "unsorted.the-doctor"}]


def test_notes_of_then_lie_somewhere_once_a_taxonomy_changed(
    vault: Path, told: Told, export: Callable[..., Path]
) -> None:
    assert whole(told, "--as-of", "2")
    with open_vault(vault) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units_current WHERE text LIKE '%tomatoes%'")
    told("discard", str(unit))
    (vault / "taxonomy.yaml").write_text("paths: {plants: {about: plants on the balcony}}", encoding="utf-8")
    again = export("again", {"the-lawn": [("user", "The lawn in the garden has moss in the shade.")]})
    assert ingest(IngestRequest(vault, (again,), account="alice")).published
    assert whole(told, "--as-of", "2")


def test_a_rejected_note_is_not_moved(vault: Path, told: Told, capsys: pytest.CaptureFixture[str]) -> None:
    unit = rejected(vault)[0]
    assert main(["path", "move", unit, "home.odd", "--vault", str(vault)]) == 2
    assert "is rejected and lies nowhere" in capsys.readouterr().err
    told("undo", code=1)
