"""`mnemic blame` tells who renamed the paths of a note, or of a path, before and after a run folds it."""

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
from schemas.act import ActKind, Deed
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]


@pytest.fixture
def layout(tmp_path: Path, export: Callable[..., Path]) -> VaultLayout:
    root = let_pass(tmp_path / "vault")
    archive = export("alice", {"the-balcony": GARDEN})
    assert ingested(IngestRequest(root, (archive,), account="alice")).published
    return VaultLayout(root)


@pytest.fixture
def told(layout: VaultLayout, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    def tell(*named: str) -> list[str]:
        capsys.readouterr()
        assert main(["blame", *named, "--json", "--vault", str(layout.root)]) == 0
        said: Any = json.loads(capsys.readouterr().out)
        rows = said["entries"] if "entries" in said else said["items"][0]["entries"]
        return [str(one["message"]) for one in rows if "path_rename" in one["message"]]

    return tell


def test_a_rename_is_blamed_by_note_and_by_path(layout: VaultLayout, told: Callable[..., list[str]]) -> None:
    with open_vault(layout.root) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units WHERE text LIKE '%hedge%'")
    with Journal(layout.journal) as journal:
        journal.record([Deed(ActKind.PATH_MOVE, str(unit), "leisure.garden")])
        journal.record([Deed(ActKind.PATH_RENAME, "leisure", "fun alice")], reason="shorter")
        journal.record([Deed(ActKind.PATH_RENAME, "leisure", "other bob")])
        journal.record([Deed(ActKind.PATH_RENAME, "health", "body alice")])
    said = "path_rename of leisure to fun"
    for named in (str(unit), "fun.garden", "leisure.garden"):
        assert told(named) == [f"{said}, not folded yet: shorter"]
    assert main(["blame", "fun.garden", "--vault", str(layout.root)]) == 0
    assert ingest(IngestRequest(layout.root, ())).published
    for named in (str(unit), "fun.garden", "leisure.garden"):
        assert told(named) == [f"{said}: shorter"]
    with Journal(layout.journal) as journal:
        journal.undo([act for act in journal.after(0) if act.detail == "fun alice"])
    assert told("fun.garden") == [f"undo of {said}, not folded yet", f"{said}, undone later: shorter"]
