"""What a server tells of branches: those that are gone, those that were made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.merging import delete, fork
from flows.ingest.steps import IngestRequest, ingest
from flows.upkeep.forgetting import forget, plan_forgetting
from interfaces.mcp.open_memory import Memory
from interfaces.path_recall import PathQuestion
from retrieval.by_path.drill import DrillMode
from schemas.errors import UnknownId
from tests.asking import question
from vault.branches import branch_layout
from vault.erasing import Erasure
from vault.index import Where
from vault.layout import VaultLayout
from vault.reader import open_vault

GARDEN = [("user", "I planted tomatoes and basil on the balcony. The hedge in the garden needs cutting.")]
BOAT = [("user", "We decided to paint the boat dark blue in the spring. The boat lies in Kiel.")]


@pytest.fixture
def layout(tmp_path: Path, export: Callable[..., Path]) -> VaultLayout:
    root = let_pass(tmp_path / "vault")
    archive = export("alice", {"the-balcony": GARDEN, "the-boat": BOAT})
    assert ingested(IngestRequest(root, (archive,), account="alice")).published
    fork(root, "t")
    return VaultLayout(root)


@pytest.fixture
def memory(layout: VaultLayout) -> Iterator[Memory]:
    opened = Memory(branch_layout(layout, "t").root, "alice")
    yield opened
    opened.close()


def ask(memory: Memory) -> list[str]:
    """Everything that a server answers from, asked as before."""
    path = PathQuestion("the hedge", Where("alice"), DrillMode.SINGLE, 5, 0.0, None)
    return [
        memory.by_path(path, 4000),
        memory.told(question("the hedge in the garden", "alice")),
        memory.named("", 10, 1000),
        memory.diff(None, None, False, 2000),
    ]


def test_a_branch_made_again_tells_nothing_forgotten(
    layout: VaultLayout, memory: Memory, export: Callable[..., Path]
) -> None:
    branch = branch_layout(layout, "t")
    archive = export("more", {"the-roses": [("user", "I decided to plant roses by the gate in autumn.")]})
    assert ingest(IngestRequest(branch.root, (archive,), account="alice")).generation == 2
    with open_vault(branch.root) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units WHERE text LIKE '%hedge%'")
    assert "hedge" in memory.get([str(unit)], 2000)
    assert any("hedge" in one for one in ask(memory))
    delete(layout.root, "t")
    forget(layout.root, plan_forgetting(layout.root, Erasure(match="hedge")))
    assert fork(layout.root, "t").generation == 2
    assert '"found": false' in memory.get([str(unit)], 2000)
    assert not any("needs cutting" in one for one in ask(memory))
    assert "dark blue" in memory.told(question("paint for the boat", "alice"))


def test_of_a_deleted_branch_a_server_says_so(layout: VaultLayout, memory: Memory) -> None:
    assert "boat" in memory.told(question("the boat", "alice"))
    delete(layout.root, "t")
    with pytest.raises(UnknownId, match="the branch t is gone"):
        memory.told(question("the boat", "alice"))
    with pytest.raises(UnknownId, match="the branch t is gone"):
        memory.get(["abcdef12"], 1000)
