"""What `--as-of` says that it cannot tell of an earlier generation: only what is so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest, ingest
from flows.upkeep.forgetting import forget, plan_forgetting
from interfaces.main import main
from schemas.act import ActKind
from vault.erasing import Erasure
from vault.generations import published_number
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
BOAT = [("user", "We decided to paint the boat dark blue in the spring. Thanks a lot!")]
STRICT = {"passing": 1.0, "rejecting": 1.0, "own": 1.0}
Told = Callable[[int], list[str]]


@pytest.fixture
def made(tmp_path: Path, export: Callable[..., Path]) -> Callable[..., VaultLayout]:
    def make(bounds: dict[str, float] | None = None) -> VaultLayout:
        root = let_pass(tmp_path / "vault")
        if bounds:
            (root / "gate.json").write_text(json.dumps(bounds), encoding="utf-8")
        archive = export("alice", {"the-balcony": GARDEN, "the-boat": BOAT})
        assert ingested(IngestRequest(root, (archive,), account="alice")).published
        return VaultLayout(root)

    return make


@pytest.fixture
def told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    def tell(generation: int) -> list[str]:
        capsys.readouterr()
        asked = ["summarize", "--as-of", str(generation), "--json", "--vault", str(tmp_path / "vault")]
        assert main(asked) == 0
        said: Any = json.loads(capsys.readouterr().out)
        return [str(one) for one in said["notices"]]

    return tell


def test_a_forgetting_is_since_only_of_what_was_before(made: Callable[..., VaultLayout], told: Told) -> None:
    layout = made()
    first = published_number(layout) or 0
    forget(layout.root, plan_forgetting(layout.root, Erasure(match="hedge")))
    now = published_number(layout) or 0
    assert now > first
    assert any("forgotten since" in one for one in told(first))
    assert not any("forgotten since" in one for one in told(now))


def test_a_first_filing_is_no_filing_again(made: Callable[..., VaultLayout], told: Told) -> None:
    layout = made(STRICT)
    with open_vault(layout.root) as reader:
        rejected = reader.ledger.query("SELECT id FROM units_current WHERE state = 'rejected'")
    assert rejected
    with Journal(layout.journal) as journal:
        journal.append(ActKind.KEEP, [str(rejected[0][0])])
    assert ingest(IngestRequest(layout.root, ())).published
    assert not any("filed again" in one for one in told(1))
