"""Many records at once: what a `get` of all notes of a conversation reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from interfaces.record_items import item_of, items_of
from schemas.conversation import Conversation
from schemas.errors import UsageError
from tests.conftest import Exporter
from vault.ledger import Ledger
from vault.queries import resolve_records
from vault.reader import open_vault

SAID = ("I live in Bergen.", "I decided to use epoxy on the hull.", "I am allergic to peanuts.")


@pytest.fixture
def vault(tmp_path: Path, export: Exporter) -> Path:
    """A vault of one conversation with three notes."""
    archive = export("ada", {"boat": [("user", one) for one in SAID]})
    made = let_pass(tmp_path / "vault")
    ingested(IngestRequest(made, (archive,)))
    return made


def test_a_conversation_is_masked_once(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = Ledger.conversation

    def counted(ledger: Ledger, conversation: str) -> Conversation | None:
        read.append(conversation)
        return real(ledger, conversation)

    monkeypatch.setattr(Ledger, "conversation", counted)
    with open_vault(vault) as reader:
        ids = [str(one) for (one,) in reader.ledger.query("SELECT id FROM units ORDER BY id")]
        together = items_of(reader, ids)
        assert len(ids) == len(SAID)
        assert len(read) == 1
        assert together == [item_of(reader, one) for one in ids]


def test_the_beginning_of_an_id_finds_records_of_each_kind(vault: Path) -> None:
    with open_vault(vault) as reader:
        ((unit,), *_) = reader.ledger.query("SELECT id FROM units ORDER BY id")
        ((home,),) = reader.ledger.query("SELECT conversation_id FROM conversations")
        assert resolve_records(reader.ledger, str(unit)) == [("units", unit)]
        assert resolve_records(reader.ledger, str(home)[:8]) == [("conversations", home)]
        assert resolve_records(reader.ledger, str(home), "another account") == []
        with pytest.raises(UsageError, match="too short"):
            resolve_records(reader.ledger, "ab")
