"""A conversation on which the extraction fails is set aside with its reason, and its batch goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from extract.engine import OfflineEngine, Retelling
from extract.offline_engine import Extraction
from flows.engines.engine_choice import OpenEngine
from flows.ingest.steps import IngestRequest, in_turn, ingest
from flows.intake.staging import ReadingPlan
from flows.reports.progress import Stages
from flows.reports.run_page import report_page
from flows.reports.run_summary import ArchiveOutcome, RunSummary
from inference.embedder import Embedder
from schemas.conversation import Conversation
from schemas.errors import ServiceUnavailable
from schemas.report import NoteKind
from schemas.unit import Unit
from vault.integrity import differences
from vault.layout import VaultLayout
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

TALKS: dict[str, Sequence[tuple[str, str]]] = {
    "garden": [("user", "The garden is 40 square metres.")],
    "bread": [("user", "How long does rye dough rest?"), ("assistant", "Rye dough rests for 12 hours.")],
}


class Faulty(OfflineEngine):
    """The offline engine with a defect: it fails on talk of bread."""

    def __init__(self, error: Exception, *, telling: bool = False) -> None:
        super().__init__()
        self._error, self._telling = error, telling

    def extract(self, conversation: Conversation) -> Extraction:
        if not self._telling:
            self._fail(conversation)
        return super().extract(conversation)

    def retell(self, conversation: Conversation, units: Sequence[Unit]) -> Retelling:
        self._fail(conversation)
        return super().retell(conversation, units)

    def _fail(self, conversation: Conversation) -> None:
        if any("bread" in message.text or "dough" in message.text for message in conversation.messages):
            raise self._error


def run(vault: Path, archive: Path, engine: OfflineEngine | None = None) -> RunSummary:
    def work(
        layout: VaultLayout,
        request: IngestRequest,
        plan: ReadingPlan,
        embedder: Embedder,
        opened: OpenEngine,
        stages: Stages,
    ) -> int:
        return in_turn(
            layout, request, plan, embedder, replace(opened, engine=engine or opened.engine), stages
        )

    return ingest(IngestRequest(vault, (archive,)), work=work)


def said(vault: Path) -> set[str]:
    with open_vault(vault) as reader:
        assert differences(reader.index, reader.ledger) == []
        return {str(text) for (text,) in reader.ledger.query("SELECT text FROM messages")}


@pytest.mark.parametrize("telling", [False, True], ids=["extraction", "summary"])
def test_what_fails_is_set_aside_with_its_reason_and_tried_again(
    tmp_path: Path, export: Exporter, telling: bool
) -> None:
    vault, archive = tmp_path / "vault", export("ada", TALKS)
    summary = run(vault, archive, Faulty(KeyError("Rye dough rests"), telling=telling))
    assert said(vault) == {"The garden is 40 square metres."}
    (failed,) = summary.failed
    (result,) = summary.archives
    assert (result.outcome, summary.exit_code) == (ArchiveOutcome.PARTLY, 3)
    assert result.report is not None
    assert not result.report.complete
    (note,) = (one for one in result.report.notes if one.kind is NoteKind.REJECTED)
    assert (note.where, note.count) == (f"conversation {failed}", 1)
    assert note.reason.startswith(
        "the extraction of a conversation failed: KeyError in _fail (test_failed_conversations"
    )
    assert "dough" not in summary.model_dump_json()
    (kept,) = VaultLayout(vault).quarantine.glob("*/not-extracted.json")
    assert json.loads(kept.read_text())["not_extracted"] == summary.failed
    assert failed in report_page(VaultLayout(vault), summary.run).read_text()

    again = run(vault, archive)
    assert (again.failed, again.exit_code) == ({}, 0)
    assert said(vault) == {text for turns in TALKS.values() for _, text in turns}


def test_what_the_vault_had_of_it_stays(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    run(vault, export("ada", TALKS))
    before = said(vault)
    longer = {**TALKS, "bread": [*TALKS["bread"], ("user", "The dough is dry.")]}
    summary = run(vault, export("ada", longer), Faulty(RecursionError()))
    assert len(summary.failed) == 1
    assert said(vault) == before


def test_where_all_fail_the_run_still_ends_with_its_account(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    summary = run(vault, export("ada", {"bread": TALKS["bread"]}), Faulty(ZeroDivisionError()))
    assert (len(summary.failed), summary.exit_code) == (1, 3)
    assert said(vault) == set()


def test_what_a_service_or_the_machine_could_not_do_is_raised(tmp_path: Path, export: Exporter) -> None:
    for error in (ServiceUnavailable("no answer"), OSError("no room")):
        with pytest.raises(type(error)):
            run(tmp_path / "vault", export("ada", TALKS), Faulty(error))
