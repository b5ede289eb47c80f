"""`mnemic diff main BRANCH`: what the two lines hold as published, under whatever name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.merging import fork
from flows.ingest.steps import IngestRequest, ingest
from interfaces.main import main
from schemas.act import ActKind, Deed
from vault.branches import branch_layout
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
BOAT = [("user", "We decided to paint the boat dark blue in the spring. The boat lies in Kiel.")]
Told = Callable[..., Any]


@pytest.fixture
def layout(tmp_path: Path, export: Callable[..., Path]) -> VaultLayout:
    root = let_pass(tmp_path / "vault")
    archive = export("alice", {"the-balcony": GARDEN})
    assert ingested(IngestRequest(root, (archive,), account="alice")).published
    fork(root, "t")
    return VaultLayout(root)


@pytest.fixture
def told(layout: VaultLayout, capsys: pytest.CaptureFixture[str]) -> Told:
    def tell(*arguments: str) -> Any:
        capsys.readouterr()
        assert main(["diff", *arguments, "--json", "--vault", str(layout.root)]) == 0
        return json.loads(capsys.readouterr().out)

    return tell


def did(line: VaultLayout, kind: ActKind, subject: str, detail: str = "") -> None:
    with Journal(line.journal) as journal:
        journal.record([Deed(kind, subject, detail)])


def counts(said: Any) -> tuple[int, int, int]:
    return said["stat"]["added"], said["stat"]["removed"], said["stat"]["changed"]


def test_acts_that_no_run_has_folded_are_left_out(layout: VaultLayout, told: Told) -> None:
    branch = branch_layout(layout, "t")
    with open_vault(branch.root) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units WHERE text LIKE '%hedge%'")
    did(branch, ActKind.KEEP, str(unit))
    said = told("main", "t")
    assert (counts(said), said["changes"]) == ((0, 0, 0), [])
    assert said["notices"] == ["acts on t that no run has folded are in no generation yet: 1"]
    assert ingest(IngestRequest(branch.root, ())).published
    assert counts(told("main", "t")) == (0, 0, 1)


def test_an_account_that_only_the_branch_has_is_told(
    layout: VaultLayout, told: Told, export: Callable[..., Path]
) -> None:
    branch = branch_layout(layout, "t")
    archive = export("bob", {"the-boat": BOAT})
    assert ingest(IngestRequest(branch.root, (archive,), account="bob")).published
    assert counts(told("main", "t", "--account", "bob"))[0] > 0
    assert counts(told("main", "t", "--account", "alice")) == (0, 0, 0)
    assert counts(told("t", "main", "--account", "bob"))[1] > 0
    assert main(["diff", "main", "t", "--vault", str(layout.root)]) == 2  # which of the two


def test_an_account_renamed_on_one_line_is_still_one(layout: VaultLayout, told: Told) -> None:
    did(layout, ActKind.ACCOUNT_RENAME, "alice", "ally")
    assert ingest(IngestRequest(layout.root, ())).published
    for asked in ((), ("--account", "alice"), ("--account", "ally")):
        said = told("main", "t", *asked)
        assert (counts(said), said["namespace"]) == ((0, 0, 0), "ally")


def test_a_branch_compares_itself_with_the_main_line(layout: VaultLayout, told: Told) -> None:
    assert counts(told("main", "t", "--branch", "t")) == (0, 0, 0)
