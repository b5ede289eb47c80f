from __future__ import annotations

from pathlib import Path

import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.sweeps.clean_duplicates import clean_duplicates
from flows.sweeps.clean_superseded import clean_superseded
from flows.sweeps.decisions import Decision, accept
from flows.sweeps.sweep import SweepChange, SweepRequest
from interfaces.web.desk import Desk, Done
from interfaces.web.views.related_pairs import pairs
from schemas.act import ActKind
from schemas.errors import UnknownId
from schemas.unit import State
from tests.flows.sweeps.test_sweeps import HEDGE, OSLO, shown, states, whole, write_archive
from vault.journal import Journal
from vault.layout import VaultLayout


def proposal(vault: Path, tmp_path: Path) -> SweepChange:
    """A sweep proposes to merge two notes that the owner kept."""
    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", HEDGE),), account="ada"))
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, [unit for unit, _ in states(vault).values()])
    (change,) = clean_duplicates(SweepRequest(vault)).changes
    assert change.effect == "proposed"
    return change


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return let_pass(tmp_path / "vault")


def fold(vault: Path, tmp_path: Path) -> None:
    """Any ingest folds what the owner did."""
    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", HEDGE),), account="ada"))


def test_what_is_agreed_to_is_one_note_at_once_and_after_folding_and_two_again_by_undo(
    vault: Path, tmp_path: Path
) -> None:
    change = proposal(vault, tmp_path)
    desk = Desk(vault, "ada")
    try:
        assert desk.settle("accept", change.unit_id, change.other_id, "kept") == Done(
            "accept", 1, change.other_id
        )
        assert states(vault)[change.other_text][1] is State.ARCHIVED
        assert desk.settle("accept", change.unit_id, change.other_id, "kept").said == "elsewhere"
        fold(vault, tmp_path)
        assert states(vault)[change.other_text][1] is State.ARCHIVED
        assert (change.text, None, 2) in shown(vault, "what does the garden hedge cost?")
        last = desk.last()
        assert last is not None
        assert desk.undo(last.lot).said == "undo"
        assert states(vault)[change.other_text][1] is State.KEPT
        fold(vault, tmp_path)
        assert states(vault)[change.other_text][1] is State.KEPT
        assert (change.text, None, 1) in shown(vault, "what does the garden hedge cost?")
        (again,) = pairs(desk.ledger(), "ada", "", 0, 9, desk.parted())
        assert again["effect"] == "proposed"
        assert whole(vault)
    finally:
        desk.close()


def test_one_of_the_two_always_stays_in_sight(vault: Path, tmp_path: Path) -> None:
    change = proposal(vault, tmp_path)
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.DISCARD, [change.unit_id])
    with pytest.raises(UnknownId, match="out of recall"):
        accept(Decision(vault, (change.other_id,)))
    assert states(vault)[change.other_text][1] is State.KEPT


def test_what_the_owner_parts_comes_back_and_no_sweep_joins_it_again(vault: Path, tmp_path: Path) -> None:
    ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", OSLO),), account="ada"))
    (change,) = clean_superseded(SweepRequest(vault)).changes
    assert states(vault)[change.other_text][1] is State.ARCHIVED
    desk = Desk(vault, "ada")
    try:
        assert desk.settle("apart", change.unit_id, change.other_id, "archived").said == "apart"
        assert states(vault)[change.other_text][1] is State.PASSED
        assert pairs(desk.ledger(), "ada", "", 0, 9, desk.parted()) == []
        ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", OSLO),), account="ada"))
        assert {by for _, by, _ in shown(vault, "when is the garden meeting?")} == {None}
        assert clean_superseded(SweepRequest(vault)).judged == 0
        last = desk.last()
        assert last is not None
        desk.undo(last.lot)
        ingested(IngestRequest(vault, (write_archive(tmp_path / "ada.json", OSLO),), account="ada"))
        assert states(vault)[change.other_text][1] is State.ARCHIVED
        assert [one["kind"] for one in pairs(desk.ledger(), "ada", "", 0, 9, desk.parted())] == ["supersedes"]
        assert whole(vault)
    finally:
        desk.close()


def test_a_stranger_cannot_archive_by_naming_two_notes(vault: Path, tmp_path: Path) -> None:
    change = proposal(vault, tmp_path)
    other = states(vault)["The garden hedge costs 1,300 euros for the neighbour."][0]
    desk = Desk(vault, "ada")
    try:
        assert desk.settle("accept", change.unit_id, other, "kept").said == "gone"
        assert desk.settle("accept", change.other_id, change.unit_id, "kept").said == "gone"
        assert desk.settle("accept", change.unit_id, "'; DROP TABLE units", "kept").said == "gone"
        assert desk.settle("keep", change.unit_id, change.other_id, "kept").said == "unknown"
        assert {state for _, state in states(vault).values()} == {State.KEPT}
        # what would stay was discarded in another window: agreeing would hide both
        desk.act("discard", change.unit_id, "kept")
        assert desk.settle("accept", change.unit_id, change.other_id, "kept").said == "elsewhere"
    finally:
        desk.close()
