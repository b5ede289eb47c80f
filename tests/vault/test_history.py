"""A note is kept, superseded and corrected over four generations; each state is read back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation
from prepared_vaults import ingested

from flows.generation.loading import fold_journal, units_as_points
from flows.ingest.steps import IngestRequest
from flows.upkeep.index_rebuild import rollback
from inference import load_embedder
from interfaces.main import main
from schemas.act import ActKind, Deed
from schemas.errors import UsageError
from schemas.provenance import Tier
from schemas.relation import Relation, RelationKind
from schemas.unit import State
from vault.files import copy_tree
from vault.generations import building
from vault.history import PastNote, generation_of, note_as_of
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.reader import open_vault
from vault.relations import add_relations

TALK = [("user", "The garden is 40 square metres. OK let's go with the hornbeam hedge.")]


def publish(vault: Path, run: str, relation: Relation | None = None) -> int:
    """A run that folds the owner's acts, and adds a relation."""
    layout, embedder = VaultLayout(vault), load_embedder()
    with writer_lock(layout), building(layout, embedder.binding) as following:
        following.ledger.add_run(run, datetime.now(UTC), "test", {})
        if relation is not None:
            add_relations(following.ledger, [relation])
        fold_journal(following, embedder, run)
        assert units_as_points(following, []) == []
        return following.publish(run, datetime.now(UTC)).number


@pytest.fixture
def told(told_once: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """A copy of its own for each test."""
    vault, unit = told_once
    copy_tree(vault, tmp_path / "vault")
    return tmp_path / "vault", unit


@pytest.fixture(scope="module")
def told_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A vault of four generations, and the note that they are about."""
    folder = tmp_path_factory.mktemp("history")
    vault, archive = folder / "vault", folder / "ada.json"
    archive.write_text(json.dumps([chatgpt_conversation("garden", TALK)]), encoding="utf-8")
    ingested(IngestRequest(vault, (archive,)))
    with open_vault(vault) as reader:
        units = reader.ledger.query("SELECT id, account FROM units ORDER BY id")
    (unit, account), (other, _) = [(str(one), str(whose)) for one, whose in units[:2]]
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, [unit])
        assert publish(vault, "second") == 2
        newer = Relation(
            account=account,
            unit_id=unit,
            kind=RelationKind.SUPERSEDES,
            other_id=other,
            reason="said later",
            actor="sweep:test",
            at=datetime.now(UTC),
            run="third",
        )
        assert publish(vault, "third", newer) == 3
        journal.record([Deed(ActKind.CORRECT, unit, "A hedge of beech it is.")])
        assert publish(vault, "fourth") == 4
    return vault, unit


def read(vault: Path, unit: str, moment: int | datetime) -> PastNote:
    with open_vault(vault) as reader:
        found = note_as_of(reader.ledger, unit, generation_of(reader.ledger, moment))
    assert found is not None
    return found


def test_each_generation_is_read_back(told: tuple[Path, str], capfd: pytest.CaptureFixture[str]) -> None:
    vault, unit = told
    first, second, third, fourth = (read(vault, unit, number) for number in (1, 2, 3, 4))
    assert first.state != State.KEPT
    assert [one.state for one in (second, third, fourth)] == [State.KEPT] * 3
    assert (first.tier, second.tier) == (Tier.CHAT, Tier.ENGRAM)
    assert [len(one.relations) for one in (first, second, third, fourth)] == [0, 0, 1, 1]
    assert {one.text for one in (first, second, third)} == {first.extracted_text}
    assert (fourth.text, fourth.extracted_text) == ("A hedge of beech it is.", first.extracted_text)
    assert read(vault, unit, second.published_at) == second
    assert read(vault, unit, datetime.now(UTC)) == fourth
    capfd.readouterr()
    assert main(["get", unit, "0" * 8, "--as-of", "2", "--json", "--vault", str(vault)]) == 0
    there, missing = json.loads(capfd.readouterr().out)["items"]
    assert (there["found"], missing["found"]) == (True, False)
    assert there.keys() == missing.keys()


def test_a_keep_that_was_taken_back_later_was_a_keep_then(told: tuple[Path, str]) -> None:
    vault, unit = told
    with Journal(VaultLayout(vault).journal) as journal:
        journal.undo(journal.standing(ActKind.KEEP, [unit]))
    assert publish(vault, "fifth") == 5
    assert read(vault, unit, 4).state == State.KEPT
    assert read(vault, unit, 5).state == read(vault, unit, 1).state


def test_what_a_rollback_left_behind_is_not_made_up(told: tuple[Path, str]) -> None:
    vault, unit = told
    assert rollback(vault, 2).number == 5
    assert read(vault, unit, 5).text == "A hedge of beech it is."  # the owner's acts are applied again
    with pytest.raises(UsageError):
        read(vault, unit, 3)
