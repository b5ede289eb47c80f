"""Corruption drills: every fault is made in a real vault, found, named, and mended by the remedy it names."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path

import duckdb
import pytest
from chatgpt_export import chatgpt_conversation
from click.testing import CliRunner
from open_gate import let_pass
from prepared_vaults import ingested
from test_index_conformance import point

from flows.ingest.steps import IngestRequest
from flows.upkeep.full_verification import verify
from flows.upkeep.index_rebuild import rebuild, rollback
from flows.upkeep.search_graph import optimize
from interfaces.cli.commands.vault import command
from schemas.act import ActKind
from schemas.errors import IntegrityError
from schemas.unit import State
from vault.edge import EdgeIndex
from vault.files import copy_tree
from vault.generations import building, published_number, recover
from vault.index import IndexedPoint
from vault.journal import Journal
from vault.layout import INDEX_FOLDER, LEDGER_FILE, MANIFEST_FILE, VaultLayout
from vault.lock import writer_lock
from vault.reader import open_vault

BREAD = [
    ("user", "How long does rye dough rest?"),
    ("assistant", "Rye dough rests for 12 hours."),
    ("user", "I bake every Saturday. I'm sticking with the stone oven."),
]
TALK = [("user", "The garden is 40 square metres. The hornbeam hedge is 12 metres long.")]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drills")
    (folder / "ada.json").write_text(json.dumps([chatgpt_conversation("bread", BREAD)]), encoding="utf-8")
    vault = let_pass(folder / "vault")
    assert ingested(IngestRequest(vault, (folder / "ada.json",))).published
    return vault


@pytest.fixture
def vault(pristine: Path, tmp_path: Path) -> Path:
    copy_tree(pristine, tmp_path / "vault")  # keeps holes, which shutil would write
    return tmp_path / "vault"


@pytest.fixture
def layout(vault: Path) -> VaultLayout:
    return VaultLayout(vault)


def published_points(layout: VaultLayout) -> list[IndexedPoint]:
    with open_vault(layout.root) as reader:
        return list(reader.index.points())


def rows(vault: Path) -> dict[str, list[tuple[object, ...]]]:
    with open_vault(vault) as reader:
        return {
            table: reader.ledger.query(f"SELECT * EXCLUDE (run) FROM {table} ORDER BY ALL")
            for table in ("units", "messages", "points")
        }


def write(layout: VaultLayout, change: Callable[[EdgeIndex], None]) -> None:
    """Change the published shard behind everybody's back."""
    number = published_number(layout) or 0
    index = EdgeIndex.open(layout.generation(number) / INDEX_FOLDER)
    change(index)
    index.flush()
    index.close()


def swap_payloads(points: Sequence[IndexedPoint], index: EdgeIndex) -> None:
    index.set_payloads([(points[0].id, points[1].payload), (points[1].id, points[0].payload)])


def delete_one(points: Sequence[IndexedPoint], index: EdgeIndex) -> None:
    index.delete([points[0].id])


def add_a_foreign_one(points: Sequence[IndexedPoint], index: EdgeIndex) -> None:
    foreign = point("foreign", 1)
    index.upsert([IndexedPoint(foreign.id, foreign.payload, points[0].vector, foreign.sparse)])


def change_one_text(points: Sequence[IndexedPoint], index: EdgeIndex) -> None:
    index.set_payloads([(points[0].id, points[0].payload.model_copy(update={"text": "something else"}))])


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (swap_payloads, "swapped"),
        (delete_one, "missing"),
        (add_a_foreign_one, "foreign"),
        (change_one_text, "changed"),
    ],
)
def test_a_wrong_point_is_found_and_named(
    layout: VaultLayout, fault: Callable[[Sequence[IndexedPoint], EdgeIndex], None], kind: str
) -> None:
    points = published_points(layout)
    write(layout, lambda index: fault(points, index))
    _, found = verify(layout.root, full=True)
    named = point("foreign", 1).id if kind == "foreign" else points[0].id
    (wrong,) = [one for one in found if one.where == named]
    assert wrong.what.startswith(kind)
    assert "mnemic vault rebuild" in wrong.remedy


def test_the_graph_is_built_aside_and_the_next_run_keeps_what_it_holds(layout: VaultLayout) -> None:
    before = {one.id: one.payload for one in published_points(layout)}
    assert optimize(layout.root).number == 2
    assert {one.id: one.payload for one in published_points(layout)} == before
    assert verify(layout.root, full=True)[1] == []
    assert CliRunner().invoke(command, ["optimize", "--vault", str(layout.root), "--json"]).exit_code == 0
    assert published_number(layout) == 3


def test_a_rebuild_mends_any_wrong_points_and_needs_no_index_at_all(layout: VaultLayout) -> None:
    points = published_points(layout)
    before = {one.id: one for one in points}
    ledger_before = rows(layout.root)
    for fault in (swap_payloads, change_one_text, add_a_foreign_one, delete_one):
        write(layout, partial(fault, points))
    rebuild(layout.root)
    # the generation that was damaged is still there, and named as an older one
    assert {one.check for one in verify(layout.root, full=True)[1]} == {"older"}
    assert rows(layout.root) == ledger_before
    shutil.rmtree(layout.generation(2) / INDEX_FOLDER)
    rebuild(layout.root)
    after = {one.id: one for one in published_points(layout)}
    assert after.keys() == before.keys()
    assert all(after[one].payload == before[one].payload for one in before)
    assert min(float(after[one].vector @ before[one].vector) for one in before) > 0.9999


@pytest.mark.parametrize("rubbish", ["", "seven", "99\n", "1 ", "1", "01\n", "\x00\xff", "-1"])
def test_a_current_that_is_rubbish_is_found_and_mended_by_a_rollback(vault: Path, rubbish: str) -> None:
    layout = VaultLayout(vault)
    layout.current.write_text(rubbish, encoding="latin-1")
    checks, found = verify(vault, full=False)
    assert checks == ["current", "journal", "cache", "rules", "reports"]
    (wrong,) = found
    assert wrong.where == "CURRENT"
    assert "mnemic vault rollback 1" in wrong.remedy
    with pytest.raises(IntegrityError):
        open_vault(vault)
    assert rollback(vault, 1).number == 2
    assert verify(vault, full=True)[1] == []


def test_duckdb_alone_reads_the_views_of_a_published_generation(pristine: Path) -> None:
    path = VaultLayout(pristine).generation(1) / LEDGER_FILE
    with duckdb.connect(str(path), read_only=True) as ledger:
        counts = {
            view: ledger.execute(f"SELECT count(*) FROM {view}").fetchall()[0][0]
            for view in ("units_current", "decisions", "open_questions", "imports", "costs")
        }
        said = ledger.execute("SELECT text, state, conversation FROM decisions").fetchall()
    assert said == [("The user is sticking with the stone oven.", "passed", "Bread")]
    assert counts == {"units_current": 4, "decisions": 1, "open_questions": 1, "imports": 1, "costs": 0}


def test_a_current_that_is_lost_is_found_and_mended_too(vault: Path) -> None:
    layout = VaultLayout(vault)
    layout.current.unlink()
    (wrong,) = verify(vault, full=False)[1]
    assert "mnemic vault rollback 1" in wrong.remedy
    with writer_lock(layout), pytest.raises(IntegrityError):
        recover(layout)
    layout.current.write_text("0\n")  # as a first publication leaves it that is killed at its last step
    with writer_lock(layout):
        recover(layout)
    assert published_number(layout) == 1


def stored_files(layout: VaultLayout) -> Iterator[str]:
    folder = layout.generation(1)
    largest = sorted(
        (path for path in folder.rglob("*") if path.is_file() and path.name != "edge_config.json"),
        key=lambda path: -path.stat().st_blocks,
    )
    yield from (str(path.relative_to(folder)) for path in largest[:5])
    yield MANIFEST_FILE


def damaged(whole: bytes, damage: str) -> bytes:
    if damage == "truncated":
        return whole[: len(whole) // 2]
    at = next(at for at in range(len(whole) // 2, len(whole) * 2) if whole[at % len(whole)]) % len(whole)
    return whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]


def test_damage_to_any_stored_file_is_named(layout: VaultLayout) -> None:
    """Each file in one way here; `make faults` damages every file in every way."""
    folder = layout.generation(1)
    for name, damage in zip(stored_files(layout), cycle(("flipped", "truncated", "removed")), strict=False):
        path = folder / name
        whole = path.read_bytes()
        path.unlink()
        if damage != "removed":
            path.write_bytes(damaged(whole, damage))
        _, found = verify(layout.root, full=True)
        path.write_bytes(whole)
        assert found, name
        assert any(name in one.where for one in found) or name == MANIFEST_FILE, name
    assert verify(layout.root, full=True)[1] == []


def test_damage_to_an_older_generation_is_named_and_mended(
    layout: VaultLayout, export: Callable[..., Path]
) -> None:
    assert ingested(IngestRequest(layout.root, (export("ada", {"garden": TALK}),))).generation == 2
    older = layout.generation(1)
    (older / LEDGER_FILE).write_bytes(damaged((older / LEDGER_FILE).read_bytes(), "flipped"))
    assert verify(layout.root, full=False)[1] == []
    (wrong,) = verify(layout.root, full=True)[1]
    assert (wrong.check, wrong.where) == ("older", f"generations/1/{LEDGER_FILE}")
    (older / MANIFEST_FILE).write_text("{", encoding="utf-8")
    (wrong,) = verify(layout.root, full=True)[1]
    assert wrong.where == f"generations/1/{MANIFEST_FILE}"
    assert "mnemic vault prune --keep 1" in wrong.remedy
    pruned = CliRunner().invoke(command, ["prune", "--keep", "1", "--vault", str(layout.root)])
    assert (pruned.exit_code, verify(layout.root, full=True)[1]) == (0, [])


@pytest.mark.parametrize("whole", [True, False])
def test_damage_to_a_report_is_named(layout: VaultLayout, whole: bool) -> None:
    (page,) = layout.reports.glob("*.html")
    content = page.read_bytes()
    page.write_bytes(content if whole else damaged(content, "flipped"))
    found = verify(layout.root, full=False)[1]
    assert [one.where for one in found] == ([] if whole else [f"reports/{page.name}"])
    page.write_bytes(content[: content.rindex(b"<!--")])  # as the first version wrote them
    assert verify(layout.root, full=False)[1] == []


def test_a_rollback_publishes_the_old_content_and_applies_later_acts_again(
    layout: VaultLayout, export: Callable[..., Path]
) -> None:
    vault = layout.root
    first = rows(vault)
    ingested(IngestRequest(vault, (export("ada", {"garden": TALK}),)))
    with open_vault(vault) as reader:
        (new,) = reader.ledger.query("SELECT id FROM units WHERE text LIKE '%hornbeam%'")[0]
        (old,) = reader.ledger.query("SELECT min(id) FROM units WHERE id <> ?", [new])[0]
        with Journal(layout.journal) as journal:
            journal.append(ActKind.KEEP, [str(old), str(new)])
    archive = export("ada", {"bread": BREAD})
    assert ingested(IngestRequest(vault, (archive,))).generation == 3  # folds the acts
    assert rollback(vault, 1).number == 4
    back = rows(vault)
    assert back["messages"] == first["messages"]
    with open_vault(vault) as reader:
        assert reader.ledger.states([str(old)]) == {str(old): State.KEPT}
    # what the owner kept of a conversation that is gone waits for it to come back
    ingested(IngestRequest(vault, (export("ada", {"garden": TALK}),)))
    with open_vault(vault) as reader:
        assert reader.ledger.states([str(new)]) == {str(new): State.KEPT}
    assert verify(vault, full=True)[1] == []


def test_a_backup_restores_elsewhere_and_every_flipped_bit_in_it_is_found(
    layout: VaultLayout, tmp_path: Path
) -> None:
    with open_vault(layout.root) as reader:
        unit = str(reader.ledger.query("SELECT min(id) FROM units")[0][0])
    with Journal(layout.journal) as journal:
        journal.append(ActKind.KEEP, [unit])
    file = tmp_path / "backup.zip"
    run = CliRunner()
    assert run.invoke(command, ["backup", str(file), "--vault", str(layout.root)]).exit_code == 0
    there = tmp_path / "elsewhere"
    assert run.invoke(command, ["restore", str(file), "--vault", str(there)]).exit_code == 0
    assert rows(there) == rows(layout.root)
    assert verify(there, full=True)[1] == []
    with open_vault(there) as reader:
        assert reader.pending_states() == {unit: State.KEPT}
    whole = file.read_bytes()
    for number in range(10):
        at = len(whole) * number // 10
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        outcome = run.invoke(command, ["restore", str(file), "--vault", str(tmp_path / "damaged")])
        harmless = outcome.exception is None and rows(tmp_path / "damaged") == rows(layout.root)
        assert harmless or not (tmp_path / "damaged").exists()
        shutil.rmtree(tmp_path / "damaged", ignore_errors=True)


def test_pruning_leaves_what_is_being_read(vault: Path) -> None:
    layout = VaultLayout(vault)
    with open_vault(vault):
        for _ in range(4):
            rollback(vault, published_number(layout) or 0)
        assert {int(path.name) for path in layout.generations.iterdir()} == {1, 3, 4, 5}
    outcome = CliRunner().invoke(command, ["prune", "--keep", "1", "--vault", str(vault)])
    assert outcome.exit_code == 0
    assert [path.name for path in layout.generations.iterdir()] == ["5"]
    assert not layout.spare.exists()


def test_the_next_generation_is_made_of_the_spare_and_equals_a_whole_copy(vault: Path) -> None:
    layout = VaultLayout(vault)
    for _ in range(4):
        rollback(vault, published_number(layout) or 0)
    assert layout.spare.exists()
    rollback(vault, 5)
    assert verify(vault, full=True)[1] == []
    with writer_lock(layout), open_vault(vault) as reader:
        binding = reader.generation.embedder
        with building(layout, binding) as next_generation:
            assert next_generation.index.count() == reader.index.count()
            copied = (layout.building / LEDGER_FILE).stat().st_size
            assert copied == (layout.generation(6) / LEDGER_FILE).stat().st_size
