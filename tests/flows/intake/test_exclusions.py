from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prepared_vaults import ingested

from archives import inspect_archive
from flows.ingest.steps import IngestRequest
from flows.intake.exclusions import keep_rules, kept_rules, parse_rule, remove_rule
from flows.intake.staging import Known, ReadingOptions, StagingRun
from flows.reports.progress import Silent
from schemas.conversation import Conversation
from schemas.errors import UsageError
from vault.layout import VaultLayout
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

CHATS: dict[str, Sequence[tuple[str, str]]] = {
    "work-budget": [("user", "The budget is 900 euros.")],
    "garden": [("user", "The garden is 40 square metres.")],
}


@pytest.mark.parametrize(
    ("rule", "left"),
    [
        ("conversation:work-budget", {"Garden"}),
        ("conversation:WORK*", {"Garden"}),
        ("provider:chatgpt", set()),
        ("provider:claude_ai", {"Garden", "Work Budget"}),
        ("before:2025-01-01", {"Garden", "Work Budget"}),
        ("after:2025-01-01", set()),
        ("project:secret", {"Garden", "Work Budget"}),
    ],
)
def test_what_a_rule_matches_is_not_stored_and_is_accounted_for(
    tmp_path: Path, export: Exporter, rule: str, left: set[str]
) -> None:
    vault = tmp_path / "vault"
    summary = ingested(IngestRequest(vault, (export("ada", CHATS),), exclude=(parse_rule(rule),)))
    report = summary.archives[0].report
    assert report is not None
    assert report.records == report.messages + report.resources + report.records_skipped
    assert report.conversations == len(left)
    with open_vault(vault) as reader:
        assert {title for (title,) in reader.ledger.query("SELECT title FROM conversations")} == left
        texts = str(reader.ledger.query("SELECT text FROM messages"))
    assert ("900" in texts) == ("Work Budget" in left)


def test_a_rule_holds_for_later_runs_and_can_be_taken_back(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    archive = export("ada", CHATS)
    rule = parse_rule("conversation:work*")
    ingested(IngestRequest(vault, (archive,), exclude=(rule,)))
    assert ingested(IngestRequest(vault, (archive,))).rows["conversations"] == 1
    assert remove_rule(VaultLayout(vault), rule) == []
    assert ingested(IngestRequest(vault, (archive,))).rows["conversations"] == 2


def test_rules_are_kept_once(tmp_path: Path) -> None:
    layout = VaultLayout(tmp_path / "vault")
    layout.create()
    rule = parse_rule("provider:grok")
    keep_rules(layout, [rule, rule])
    assert keep_rules(layout, [rule]) == kept_rules(layout) == [rule]
    with pytest.raises(UsageError, match="has no rule"):
        remove_rule(layout, parse_rule("provider:codex"))


@pytest.mark.parametrize("text", ["", "garden", "colour:blue", "provider:", "before:yesterday"])
def test_a_rule_of_another_form_is_misuse(text: str) -> None:
    with pytest.raises(UsageError):
        parse_rule(text)


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        (("before:2026-02-01",), {"march", "may"}),
        (("after:2026-04-01T00:00:00Z",), {"january", "march"}),
        (("before:2026-02-01", "after:2026-04-01"), {"march"}),
        (("project:Boats*",), {"january", "may"}),
        (("project:boats and oars",), {"january", "may"}),
        (("provider:claude_ai",), set()),
        (("provider:chatgpt",), {"january", "march", "may"}),
        (("conversation:m*",), {"january"}),
    ],
)
def test_rules_by_range_project_and_provider(rules: tuple[str, ...], left: set[str]) -> None:
    """Rules add up, so a range is kept by leaving out what lies before and after it."""
    kept = {
        title
        for title, month, project in (("january", 1, None), ("march", 3, "Boats and Oars"), ("may", 5, None))
        if not any(parse_rule(rule).matches(_begun(title, month, project)) for rule in rules)
    }
    assert kept == left


def _begun(title: str, month: int, project: str | None) -> Conversation:
    return Conversation(
        id=title,
        account="ada",
        provider="claude_ai",
        native_id=title,
        title=title,
        created_at=datetime(2026, month, 1, tzinfo=UTC),
        updated_at=None,
        messages=(),
        active_leaf=None,
        active_leaf_stated=False,
        project=project,
    )


def test_inspect_and_ingest_count_alike(tmp_path: Path) -> None:
    """Every fixture of every format, staged as an ingest stages it, and inspected."""
    fixtures = Path(__file__).parents[2] / "archives" / "fixtures"
    layout = VaultLayout(tmp_path / "vault")
    layout.create()
    for path in sorted(inner for folder in fixtures.iterdir() for inner in folder.iterdir()):
        reading = StagingRun(layout, {}, Known({}, frozenset(), lambda _: None), ReadingOptions())
        reading.read(path, Silent())
        (result,), seen = reading.plan.results, inspect_archive(path)
        assert result.report is not None
        assert result.counts is not None
        counts = result.counts.model_dump()
        assert counts == seen.model_dump(include=set(counts)), path
        told = result.report.model_dump(include={"conversations", "messages", "resources", "records"})
        assert told == seen.model_dump(include=set(told)), path
        staged = [one for batch in reading.plan.batches for one in batch.conversations()]
        assert sum(len(one.messages) for one in staged) >= seen.messages_active + seen.off_branch, path
