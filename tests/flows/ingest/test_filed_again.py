"""A taxonomy that changed: every note is filed again, and what earlier generations had stays where it lay."""

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
from schemas.act import ActKind
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
OWN = """\
paths:
  green:
    about: gardens and plants
    examples: [The roses need water., I sowed beans in the bed.]
  other:
    about: everything that is bought
    examples: [I bought a new lamp., The shop closes at six.]
"""


@pytest.fixture
def layout(tmp_path: Path, export: Callable[..., Path]) -> VaultLayout:
    root = let_pass(tmp_path / "vault")
    archive = export("alice", {"the-balcony": GARDEN})
    assert ingested(IngestRequest(root, (archive,), account="alice")).published
    return VaultLayout(root)


@pytest.fixture
def told(layout: VaultLayout, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    def tell(*arguments: str) -> Any:
        capsys.readouterr()
        assert main([*arguments, "--json", "--vault", str(layout.root)]) == 0
        return json.loads(capsys.readouterr().out)

    return tell


def paths(told: Callable[..., Any], unit: str) -> list[str]:
    return [str(row["path"]) for row in told("path", "show", unit)["notes"]]


def run(layout: VaultLayout) -> None:
    assert ingest(IngestRequest(layout.root, ())).published


def test_what_was_discarded_since_lies_where_it_lay(layout: VaultLayout, told: Callable[..., Any]) -> None:
    with open_vault(layout.root) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units WHERE text LIKE '%hedge%'")
    before = told("summarize", "--depth", "3", "--as-of", "1")
    with Journal(layout.journal) as journal:
        journal.append(ActKind.DISCARD, [str(unit)])
    run(layout)
    layout.taxonomy.write_text(OWN, encoding="utf-8")
    run(layout)
    after = told("summarize", "--depth", "3", "--as-of", "1")
    assert after["total_notes"] == before["total_notes"]
    counts = after["prefix_counts"]["alice"]
    assert sum(counts.values()) >= after["total_notes"]
    was = {path for path in before["prefix_counts"]["alice"] if not path.startswith("unsorted")}
    assert was & set(counts)
    with Journal(layout.journal) as journal:
        journal.append(ActKind.KEEP, [str(unit)])
    run(layout)
    assert {path.split(".")[0] for path in paths(told, str(unit))} <= {"green", "other", "unsorted"}
