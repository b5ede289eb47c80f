"""What branches may be called, and what is said of those that cannot be made or read."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.upkeep.forgetting import forget, plan_forgetting
from interfaces.main import main
from vault.branches import branch_names
from vault.erasing import Erasure
from vault.layout import BRANCH_FILE, VaultLayout

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def layout(tmp_path: Path, export: Callable[..., Path]) -> VaultLayout:
    root = let_pass(tmp_path / "vault")
    archive = export("alice", {"the-balcony": GARDEN})
    assert ingested(IngestRequest(root, (archive,), account="alice")).published
    return VaultLayout(root)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def told(*arguments: str, vault: str = "vault") -> tuple[int, str]:
        capsys.readouterr()
        code = main([*arguments, "--vault", str(tmp_path / vault)])
        return code, " ".join(capsys.readouterr().err.split())

    return told


@pytest.mark.parametrize("there", [True, False])
def test_an_empty_vault_has_no_branch_and_is_not_begun(tmp_path: Path, run: Run, there: bool) -> None:
    if there:
        (tmp_path / "none").mkdir()
    code, said = run("branch", "trial", vault="none")
    assert code == run("list", vault="none")[0]
    assert "the vault is empty" in said
    assert "mnemic ingest" in said
    assert not (tmp_path / "none").exists() or not list((tmp_path / "none").iterdir())


@pytest.mark.parametrize("name", ["main", "Main", "2", "2026-11-26", "today", "20261126", "yesterday"])
def test_a_name_that_diff_reads_otherwise_is_refused(layout: VaultLayout, run: Run, name: str) -> None:
    code, said = run("branch", name)
    assert (code, branch_names(layout)) == (2, [])
    assert name in said


def test_names_that_differ_in_case_alone_are_told(layout: VaultLayout, run: Run) -> None:
    assert run("branch", "Trial")[0] == 0
    code, said = run("branch", "trial")
    assert code == 2
    assert "`mnemic branch --delete Trial`" in said
    for asked in (("list", "--branch", "trial"), ("merge", "trial"), ("branch", "--delete", "trial")):
        code, said = run(*asked)
        assert code
        assert "is called Trial" in said
    assert run("branch", "--delete", "Trial")[0] == 0


@pytest.mark.parametrize("empty", [True, False])
def test_a_branch_without_its_record_can_be_removed(layout: VaultLayout, run: Run, empty: bool) -> None:
    assert run("branch", "trial")[0] == 0
    folder = layout.branches / "trial"
    (folder / BRANCH_FILE).unlink()
    if empty:
        shutil.rmtree(folder)
        folder.mkdir()
    advice = "`mnemic branch --delete trial`"
    for asked in (
        ("list", "--branch", "trial"),
        ("merge", "trial"),
        ("branch", "--list"),
        ("branch", "trial"),
    ):
        code, said = run(*asked)
        assert code
        assert advice in said
    assert run("branch", "--delete", "trial")[0] == 0
    assert branch_names(layout) == []
    forget(layout.root, plan_forgetting(layout.root, Erasure(match="hedge")))
