from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from flows.steps import IngestRequest, ingest
from interfaces.main import cli
from schemas.provenance import Tier
from vault.reader import open_vault

NOTES = "# Bakery\n\nHow we bake.\n\n## Rye starter\n\nThe rye starter is fed at noon with 50 g of flour.\n"
CLAUDE = Path(__file__).resolve().parents[1] / "archives" / "fixtures" / "claude_ai" / "account_export"


def run(vault: Path, *archives: Path) -> dict[str, int]:
    return ingest(IngestRequest(vault, archives, account="baker")).rows


def mnemic(*words: str | Path) -> dict[str, object]:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.output)
    return found


def test_a_markdown_file_is_recalled_as_a_resource(tmp_path: Path) -> None:
    vault, notes = tmp_path / "vault", tmp_path / "notes.md"
    notes.write_text(NOTES)
    assert run(vault, notes)["resources"] == 1
    found = mnemic("recall", "--vault", vault, "--json", "When is the rye starter fed?")
    hit = found["hits"][0]  # type: ignore[index]
    assert (hit["tier"], hit["conversation_title"]) == (Tier.RESOURCE, "Bakery")
    assert "fed at noon" in hit["text"]
    got = mnemic("get", "--vault", vault, "--json", hit["conversation_id"], hit["id"])
    kinds = [item["kind"] for item in got["items"]]  # type: ignore[attr-defined]
    assert kinds == ["resource", "chunk"]
    accounts = mnemic("status", "--vault", vault, "--json")["accounts"]
    assert [(one["account"], one["resources"]) for one in accounts] == [("baker", 1)]  # type: ignore[attr-defined]


def test_the_same_document_is_done_once_and_a_changed_one_takes_its_place(tmp_path: Path) -> None:
    vault, notes = tmp_path / "vault", tmp_path / "notes.md"
    notes.write_text(NOTES)
    first = run(vault, notes)
    assert run(vault, notes) == first
    notes.write_text(NOTES.replace("noon", "dawn"))
    assert run(vault, notes)["chunks"] == first["chunks"]
    with open_vault(vault) as reader:
        ((text,),) = reader.ledger.query("SELECT text FROM resources")
        assert "dawn" in str(text)
        assert "noon" not in str(reader.ledger.query("SELECT text FROM chunks"))
    notes.write_text("# Bakery\n")
    assert run(vault, notes)["points"] == 0


def test_projects_and_memories_of_a_claude_export_are_resources(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    run(vault, CLAUDE)
    with open_vault(vault) as reader:
        titles = reader.ledger.query("SELECT title, project FROM resources ORDER BY title")
        ((counted,),) = reader.ledger.query("SELECT resources FROM imports")
    assert titles == [("Claude's memory of the user", None), ("flour.md", "Bakery")]
    assert counted == 2
