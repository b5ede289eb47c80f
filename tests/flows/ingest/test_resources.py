from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.intake.exclusions import parse_rule
from interfaces.main import cli
from schemas.provenance import Tier
from vault.reader import open_vault

NOTES = "# Bakery\n\nHow we bake.\n\n## Rye starter\n\nThe rye starter is fed at noon with 50 g of flour.\n"
CLAUDE = Path(__file__).resolve().parents[2] / "archives" / "fixtures" / "claude_ai" / "account_export"


def run(vault: Path, *archives: Path) -> dict[str, int]:
    return ingested(IngestRequest(vault, archives, account="baker")).rows


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
    assert titles == [
        ("Claude's memory of the user", None),
        ("Instructions for the project Bakery", "Bakery"),
        ("flour.md", "Bakery"),
    ]
    assert counted == 3
    target = tmp_path / "resources.jsonl"
    assert mnemic("export", "resources", "--vault", vault, "--to", target, "--json")["rows"] == 3
    exported = [json.loads(line) for line in target.read_text().splitlines()]
    assert {one["text"] for one in exported} == {"Metric units.", "# Flour", "The user bakes."}


def test_a_rule_leaves_documents_out_and_their_records_are_accounted_for(tmp_path: Path) -> None:
    rule = parse_rule("project:Bakery")
    summary = ingested(IngestRequest(tmp_path / "vault", (CLAUDE,), exclude=(rule,)))
    report = summary.archives[0].report
    assert report is not None
    assert report.resources == 1
    assert report.records == report.messages + report.resources + report.records_skipped


def test_the_text_of_an_attachment_is_a_resource_and_nobodys_words(tmp_path: Path) -> None:
    said = {"type": "text", "text": "Please read the attached rules and tell me what they ask of us."}
    rules = "# Rules\n\n" + " ".join(f"Rule {n}: I decided to bake {n} loaves." for n in range(1, 60))
    chat = {
        "uuid": "c-1",
        "name": "Rules",
        "created_at": "2026-03-01T08:00:00Z",
        "updated_at": "2026-03-01T08:00:00Z",
        "chat_messages": [
            {
                "uuid": "m-1",
                "sender": "human",
                "text": "",
                "content": [said],
                "created_at": "2026-03-01T08:00:00Z",
                "attachments": [{"file_name": "rules.md", "extracted_content": rules}],
            }
        ],
    }
    archive = tmp_path / "conversations.json"
    archive.write_text(json.dumps([chat]))
    vault = tmp_path / "vault"
    run(vault, archive)
    found = mnemic("recall", "--vault", vault, "--json", "--no-funnel", "Rule 2: how many loaves are baked?")
    hits = [hit for hit in found["hits"] if "Rule 2:" in hit["text"]]  # type: ignore[attr-defined]
    assert {hit["tier"] for hit in hits if hit["kind"] == "chunk"} == {Tier.RESOURCE}
    with open_vault(vault) as reader:
        decided = reader.ledger.query(
            "SELECT text FROM units WHERE category = 'decision' OR speaker = 'owner' AND text LIKE '%loaves%'"
        )
    assert decided == []


def test_the_same_instructions_in_every_chat_are_one_document(tmp_path: Path) -> None:
    fixture = CLAUDE.parents[1] / "chatgpt" / "canvas_voice_group.json"
    vault = tmp_path / "vault"
    rows = run(vault, fixture)
    with open_vault(vault) as reader:
        titles = reader.ledger.query("SELECT title FROM resources ORDER BY title")
        units = reader.ledger.query("SELECT text FROM units WHERE text ILIKE '%answer briefly%'")
        by_owner = reader.ledger.query("SELECT text FROM units WHERE speaker = 'owner'")
    assert titles == [
        ("Custom instructions",),
        ("Custom instructions: about the user",),
        ("winter_plan",),
    ]
    assert units == []
    assert not [text for (text,) in by_owner if "Saturday" in str(text) or "tar" in str(text).split()[-1:]]
    assert run(vault, fixture) == rows
