"""What `--sort` and `--limit` promise on the command line, and what a taken port says."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from chatgpt_export import chatgpt_conversation
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from interfaces.main import main

BOAT = [("user", "I decided to paint the hull of the boat green. The boat must be dry by May.")]
HEDGE = [("user", "I planted a hornbeam hedge. The hedge along the fence needs cutting in June.")]

Told = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("orders")
    root, archive = let_pass(folder / "vault"), folder / "mara.json"
    talks = [chatgpt_conversation("the-boat", BOAT), chatgpt_conversation("the-hedge", HEDGE)]
    archive.write_text(json.dumps(talks), encoding="utf-8")
    assert ingested(IngestRequest(root, (archive,), account="mara")).published
    return root


@pytest.fixture
def told(vault: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    def tell(*arguments: str) -> dict[str, Any]:
        capsys.readouterr()
        assert main([*arguments, "--json", "--vault", str(vault)]) == 0
        said: dict[str, Any] = json.loads(capsys.readouterr().out)
        return said

    return tell


def test_a_list_is_sorted_as_asked(told: Told) -> None:
    lists = {
        order: told("list", "--sort", order)["notes"]
        for order in ("oldest", "newest", "category", "conversation", "often")
    }
    ids = {order: [note["id"] for note in notes] for order, notes in lists.items()}
    assert len(ids["oldest"]) > 1
    assert {tuple(sorted(one)) for one in ids.values()} == {tuple(sorted(ids["oldest"]))}
    said = [str(note["said_at"]) for note in lists["newest"]]
    assert said == sorted(said, reverse=True)
    categories = [note["category"] for note in lists["category"]]
    assert categories == sorted(categories)
    homes = [note["conversation_id"] for note in lists["conversation"]]
    assert sum(before != after for before, after in pairwise(homes)) == len(set(homes)) - 1
    assert ids["oldest"] == [note["id"] for note in told("list")["notes"]]
    assert [note["id"] for note in told("list", "--sort", "newest", "--limit", "1")["notes"]] == ids[
        "newest"
    ][:1]


@pytest.mark.parametrize("limit", [1, 2])
def test_a_limit_holds_for_the_whole_package(told: Told, limit: int) -> None:
    hits = told("recall", "the hull of the boat", "--limit", str(limit))["hits"]
    assert 1 <= len(hits) <= limit


@pytest.mark.parametrize("command", ["open", "review"])
def test_a_taken_port_ends_with_1_and_no_address(
    vault: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main([command, "--no-open", "--port", port, "--vault", str(vault)]) == 1
    said = capfd.readouterr()
    assert f"port {port} cannot be listened on" in said.err
    assert "http://" not in said.out + said.err
