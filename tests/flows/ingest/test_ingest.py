from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation
from prepared_vaults import ingested

from flows.batches.batch_stages import extract_batch, summarise_batch
from flows.engines.engine_choice import RULES
from flows.ingest import steps
from flows.ingest.steps import IngestRequest, ingest
from flows.reports.progress import Silent
from flows.reports.run_summary import ArchiveOutcome, RunSummary
from inference import load_embedder
from schemas.act import ActKind
from schemas.errors import IntegrityError, UsageError, VaultLocked
from schemas.unit import State
from vault.current import write_current
from vault.files import copy_tree
from vault.generations import NOTHING, published_number
from vault.integrity import differences
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

GARDEN = [
    ("user", "The garden is 40 square metres. I can only spend 200 euros on it."),
    ("assistant", "You could plant a hedge of hornbeam. Hornbeam grows 30 cm a year."),
    ("user", "OK let's go with the hornbeam hedge."),
]
BREAD = [("user", "How long does rye dough rest?"), ("assistant", "Rye dough rests for 12 hours.")]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def run(vault: Path, *archives: Path) -> RunSummary:
    return ingested(IngestRequest(vault, archives))


@pytest.fixture(scope="module")
def published_four_times(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault of four runs, for tests that read it or copy it."""
    folder = tmp_path_factory.mktemp("four")
    for length in range(1, 5):
        turns = [("user", f"The shelf number {number} holds {number} books.") for number in range(length)]
        archive = folder / "ada.json"
        archive.write_text(json.dumps([chatgpt_conversation("shelf", turns)]), encoding="utf-8")
        run(folder / "vault", archive)
    return folder / "vault"


def units(vault: Path) -> dict[str, str]:
    with open_vault(vault) as reader:
        found = reader.ledger.query("SELECT id, text FROM units ORDER BY id")
    return {str(unit): str(text) for unit, text in found}


def embeddings(vault: Path) -> set[tuple[str, str, str]]:
    """(kind, conversation, hash of what was embedded) of every point."""
    with open_vault(vault) as reader:
        found = reader.ledger.query("SELECT kind, conversation_id, content_hash FROM points")
    return {(str(kind), str(conversation), str(content)) for kind, conversation, content in found}


def rows(vault: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of the ledger, without run ids and clock columns."""
    columns = {
        "conversations": "* EXCLUDE (run)",
        "messages": "* EXCLUDE (run)",
        "segments": "* EXCLUDE (run)",
        "units": "* EXCLUDE (run)",
        "unit_events": '* EXCLUDE (run, "at")',
        "chunks": "* EXCLUDE (run)",
        "points": "* EXCLUDE (run)",
        "imports": "* EXCLUDE (run, imported_at)",
    }
    with open_vault(vault) as reader:
        return {
            table: reader.ledger.query(f"SELECT {wanted} FROM {table} ORDER BY ALL")
            for table, wanted in columns.items()
        }


def test_an_export_becomes_grounded_notes(vault: Path, export: Exporter) -> None:
    summary = run(vault, export("ada", {"garden": GARDEN, "bread": BREAD}))
    assert summary.exit_code == 0
    assert summary.generation == 1
    assert summary.rows["conversations"] == 2
    assert summary.rows["messages"] == 5
    with open_vault(vault) as reader:
        cited = reader.ledger.query(
            """
            SELECT m.text, e.start, e."end", e.quote FROM (SELECT unnest(evidence) AS e FROM units)
            JOIN messages m ON m.message_id = e.message_id
            """
        )
        assert differences(reader.index, reader.ledger) == []
    assert cited
    for text, start, end, quote in cited:
        assert str(text)[int(str(start)) : int(str(end))] == quote


def test_the_same_archive_again_changes_nothing(vault: Path, export: Exporter) -> None:
    archive = export("ada", {"garden": GARDEN})
    run(vault, archive)
    again = run(vault, archive)
    assert not again.published
    assert again.generation == 1
    assert again.made["vectors"] == 0
    assert [result.outcome for result in again.archives] == [ArchiveOutcome.UNCHANGED]


def test_a_longer_conversation_is_worked_on_alone_and_keeps_its_ids(vault: Path, export: Exporter) -> None:
    run(vault, export("ada", {"garden": GARDEN, "bread": BREAD}))
    before, embedded = units(vault), embeddings(vault)
    longer = [*GARDEN, ("user", "The fence is 12 metres long."), ("assistant", "A gate costs 90 euros.")]
    summary = run(vault, export("ada", {"garden": longer, "bread": BREAD}))
    (result,) = summary.archives
    assert (result.updated, result.unchanged, result.new) == (1, 1, 0)
    assert before.items() <= units(vault).items()
    # only what is new was embedded: the two messages' notes and chunks, and the conversation's own points
    fresh = embeddings(vault) - embedded
    assert summary.made["vectors"] == len(fresh) < len(embedded)
    assert {kind for kind, _, _ in fresh} == {"unit", "chunk", "summary", "conversation"}
    with open_vault(vault) as reader:
        ((worked_on,),) = reader.ledger.query(
            "SELECT DISTINCT conversation_id FROM messages WHERE text LIKE '%fence%'"
        )
    assert {conversation for _, conversation, _ in fresh} == {worked_on}


def test_a_unit_that_is_gone_from_the_text_stays_on_record(vault: Path, export: Exporter) -> None:
    run(vault, export("ada", {"garden": GARDEN}))
    before = units(vault)
    edited = [("user", "The garden is 55 square metres."), *GARDEN[1:]]
    run(vault, export("ada", {"garden": edited}))
    assert before.items() <= units(vault).items()
    with open_vault(vault) as reader:
        archived = reader.ledger.query("SELECT unit_id FROM unit_states WHERE state = 'archived'")
        assert archived
        assert differences(reader.index, reader.ledger) == []


def test_accounts_that_were_named_are_kept_apart(vault: Path, export: Exporter) -> None:
    run(vault, export("ada", {"garden": GARDEN}))
    ingest(IngestRequest(vault, (export("bob", {"garden": GARDEN}),), account="bob"))
    with open_vault(vault) as reader:
        assert reader.generation.accounts == ("ada", "bob")
        shared = reader.ledger.query("SELECT id FROM units GROUP BY id HAVING count(DISTINCT account) > 1")
    assert shared == []


def test_an_older_export_does_not_undo_a_newer_one(vault: Path, export: Exporter) -> None:
    older = json.loads(export("ada", {"garden": GARDEN}).read_text(encoding="utf-8"))
    newer = export("ada", {"garden": [*GARDEN, ("user", "The fence is 12 metres long.")]})
    run(vault, newer)
    before = rows(vault)
    stale = newer.with_name("stale.json")
    stale.write_text(json.dumps(older), encoding="utf-8")
    summary = ingest(IngestRequest(vault, (stale,), account="ada"))
    assert summary.archives[0].older == 1
    after = rows(vault)
    assert {name: after[name] for name in after if name != "imports"} == {
        name: before[name] for name in before if name != "imports"
    }


def test_a_bad_archive_is_reported_and_the_good_one_imported(
    vault: Path, export: Exporter, tmp_path: Path
) -> None:
    bad = tmp_path / "holiday.zip"
    bad.write_bytes(b"PK\x03\x04 not really")
    summary = run(vault, bad, export("ada", {"bread": BREAD}))
    assert summary.exit_code == 3
    assert [result.outcome for result in summary.archives] == [ArchiveOutcome.FAILED, ArchiveOutcome.IMPORTED]
    assert "holiday.zip" in summary.archives[0].error
    assert list((vault / "quarantine").iterdir())


def test_nothing_is_published_where_nothing_was_readable(vault: Path, tmp_path: Path) -> None:
    bad = tmp_path / "holiday.json"
    bad.write_text("{}", encoding="utf-8")
    assert run(vault, bad).exit_code == 1
    assert published_number(VaultLayout(vault)) is None


def test_a_json_cut_in_the_middle_keeps_what_came_before(vault: Path, export: Exporter) -> None:
    archive = export("ada", {"garden": GARDEN, "bread": BREAD})
    whole = archive.read_bytes()
    archive.write_bytes(whole[: whole.index(b'"bread-1"') + 5])
    summary = run(vault, archive)
    assert summary.exit_code == 3
    assert summary.archives[0].outcome is ArchiveOutcome.PARTLY
    assert summary.rows["conversations"] == 1


def test_a_second_writer_is_turned_away_and_readers_are_not(vault: Path, export: Exporter) -> None:
    archive = export("ada", {"garden": GARDEN})
    run(vault, archive)
    with writer_lock(VaultLayout(vault)):
        with pytest.raises(VaultLocked, match="process"):
            run(vault, archive)
        with open_vault(vault) as reader:
            assert reader.index.count() > 0


def test_a_keep_is_seen_at_once_and_folded_into_the_next_generation(vault: Path, export: Exporter) -> None:
    run(vault, export("ada", {"garden": GARDEN}))
    unit = next(iter(units(vault)))
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, [unit])
    with open_vault(vault) as reader:
        assert reader.pending_states() == {unit: State.KEPT}
    summary = run(vault, export("ada", {"garden": GARDEN}))
    assert summary.published
    with open_vault(vault) as reader:
        assert reader.pending_states() == {}
        assert reader.ledger.states([unit]) == {unit: State.KEPT}
        assert differences(reader.index, reader.ledger) == []


def test_a_kept_note_survives_the_loss_of_its_text(vault: Path, export: Exporter) -> None:
    run(vault, export("ada", {"garden": GARDEN}))
    before = units(vault)
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, list(before))
    run(vault, export("ada", {"garden": BREAD}))
    with open_vault(vault) as reader:
        assert set(reader.ledger.states(list(before)).values()) == {State.KEPT}
        assert differences(reader.index, reader.ledger) == []


def test_a_broken_current_is_named_with_its_remedy(vault: Path, export: Exporter) -> None:
    run(vault, export("ada", {"garden": GARDEN}))
    (vault / "CURRENT").write_text("rubbish\n", encoding="utf-8")
    with pytest.raises(IntegrityError, match=r"rubbish.*there are \[1\]"):
        open_vault(vault)


def test_a_publication_that_was_killed_at_its_last_step_is_finished(vault: Path, export: Exporter) -> None:
    archive = export("ada", {"garden": GARDEN})
    run(vault, archive)
    write_current(VaultLayout(vault), NOTHING)
    shutil.copytree(vault / "generations" / "1", vault / "building")
    again = run(vault, archive)
    assert (again.published, again.generation) == (False, 1)
    assert not (vault / "building").exists()
    run(vault, export("ada", {"garden": BREAD}))
    (vault / "CURRENT").write_text("1\n", encoding="utf-8")
    assert not run(vault, export("ada", {"garden": BREAD})).published
    assert published_number(VaultLayout(vault)) == 2


@pytest.mark.parametrize("lost", [None, "2\n"])
def test_generations_that_current_does_not_explain_are_never_removed(
    published_four_times: Path, vault: Path, export: Exporter, lost: str | None
) -> None:
    copy_tree(published_four_times, vault)
    (vault / "CURRENT").unlink()
    if lost:
        (vault / "CURRENT").write_text(lost, encoding="utf-8")
    with pytest.raises(IntegrityError, match="CURRENT"):
        run(vault, export("ada", {"garden": BREAD[:1]}))
    assert sorted(path.name for path in (vault / "generations").iterdir()) == ["2", "3", "4"]


def test_a_folder_that_is_not_a_vault_is_left_alone(tmp_path: Path, export: Exporter) -> None:
    house = tmp_path / "foreign" / "building" / "house.txt"
    house.parent.mkdir(parents=True)
    house.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="not a vault"):
        run(tmp_path / "foreign", export("ada", {"garden": GARDEN}))
    assert house.read_text(encoding="utf-8") == "mine"


def stage_only(vault: Path, archive: Path) -> None:
    """What a run leaves that is killed before its load."""
    layout = VaultLayout(vault)
    layout.create()
    embedder = load_embedder()
    plan = steps.read(layout, IngestRequest(vault, (archive,)), embedder, RULES, Silent())
    for batch in plan.batches:
        extract_batch(batch)
        summarise_batch(batch)
        steps.embed(layout, batch, embedder)


def test_a_batch_left_by_a_killed_run_brings_back_nothing_that_is_newer(
    vault: Path, export: Exporter
) -> None:
    older = export("ada", {"garden": GARDEN, "bread": BREAD}).rename(vault.with_name("old.json"))
    newer = export("ada", {"garden": [*GARDEN, ("user", "The fence is 12 metres long.")]})
    stage_only(vault, older)
    ingest(IngestRequest(vault, (newer,), account="old"))
    summary = ingest(IngestRequest(vault, (older,)))
    assert summary.rows["conversations"] == 2
    with open_vault(vault) as reader:
        texts = {str(text) for (text,) in reader.ledger.query("SELECT text FROM messages")}
        assert differences(reader.index, reader.ledger) == []
    assert {"The fence is 12 metres long.", BREAD[0][1]} <= texts


def test_a_torn_batch_is_worked_on_again(vault: Path, export: Exporter) -> None:
    archive = export("ada", {"garden": GARDEN})
    stage_only(vault, archive)
    (table,) = (vault / "staging").glob("*/units.parquet")
    table.write_bytes(table.read_bytes()[:50])
    assert run(vault, archive).rows["units"] > 0


def test_three_generations_are_kept(published_four_times: Path) -> None:
    kept = (published_four_times / "generations").iterdir()
    assert sorted(path.name for path in kept) == ["2", "3", "4"]


def test_a_reader_sees_the_old_generation_until_the_new_one_is_published(
    vault: Path, export: Exporter
) -> None:
    run(vault, export("ada", {"garden": GARDEN}))
    with open_vault(vault) as reader:
        count = reader.index.count()
        run(vault, export("ada", {"garden": GARDEN, "bread": BREAD}))
        assert reader.generation.number == 1
        assert reader.index.count() == count
        assert reader.refresh()
        assert reader.generation.number == 2
        assert reader.index.count() > count
        assert not reader.refresh()


def test_a_damaged_archive_brings_no_new_generation_when_it_comes_again(
    vault: Path, export: Exporter
) -> None:
    archive = export("ada", {"bread": BREAD, "garden": GARDEN})
    archive.write_text(archive.read_text()[:-40])
    first, again = run(vault, archive), run(vault, archive)
    assert first.archives[0].outcome is again.archives[0].outcome is ArchiveOutcome.PARTLY
    assert (first.generation, again.generation, again.published) == (1, 1, False)
