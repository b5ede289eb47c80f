"""To forget: no byte of it stays in the vault, nothing brings it back, everything else is there."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from chatgpt_export import Turn, chatgpt_conversation
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.intake.exclusions import keep_rules, parse_rule
from flows.intake.inbox import move_out
from flows.intake.sieve import FORGOTTEN
from flows.reports.run_summary import ArchiveOutcome
from flows.sweeps.clean_duplicates import clean_duplicates
from flows.sweeps.sweep import SweepRequest
from flows.upkeep.forgetting import ForgetPlan, forget, plan_forgetting
from flows.upkeep.full_verification import verify
from flows.upkeep.index_rebuild import rollback
from inference.store import Store
from interfaces.main import main
from schemas.act import ActKind, Deed
from schemas.errors import UnknownId
from schemas.policy import KeepPolicy
from schemas.unit import State
from vault.erasing import Erasure
from vault.files import copy_tree, data_extents, files_below
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault
from vault.restoring import restore
from vault.tombstones import bury, condemned

SECRET = "zanzibarine"
TALKS = {
    "secret-place": [("user", f"My hut at {SECRET} has 7 windows. I decided to sell the hut at {SECRET}.")],
    "garden": [("user", "The garden is 40 square metres. OK let's go with the hornbeam hedge.")],
}


def where_found(root: Path, needle: str) -> list[str]:
    return [str(path) for path in files_below(root) if needle.encode() in stored_bytes(root / path)]


def stored_bytes(path: Path) -> bytes:
    """What the disk holds of a file: no hole of a shard, of which there are 122 MB, has a word in it."""
    with path.open("rb") as file:
        held = data_extents(file.fileno(), path.stat().st_size)
        return b"\0".join([os.pread(file.fileno(), end - start, start) for start, end in held])


@pytest.fixture
def vault(told: Path, tmp_path: Path) -> Path:
    """A copy of its own for each test."""
    copy_tree(told, tmp_path / "vault")
    return tmp_path / "vault"


def written(path: Path, talks: Mapping[str, Sequence[Turn]]) -> Path:
    made = [chatgpt_conversation(name, turns) for name, turns in talks.items()]
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault that has the secret everywhere it can be."""
    folder = tmp_path_factory.mktemp("forgetting")
    root = let_pass(folder / "vault")
    layout = VaultLayout(root)
    layout.create()
    archive = written(layout.inbox / "ada.json", TALKS)
    summary = ingested(IngestRequest(root, (archive,)))
    move_out(layout, summary.archives)
    with open_vault(root) as reader:
        units = reader.ledger.query("SELECT id, contains(text, ?) FROM units ORDER BY id", [SECRET])
    with Journal(layout.journal) as journal:
        for unit, is_secret in units:
            reason = f"{SECRET} matters" if is_secret else "the garden matters"
            journal.append(ActKind.KEEP, [str(unit)], reason=reason)
    (layout.quarantine / "odd.bin").write_bytes(f"My hut at {SECRET} has 7 windows. I decided".encode())
    later = {"garden": [*TALKS["garden"], ("user", "The gate costs 90 euros.")]}
    garden = written(folder / "later.json", later)
    assert ingested(IngestRequest(root, (garden,), account="ada")).generation == 2
    return root


def secret(vault: Path) -> ForgetPlan:
    return plan_forgetting(vault, Erasure(match=SECRET.upper()))


def test_no_byte_stays_and_everything_else_does(vault: Path, tmp_path: Path) -> None:
    assert main(["export", "units", "--to", str(tmp_path / "units.jsonl"), "--vault", str(vault)]) == 0
    assert main(["vault", "backup", str(tmp_path / "backup.zip"), "--vault", str(vault)]) == 0
    layout = VaultLayout(vault)
    assert where_found(vault, SECRET)
    plan = secret(vault)
    assert [one.title for one in plan.erased] == ["Secret Place"]
    assert {path.name for path in plan.files} == {"ada.json", "odd.bin", "units.jsonl"}
    assert [line.partition(":")[0] for line in plan.still_there] == [str(tmp_path / "backup.zip")]
    gone = forget(vault, plan)
    assert gone["conversations"] == 1
    assert where_found(vault, SECRET) == []
    assert where_found(vault, "secret-place") == []
    assert not (tmp_path / "units.jsonl").exists()
    assert [path.name for path in layout.generations.iterdir()] == ["3"]
    assert verify(vault, full=True)[1] == []
    with open_vault(vault) as reader:
        states = dict(reader.ledger.query("SELECT id, state FROM units_current"))
        assert set(states.values()) == {State.KEPT, State.PASSED}  # the newest was never kept
        assert reader.ledger.query("SELECT title FROM conversations") == [("Garden",)]


def test_a_later_import_leaves_it_out_and_says_so(vault: Path, export: Callable[..., Path]) -> None:
    forget(vault, secret(vault))
    longer = {name: [*turns, ("user", "A fence is 12 metres long.")] for name, turns in TALKS.items()}
    summary = ingested(IngestRequest(vault, (export("ada", longer),)))
    (result,) = summary.archives
    assert result.report is not None
    assert [note.reason for note in result.report.notes if "forgotten" in note.reason] == [FORGOTTEN]
    assert result.report.records == result.report.messages + result.report.records_skipped
    assert where_found(vault, SECRET) == []


def test_importing_what_was_forgotten_again_says_so_and_since_when(
    tmp_path: Path, export: Callable[..., Path]
) -> None:
    vault, archive = tmp_path / "vault", export("ada", {"secret-place": TALKS["secret-place"]})
    ingested(IngestRequest(vault, (archive,)))
    whole = export("bob", TALKS)
    ingested(IngestRequest(vault, (whole,), account="bob"))
    erased = plan_forgetting(vault, Erasure(account="ada"))
    forget(vault, erased)
    today = datetime.now(UTC).date().isoformat()
    for _ in range(2):
        (result,) = ingested(IngestRequest(vault, (archive,))).archives
        assert result.outcome is ArchiveOutcome.FORGOTTEN
        assert result.forgotten == f"It was forgotten on {today} and stays so"
    (other,) = ingested(IngestRequest(vault, (whole,), account="bob")).archives
    assert (other.outcome, other.forgotten) == (ArchiveOutcome.UNCHANGED, "")


def test_an_interrupted_erasure_is_finished_by_the_next_run(vault: Path, export: Callable[..., Path]) -> None:
    plan = secret(vault)
    bury(VaultLayout(vault), [(one.owner, one.account) for one in plan.erased])
    ingested(IngestRequest(vault, (export("ada", {"garden": TALKS["garden"]}),)))
    assert where_found(vault / "generations", SECRET) == []
    assert verify(vault, full=True)[1] == []


def test_a_killed_erasure_leaves_no_archive_and_no_export(
    vault: Path, tmp_path: Path, export: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    units = tmp_path / "units.jsonl"
    assert main(["export", "units", "--to", str(units), "--vault", str(vault)]) == 0
    with monkeypatch.context() as killed:
        killed.setattr(Path, "unlink", dies)
        with pytest.raises(KeyboardInterrupt):
            forget(vault, secret(vault))
    assert units.exists()
    assert where_found(VaultLayout(vault).processed, SECRET)
    ingested(IngestRequest(vault, (export("ada", {"garden": TALKS["garden"]}),)))
    assert where_found(vault, SECRET) == []
    assert list(VaultLayout(vault).processed.iterdir()) == []
    assert not units.exists()


def dies(*_: object, **__: object) -> None:
    """Stands in for the first removal of a file, at which the process is killed."""
    raise KeyboardInterrupt


def test_a_strange_journal_names_no_file_of_this_machine(vault: Path, tmp_path: Path) -> None:
    layout = VaultLayout(vault)
    mine, own = tmp_path / "mine.txt", layout.processed / "mine.txt"
    for path in (mine, own):
        path.write_text("mine", encoding="utf-8")
    with closing(sqlite3.connect(layout.journal)) as journal, journal:
        bury(layout, [], [own])
        names = [str(mine), f"processed/../../{mine.name}", "generations/2", "processed/..", "processed/."]
        journal.executemany("INSERT INTO condemned VALUES (?, '')", [(name,) for name in names])
        journal.execute("INSERT OR REPLACE INTO condemned VALUES (?, '1 4 0 0')", [str(mine)])
    assert condemned(layout) == [own]


def test_what_models_answered_goes_with_it(vault: Path) -> None:
    layout = VaultLayout(vault)
    with Store(layout.cache) as store:
        assert store.erase_answers() == 0
    forget(vault, secret(vault))
    assert where_found(vault, SECRET) == []


def test_a_restored_backup_from_before_can_forget_in_turn(vault: Path, tmp_path: Path) -> None:
    assert main(["vault", "backup", str(tmp_path / "backup.zip"), "--vault", str(vault)]) == 0
    restore(tmp_path / "backup.zip", tmp_path / "restored")
    forget(tmp_path / "restored", secret(tmp_path / "restored"))
    assert where_found(tmp_path / "restored", SECRET) == []


def test_nothing_meant_is_an_error_and_a_dry_run_changes_nothing(vault: Path) -> None:
    with pytest.raises(UnknownId):
        plan_forgetting(vault, Erasure(match="never said"))
    assert main(["forget", "--match", SECRET, "--dry-run", "--json", "--vault", str(vault)]) == 0
    assert main(["forget", "--vault", str(vault)]) == 2
    assert where_found(vault / "generations" / "2", SECRET)


def test_forgetting_may_be_the_first_act_of_all(tmp_path: Path, export: Callable[..., Path]) -> None:
    root = tmp_path / "fresh"
    archive = export("fresh", TALKS)
    ingested(IngestRequest(root, (archive,)))
    assert main(["forget", "--vault", str(root), "--match", SECRET, "--yes"]) == 0
    assert where_found(root, SECRET) == []
    assert main(["ingest", "--vault", str(root), str(archive)]) == 0


def test_what_only_an_older_generation_has_is_forgotten_with_the_acts_on_it(
    tmp_path: Path, export: Callable[..., Path]
) -> None:
    root = tmp_path / "vault"
    ingested(IngestRequest(root, (export("ada", {"garden": TALKS["garden"]}),)))
    ingested(IngestRequest(root, (export("ada", TALKS),)))
    with open_vault(root) as reader:
        (unit,) = reader.ledger.query("SELECT id FROM units WHERE contains(text, ?) LIMIT 1", [SECRET])[0]
    with Journal(VaultLayout(root).journal) as journal:
        journal.record([Deed(ActKind.CORRECT, str(unit), f"The hut at {SECRET} is sold.")])
    rollback(root, 1)
    with open_vault(root) as reader:
        assert reader.ledger.query("SELECT * FROM units WHERE id = ?", [unit]) == []
    assert where_found(root, SECRET)
    forget(root, secret(root))
    assert where_found(root, SECRET) == []
    assert verify(root, full=True)[1] == []


def test_a_merge_with_what_is_forgotten_comes_apart(tmp_path: Path, export: Callable[..., Path]) -> None:
    talks = {
        "garden": [
            ("user", "The shed door cannot hold more than 9 hooks."),
            ("user", "My boat cannot carry more than 4 people."),
        ],
        "secret-place": [
            ("user", "My boat can't carry more than four people."),
            ("user", f"The shed door can't hold more than nine hooks. My hut is at {SECRET}."),
        ],
    }
    root = let_pass(tmp_path / "vault")
    ingested(IngestRequest(root, (export("ada", talks),)))
    assert clean_duplicates(SweepRequest(root)).effects["applied"] == 2
    forget(root, secret(root))
    for words in ("carry more than four", "hold more than nine", SECRET):
        assert where_found(root, words) == [], words
    with open_vault(root) as reader:
        states = dict(reader.ledger.query("SELECT text, state FROM units_current"))
        stored = [one.payload for one in reader.index.points() if one.payload.category]
    assert states == dict.fromkeys(states, State.PASSED), "the note that the other stood for is back"
    assert all(len(payload.evidence) == 1 for payload in stored)
    assert verify(root, full=True)[1] == []


def test_a_torn_file_is_known_by_any_part_and_a_short_word_gives_nothing_away(
    tmp_path: Path, export: Callable[..., Path]
) -> None:
    root = tmp_path / "vault"
    said = " ".join(f"The hut at {SECRET} has {number} windows." for number in range(1, 30))
    ingested(IngestRequest(root, (export("ada", {"secret-place": [("user", said), ("user", "ok")]}),)))
    layout = VaultLayout(root)
    (layout.quarantine / "torn.bin").write_bytes(said[len(said) // 2 :].encode())
    (layout.quarantine / "other.bin").write_bytes(b"a cookbook")
    with open_vault(root) as reader:
        (owner,) = reader.ledger.query("SELECT conversation_id FROM conversations")[0]
    plan = plan_forgetting(root, Erasure(conversations=(str(owner),)))
    assert [path.name for path in plan.files] == ["torn.bin"]


def test_the_note_beside_a_folder_goes_with_it(tmp_path: Path) -> None:
    layout = VaultLayout(tmp_path / "vault")
    layout.create()
    folder = layout.inbox / "export"
    folder.mkdir()
    talk = chatgpt_conversation("secret-place", TALKS["secret-place"])
    odd = {"mapping": {}, "title": [f"{SECRET} in a record that is no conversation"]}
    (folder / "conversations.json").write_text(json.dumps([talk, odd, f"{SECRET}, a string"]), "utf-8")
    move_out(layout, ingested(IngestRequest(layout.root, (folder,), account="ada")).archives)
    assert where_found(layout.processed, SECRET) == ["export/conversations.json", "export.note.json"]
    forget(layout.root, secret(layout.root))
    assert where_found(layout.root, SECRET) == []
    assert list(layout.processed.iterdir()) == []


def test_a_note_that_cannot_be_read_has_its_archive_named(vault: Path) -> None:
    archive = VaultLayout(vault).processed / "ada.json"
    archive.with_name("ada.json.note.json").write_text("{", encoding="utf-8")
    plan = secret(vault)
    assert archive not in plan.files
    assert [line for line in plan.still_there if line.startswith(f"{archive}: cannot be read")]


def test_a_folder_of_pages_without_its_record_is_named_and_blocks_nothing(
    vault: Path, tmp_path: Path
) -> None:
    pages = tmp_path / "pages"
    assert main(["export", "markdown", "--to", str(pages), "--vault", str(vault)]) == 0
    (pages / ".mnemic.json").write_text("{", encoding="utf-8")
    plan = secret(vault)
    assert [line for line in plan.still_there if line.startswith(f"{pages}: exported pages")]
    forget(vault, plan)
    assert where_found(vault, SECRET) == []


def test_a_reason_that_quotes_an_archive_is_told_without_its_words(tmp_path: Path) -> None:
    archive = tmp_path / "ada.json"
    talk = chatgpt_conversation("secret-place", [*TALKS["secret-place"], ("user", "odd")])
    content = talk["mapping"]["secret-place-1"]["message"]["content"]
    content["content_type"] = f"a map of {SECRET}"
    archive.write_text(json.dumps([talk, chatgpt_conversation("garden", TALKS["garden"])]), encoding="utf-8")
    layout = VaultLayout(tmp_path / "vault")
    ingested(IngestRequest(layout.root, (archive,)))
    forget(layout.root, secret(layout.root))
    assert where_found(layout.root, SECRET) == []
    with open_vault(layout.root) as reader:
        ((reasons,),) = reader.ledger.query("SELECT list_transform(notes, lambda n: n.reason) FROM imports")
    assert "content of an unknown type" in reasons


@pytest.mark.parametrize("edited", [False, True])
def test_a_trace_goes_unless_it_was_changed(vault: Path, tmp_path: Path, edited: bool) -> None:
    trace = tmp_path / "trace.jsonl"
    assert main(["recall", SECRET, "--trace", str(trace), "--account", "ada", "--vault", str(vault)]) == 0
    if edited:
        trace.write_text(f"mine: {SECRET}", encoding="utf-8")
    plan = secret(vault)
    forget(vault, plan)
    assert trace.exists() is edited
    assert bool([line for line in plan.still_there if line.startswith(f"{trace}: a trace")]) is edited


def test_what_stays_of_the_owners_own_words_and_of_records_is_named(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = VaultLayout(vault)
    archive = written(tmp_path / f"{SECRET}-export.json", {"boat": [("user", "My boat is 9 metres long.")]})
    assert ingested(IngestRequest(vault, (archive,), account="ada")).published
    keep_rules(layout, [parse_rule(f"project:{SECRET}*"), parse_rule("project:Work")])
    with open_vault(vault) as reader:
        where = "title = 'Garden'"
        (note,) = reader.ledger.query(
            f"SELECT u.id FROM units u JOIN conversations c USING (conversation_id) WHERE {where} LIMIT 1"
        )[0]
    with Journal(layout.journal) as journal:
        journal.append(ActKind.DISCARD, [str(note)], reason=f"nothing to do with {SECRET}")
        policy = Deed(ActKind.POLICY_ON, f"{SECRET}-notes", KeepPolicy(account="eve").model_dump_json())
        journal.record([policy])
    database = tmp_path / "prefect" / "prefect.db"
    database.parent.mkdir()
    database.write_bytes(b"SQLite format 3\0 ada.json was imported")
    monkeypatch.setenv("PREFECT_HOME", str(database.parent))
    plan = secret(vault)
    named = "\n".join(plan.still_there)
    for said in (
        f"{layout.exclusions}: your rules project:{SECRET}*;",
        f"your policies {SECRET}-notes, which",
        "what you wrote in 1 act on other notes",
        f"by the name of the archive {SECRET}-export.json",
        f"{database}: Prefect's record of runs",
    ):
        assert said in named
    forget(vault, plan)
    left = {Path(path).parts[0] for path in where_found(vault, SECRET)}
    assert left == {"exclusions.json", "journal.sqlite", "generations"}
