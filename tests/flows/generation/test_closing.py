"""A closed question is out of recall and on record, and what tells of its talk goes on telling it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from schemas.act import ActKind
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.queries import NoteFilter, list_notes
from vault.reader import open_vault
from vault.threads import summary_of

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]
TURNS = [
    ("user", "Which primer suits the epoxy on the hull of the boat? The boat is 9 metres long."),
    ("assistant", "A two-component primer suits the epoxy on a hull."),
]


def test_a_summary_tells_a_question_that_was_closed(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    ingested(IngestRequest(vault, (export("ada", {"hull": TURNS}),)))

    def told() -> tuple[bool, bool]:
        """Whether recall's notes and the talk's summary have the question."""
        with open_vault(vault) as reader:
            notes = [str(one["text"]) for one in list_notes(reader.ledger, NoteFilter("ada"))]
            ((talk,),) = reader.ledger.query("SELECT conversation_id FROM conversations")
            summary = summary_of(reader.ledger, str(talk))
        assert summary is not None
        return any("primer suits the epoxy on the hull" in one for one in notes), "primer" in summary.text

    with open_vault(vault) as reader:
        found = list_notes(reader.ledger, NoteFilter("ada"))
    (unit,) = [str(one["id"]) for one in found if "primer suits the epoxy on the hull" in str(one["text"])]
    assert told() == (True, True)
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.CLOSE, [unit])
    assert told() == (False, True)
    ingested(IngestRequest(vault, ()))
    assert told() == (False, True)
    with Journal(VaultLayout(vault).journal) as journal:
        journal.undo(journal.standing(ActKind.CLOSE, [unit]))
    assert told() == (True, True)
