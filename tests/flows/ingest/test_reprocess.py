"""Work done again on what the vault holds: what depends on a changed version, and never over the owner."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.gate_settings import GateSettings
from flows.engines.engine_choice import EngineChoice
from flows.generation.loading import refresh_points
from flows.ingest.reprocessing import ReprocessRequest, reprocess
from flows.ingest.steps import IngestRequest, ingest
from inference import load_embedder
from schemas.act import ActKind, Deed
from schemas.errors import UnknownId
from vault.generations import building
from vault.integrity import differences
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

GARDEN = [
    ("user", "The garden is 40 square metres. I can only spend 200 euros on it."),
    ("assistant", "You could plant a hedge of hornbeam. Hornbeam grows 30 cm a year."),
    ("user", "OK let's go with the hornbeam hedge."),
]
BREAD = [("user", "How long does rye dough rest?"), ("assistant", "Rye dough rests for 12 hours.")]

Rows = dict[str, list[tuple[object, ...]]]


@pytest.fixture
def vault(tmp_path: Path, export: Callable[..., Path]) -> Path:
    root = tmp_path / "vault"
    ingest(IngestRequest(root, (export("ada", {"garden": GARDEN}),)))
    ingest(IngestRequest(root, (export("bob", {"bread": BREAD}),), account="bob"))
    return root


def made(vault: Path) -> Rows:
    """What the ledger says of the conversations, but for run ids and the work's own name."""
    tables = {
        "conversations": "* EXCLUDE (run, work_key)",
        "segments": "* EXCLUDE (run)",
        "units": "* EXCLUDE (run, verdicts)",
        "relations": '* EXCLUDE (run, "at", relation_no)',
        "chunks": "* EXCLUDE (run)",
        "points": "* EXCLUDE (run)",
    }
    with open_vault(vault) as reader:
        assert differences(reader.index, reader.ledger) == []
        return {
            table: reader.ledger.query(f"SELECT {columns} FROM {table} ORDER BY ALL")
            for table, columns in tables.items()
        }


def change_the_gate(vault: Path) -> None:
    """Another setting of the gate is another version of its work."""
    VaultLayout(vault).gate.write_text(
        GateSettings(off=frozenset({"filler"})).model_dump_json(), encoding="utf-8"
    )


def test_what_todays_versions_made_is_not_done_again(vault: Path) -> None:
    done = reprocess(ReprocessRequest(vault))
    assert (done.plan.chosen, done.plan.current, done.plan.due, done.run) == (2, 2, 0, None)
    with pytest.raises(UnknownId):
        reprocess(ReprocessRequest(vault, archive="carl.json"))


@pytest.mark.parametrize("stage", ["extract", "gate"])
def test_a_changed_version_redoes_what_is_meant_and_the_owners_acts_stay(vault: Path, stage: str) -> None:
    before = made(vault)
    with open_vault(vault) as reader:
        found = reader.ledger.query("SELECT id, text FROM units WHERE account = 'ada' ORDER BY text")
    kept, corrected = str(found[0][0]), str(found[1][0])
    with Journal(VaultLayout(vault).journal) as journal:
        journal.record([Deed(ActKind.KEEP, kept), Deed(ActKind.CORRECT, corrected, "The hedge is beech.")])
    change_the_gate(vault)
    request = ReprocessRequest(vault, archive="ada.json", stage=stage)  # type: ignore[arg-type]

    planned = reprocess(request, dry_run=True)
    assert (planned.plan.chosen, planned.plan.due, planned.run) == (1, 1, None)
    assert made(vault) == before

    done = reprocess(request)
    assert done.run is not None
    # the correction alone has a new text to embed; everything else is as it was
    assert done.run.made["vectors"] == 0
    after = made(vault)
    assert {name: after[name] for name in ("conversations", "segments", "units", "relations", "chunks")} == {
        name: before[name] for name in ("conversations", "segments", "units", "relations", "chunks")
    }
    with open_vault(vault) as reader:
        states = reader.ledger.states([kept])
        assert states[kept].value == "kept"
        assert reader.ledger.query("SELECT text FROM units_current WHERE id = ?", [corrected]) == [
            ("The hedge is beech.",)
        ]
    # done is done, and the other account's is still due
    assert reprocess(request, dry_run=True).plan.due == 0
    assert reprocess(ReprocessRequest(vault), dry_run=True).plan.due == 1
    assert ingest(IngestRequest(vault, ())).published is False


def test_a_model_is_priced_before_it_is_asked(vault: Path) -> None:
    choice = EngineChoice(name="anthropic", price=(1.0, 5.0))
    named = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")
    said = {name: os.environ.pop(name) for name in named}  # a price needs no key
    try:
        plan = reprocess(ReprocessRequest(vault, account="bob", engine=choice), dry_run=True).plan
    finally:
        os.environ.update(said)
    assert plan.questions is not None
    assert plan.questions.questions == 2  # for its notes and its summary
    assert plan.questions.usd_messages > plan.questions.usd_batch > 0


def test_a_note_made_by_an_older_version_is_refreshed_before_it_is_made_anew(vault: Path) -> None:
    with building(VaultLayout(vault), load_embedder().binding) as following:
        # as if its points had been composed otherwise
        following.ledger.query("UPDATE points SET content_hash = 'of an older version' WHERE kind = 'unit'")
        units = [str(row[0]) for row in following.ledger.query("SELECT id FROM units")]
        refresh_points(following, units, "a run")
        hashes = following.ledger.query("SELECT DISTINCT content_hash FROM points WHERE kind = 'unit'")
        assert hashes == [("of an older version",)]
        assert differences(following.index, following.ledger) == []
