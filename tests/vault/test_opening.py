"""Whoever opens a damaged file without a look at it first is refused, with the file's name and the remedy."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.upkeep.full_verification import verify
from interfaces.main import main
from schemas.act import ActKind
from schemas.errors import IntegrityError, UsageError
from vault.files import copy_tree, files_below
from vault.generations import read_manifest
from vault.journal import Journal
from vault.journal_damage import damaged_acts
from vault.layout import INDEX_FOLDER, LEDGER_FILE, VaultLayout
from vault.opening import SMALL, damage_of
from vault.reader import open_vault

TALK = [("user", "The garden is 40 square metres. OK let's go with the hornbeam hedge.")]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("opening")
    (folder / "ada.json").write_text(json.dumps([chatgpt_conversation("garden", TALK)]), encoding="utf-8")
    assert ingested(IngestRequest(folder / "vault", (folder / "ada.json",))).published
    return folder / "vault"


@pytest.fixture
def layout(pristine: Path, tmp_path: Path) -> VaultLayout:
    copy_tree(pristine, tmp_path / "vault")
    return VaultLayout(tmp_path / "vault")


def flip(path: Path) -> None:
    whole = path.read_bytes()
    at = next((at for at, byte in enumerate(whole) if byte), 0)
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])


def read_all(layout: VaultLayout) -> None:
    with open_vault(layout.root) as reader:
        assert reader.ledger.query("SELECT count(*) FROM units") != [(0,)]
        assert list(reader.index.points())


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        (LEDGER_FILE, "vault rollback"),
        ("index/edge_config.json", "vault rebuild"),
        ("index/segments/*/payload_index/*-null/has_values/status.dat", "vault rebuild"),
        ("index/segments/*/payload_storage/page_0.dat", "vault rebuild"),
    ],
)
def test_a_damaged_file_is_not_opened_by_readers_or_the_writer(
    layout: VaultLayout, name: str, remedy: str
) -> None:
    read_all(layout)
    flip(next(layout.generation(1).glob(name)))
    with pytest.raises(IntegrityError, match=remedy) as refused:
        read_all(layout)
    assert Path(name).name in refused.value.why
    assert main(["ingest", str(layout.root.parent / "none.json"), "--vault", str(layout.root)]) != 0
    assert [one.check for one in verify(layout.root, full=False)[1]][:1] == ["files"]


def test_looks_that_can_be_neither_read_nor_written_cost_a_reading(layout: VaultLayout) -> None:
    layout.looks.unlink(missing_ok=True)
    layout.looks.mkdir()
    read_all(layout)
    assert not list(layout.root.glob(".looks*"))


def test_files_are_read_once_and_again_when_they_look_different(layout: VaultLayout) -> None:
    manifest = read_manifest(layout.generation(1))
    read_all(layout)
    read_all(layout)  # which finds the files that get another date whenever a shard is opened
    noted = layout.looks.read_text()
    read_all(layout)
    assert layout.looks.read_text() == noted
    stamps = json.loads(noted)[f"1/{INDEX_FOLDER}"]["stamps"]
    assert all(stamps[name] for name in stamps if Path(name).name.startswith(("page_", "chunk_")))
    ledger = layout.generation(1) / LEDGER_FILE
    dates = ledger.stat()
    flip(ledger)
    os.utime(ledger, ns=(dates.st_atime_ns, dates.st_mtime_ns))
    assert damage_of(layout, manifest, LEDGER_FILE), "the kernel's own date of change tells"
    assert damage_of(layout, manifest, INDEX_FOLDER) == []
    layout.looks.write_text("rubbish")
    assert damage_of(layout, manifest, INDEX_FOLDER) == []


def test_what_a_file_manager_leaves_in_a_vault_is_no_damage(layout: VaultLayout) -> None:
    segment = next((layout.generation(1) / INDEX_FOLDER / "segments").iterdir())
    for place in (layout.generation(1), layout.generation(1) / INDEX_FOLDER, segment.parent, segment):
        for name in (".DS_Store", "._segment.json", "Thumbs.db", "desktop.ini"):
            (place / name).write_bytes(b"left behind")
    read_all(layout)
    (segment / "another.dat").write_bytes(b"not by us")
    assert damage_of(layout, read_manifest(layout.generation(1)), INDEX_FOLDER)


def test_a_large_file_that_got_another_date_is_read_once_and_not_for_a_day(layout: VaultLayout) -> None:
    generation = layout.generation(1)
    read_all(layout)
    for path in files_below(generation):
        (generation / path).touch()
    read_all(layout)
    stamps = json.loads(layout.looks.read_text())[f"1/{LEDGER_FILE}"]["stamps"]
    assert (generation / LEDGER_FILE).stat().st_blocks * 512 >= SMALL
    assert stamps[LEDGER_FILE]


def test_a_damaged_act_is_not_taken_for_what_was_recorded_and_pruning_drops_it(
    layout: VaultLayout, export: Callable[..., Path]
) -> None:
    with open_vault(layout.root) as reader:
        (unit,) = reader.ledger.query("SELECT min(id) FROM units")[0]
    with Journal(layout.journal) as journal:
        journal.append(ActKind.CORRECT, [str(unit)])
        journal._connection.execute("UPDATE acts SET detail = 'something else'")
    with pytest.raises(IntegrityError, match="act 1 is not what was recorded"):
        read_all(layout)
    assert main(["vault", "prune", "--vault", str(layout.root)]) == 0
    assert damaged_acts(layout.journal) == []
    read_all(layout)


def test_a_new_or_restored_journal_numbers_no_act_as_one_that_was_folded(
    layout: VaultLayout, export: Callable[..., Path]
) -> None:
    with open_vault(layout.root) as reader:
        (unit,) = reader.ledger.query("SELECT min(id) FROM units")[0]
    for _ in range(2):
        with Journal(layout.journal) as journal:
            journal.append(ActKind.KEEP, [str(unit)])
            journal.append(ActKind.DISCARD, [str(unit)])
        ingested(IngestRequest(layout.root, (export("ada", {"garden": TALK}),)))
        layout.journal.unlink()
        with Journal(layout.journal) as journal:
            journal.append(ActKind.KEEP, [str(unit)])
        with open_vault(layout.root) as reader:
            assert reader.pending_states(), "the act is not taken for one that was folded"


def test_rules_that_cannot_be_read_stop_an_import_and_are_named(layout: VaultLayout) -> None:
    layout.exclusions.write_text('[{"kind": "projecu", "value": "Work*"}]')
    assert [one.where for one in verify(layout.root, full=False)[1]] == ["exclusions.json"]
    with pytest.raises(UsageError, match=r"exclusions\.json"):
        ingested(IngestRequest(layout.root, (layout.root.parent / "none.json",)))
