"""Accounts merged, renamed and split in a vault: ids, acts and vectors stay, and nothing stays behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation
from open_gate import let_pass

from flows.ingest.reprocessing import ReprocessRequest, reprocess
from flows.ingest.steps import IngestRequest, ingest
from flows.reports.run_summary import ArchiveOutcome, RunSummary
from flows.upkeep.forgetting import forget, plan_forgetting
from flows.upkeep.full_verification import verify
from interfaces.main import main
from schemas.act import ActKind, Deed
from vault.erasing import Erasure
from vault.files import copy_tree, files_below
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.points import Payload
from vault.reader import open_vault

GROK = Path(__file__).parents[2] / "archives" / "fixtures" / "grok"
TALKS = {
    "gpt": ("north field", "I decided to sow oats on the quillonfield. The field is 12 hectares."),
    "more": ("boat", "I decided to paint the boat green. The boat is 7 m long."),
    "third": ("hut", "I decided to sell the hut at zanzibarine. The hut has 7 windows."),
}
ACCOUNTS = ("gpt", "more", "third")
"""As the names of their files: what a vault of before called them."""


def export(folder: Path, name: str, *talks: str) -> Path:
    path = folder / f"{name}.json"
    made = [chatgpt_conversation(one, [("user", TALKS[one][1])]) for one in talks or (name,)]
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault in which one person's memory is in three accounts, with a kept note in each of two."""
    folder = tmp_path_factory.mktemp("three-accounts")
    vault = let_pass(folder / "vault")
    for name in ACCOUNTS:
        ingest(IngestRequest(vault, (export(folder, name),), account=name))
    with open_vault(vault) as reader:
        rows = reader.ledger.query("SELECT min(id) FROM units WHERE account <> 'third' GROUP BY account")
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, [str(unit) for (unit,) in rows], reason="it matters")
    ingest(IngestRequest(vault, ()))
    return vault


@pytest.fixture
def vault(three: Path, tmp_path: Path) -> Path:
    copy_tree(three, tmp_path / "vault")
    return tmp_path / "vault"


def said(vault: Path, *deeds: Deed) -> RunSummary:
    """The acts done and the next generation made, as `mnemic account` does it."""
    with Journal(VaultLayout(vault).journal) as journal:
        journal.record(deeds)
    return ingest(IngestRequest(vault, (), command="account"))


def merge(*names: str) -> list[Deed]:
    return [Deed(ActKind.ACCOUNT_MERGE, name, "gpt") for name in names]


def rows(vault: Path, query: str) -> list[tuple[object, ...]]:
    with open_vault(vault) as reader:
        return reader.ledger.query(query)


def points(vault: Path) -> dict[str, tuple[Payload, bytes]]:
    with open_vault(vault) as reader:
        return {
            one.id: (one.payload, one.vector.tobytes())
            for one in reader.index.points()
            if one.payload.kind != "thread"
        }


WHOLE = """SELECT id, account, text, state, state_actor, quote FROM units_current ORDER BY id"""


def test_a_merge_keeps_ids_acts_evidence_and_vectors(vault: Path) -> None:
    before, points_before = rows(vault, WHOLE), points(vault)
    summary = said(vault, *merge("more", "third"))
    assert summary.accounts == ("gpt",)
    assert rows(vault, WHOLE) == [(one[0], "gpt", *one[2:]) for one in before]
    assert sum(one[3] == "kept" for one in before) == 2
    after = points(vault)
    assert {one: vector for one, (_, vector) in after.items()} == {
        one: vector for one, (_, vector) in points_before.items()
    }
    assert {payload.account for payload, _ in after.values()} == {"gpt"}
    assert verify(vault, full=True)[1] == []
    assert not any(name == "more" for (name,) in _accounts_of_rows(vault))


def _accounts_of_rows(vault: Path) -> list[tuple[object, ...]]:
    with open_vault(vault) as reader:
        tables = [one for one in reader.ledger.tables() if "account" in reader.ledger.columns(one)]
        named = [one for one in tables if one not in ("account_origins", "imports", "whole_exports")]
        return reader.ledger.query(" UNION ".join(f"SELECT account FROM {one}" for one in named))


def test_undo_leaves_everything_as_it_was(vault: Path) -> None:
    before, points_before = rows(vault, WHOLE), points(vault)
    said(vault, *merge("more", "third"))
    with Journal(VaultLayout(vault).journal) as journal:
        journal.undo(journal.last_lot())
    ingest(IngestRequest(vault, ()))
    assert rows(vault, WHOLE) == before
    assert points(vault) == points_before
    assert rows(vault, "FROM account_origins") == []


def test_an_act_that_a_killed_run_left_is_done_by_the_next(vault: Path, tmp_path: Path) -> None:
    with Journal(VaultLayout(vault).journal) as journal:
        journal.record(merge("more", "third"))
    summary = ingest(IngestRequest(vault, (export(tmp_path, "third"),)))
    assert summary.accounts == ("gpt",)
    assert summary.archives[0].account == "gpt"


def test_a_merge_that_is_killed_leaves_all_or_nothing(vault: Path) -> None:
    """Kill -9 once the act is on record; `benchmarks/faults/account_kills.py` strikes at any point."""
    journal = VaultLayout(vault).journal
    with Journal(journal) as known:
        acts = len(list(known.after(0)))
    asked = ["account", "merge", "more", "third", "gpt", "--vault", str(vault)]
    merging = subprocess.Popen([sys.executable, "-c", "from interfaces.main import run; run()", *asked])
    while merging.poll() is None:
        with Journal(journal) as known:
            if len(list(known.after(0))) > acts:
                break
    merging.kill()
    merging.wait()
    accounts = {str(name) for (name,) in rows(vault, "SELECT DISTINCT account FROM units")}
    assert accounts in ({"gpt"}, set(ACCOUNTS))
    assert verify(vault, full=True)[1] == []
    assert ingest(IngestRequest(vault, ())).accounts == ("gpt",)


def test_a_newer_export_after_a_merge_finds_what_it_brought(vault: Path, tmp_path: Path) -> None:
    said(vault, *merge("more", "third"))
    summary = ingest(IngestRequest(vault, (export(tmp_path, "third", "third", "more"),)))
    (archive,) = summary.archives
    assert (archive.account, archive.unchanged, archive.new) == ("gpt", 1, 1)
    assert summary.accounts == ("gpt",)


def test_a_merge_survives_a_reprocessing(vault: Path, tmp_path: Path) -> None:
    said(vault, *merge("more", "third"))
    before = rows(vault, WHOLE)
    hashes = "SELECT conversation_id, content_hash, work_key FROM conversations ORDER BY 1"
    known = rows(vault, hashes)
    reprocess(ReprocessRequest(vault, force=True))
    assert rows(vault, WHOLE) == before
    assert rows(vault, hashes) == known


def test_forgetting_a_merged_account_leaves_nothing(vault: Path, tmp_path: Path) -> None:
    said(vault, *merge("more", "third"))
    said(vault, Deed(ActKind.ACCOUNT_SPLIT, str(rows(vault, _CONVERSATION_OF["more"])[0][0]), "work"))
    forget(vault, plan_forgetting(vault, Erasure(account="gpt")))
    for needle in (b"quillonfield", b"zanzibarine"):
        assert [one for one in files_below(vault) if needle in (vault / one).read_bytes()] == []
    assert rows(vault, "SELECT DISTINCT account FROM units") == [("work",)]
    again = ingest(IngestRequest(vault, (export(tmp_path, "third"),)))
    assert again.archives[0].outcome is ArchiveOutcome.FORGOTTEN


def test_forgetting_an_account_takes_its_unreadable_records(tmp_path: Path) -> None:
    """They are in no ledger, so nothing that it says finds them in quarantine."""
    vault = let_pass(tmp_path / "vault")
    for name in ("gpt", "more"):
        path = export(tmp_path, name)
        torn = {"id": "torn", "title": "t", "mapping": f"a {name}vortigern that is no tree"}
        path.write_text(json.dumps([*json.loads(path.read_text()), torn]), encoding="utf-8")
        ingest(IngestRequest(vault, (path,), account=name))
    (tmp_path / "odd.json").write_text("a lonevortigern", encoding="utf-8")
    ingest(IngestRequest(vault, (tmp_path / "odd.json",)))
    plan = plan_forgetting(vault, Erasure(account="gpt"))
    assert any("odd.json" in line for line in plan.still_there)
    forget(vault, plan)
    kept = b"".join((vault / one).read_bytes() for one in files_below(vault))
    assert b"gptvortigern" not in kept
    assert b"morevortigern" in kept
    forget(vault, plan_forgetting(vault, Erasure(account="more")))
    assert [one for one in files_below(vault) if b"vortigern" in (vault / one).read_bytes()] == []
    assert not any((vault / "quarantine").iterdir())


def test_forgetting_leaves_whole_archives_to_their_owner(tmp_path: Path) -> None:
    """What the inbox could not read lies there under its own name, which may begin as an archive's."""
    vault = let_pass(tmp_path / "vault")
    (tmp_path / "chats").mkdir()
    export(tmp_path, "gpt").rename(tmp_path / "chats" / "conversations.json")
    ingest(IngestRequest(vault, (tmp_path / "chats",), account="gpt"))
    ingest(IngestRequest(vault, (export(tmp_path, "more"),), account="more"))
    bobs = vault / "quarantine" / "chats-bob.json"  # nine characters more than "chats"
    bobs.parent.mkdir(exist_ok=True)
    bobs.write_text("bob's only copy", encoding="utf-8")
    bobs.with_name("chats-bob.json.note.json").write_text("{}", encoding="utf-8")
    plan = plan_forgetting(vault, Erasure(account="gpt"))
    assert [line for line in plan.still_there if "chats-bob" in line] == [
        f"{bobs}: bytes of an archive that may be another account's, look yourself"
    ]
    forget(vault, plan)
    assert bobs.read_text(encoding="utf-8") == "bob's only copy"
    assert bobs.with_name("chats-bob.json.note.json").exists()


_CONVERSATION_OF = {
    name: f"SELECT DISTINCT conversation_id FROM messages WHERE contains(text, '{words}')"
    for name, (_, words) in TALKS.items()
}


def test_what_was_split_off_stays_when_it_comes_again(vault: Path, tmp_path: Path) -> None:
    ((one,),) = rows(vault, _CONVERSATION_OF["third"])
    summary = said(vault, Deed(ActKind.ACCOUNT_SPLIT, str(one), "work"))
    assert summary.accounts == ("gpt", "more", "work")
    later = export(tmp_path, "third", "third", "more")
    assert ingest(IngestRequest(vault, (later,))).archives[0].unchanged == 1
    assert rows(vault, f"SELECT account FROM conversations WHERE conversation_id = '{one}'") == [("work",)]


def test_a_renamed_account_takes_what_comes_under_its_old_name(vault: Path, tmp_path: Path) -> None:
    said(vault, Deed(ActKind.ACCOUNT_RENAME, "third", "me"))
    summary = ingest(IngestRequest(vault, (export(tmp_path, "third", "third", "gpt"),), account="third"))
    assert summary.archives[0].account == "me"
    assert summary.archives[0].unchanged == 1
    assert summary.accounts == ("gpt", "me", "more")


def claude_talk() -> list[object]:
    at = "2026-01-02T10:00:00Z"
    message = {"uuid": "m1", "sender": "human", "text": TALKS["more"][1], "created_at": at, "updated_at": at}
    talk = {
        "uuid": "0a1b2c3d-0000-4000-8000-000000000001",
        "name": "Boat",
        "created_at": at,
        "updated_at": at,
    }
    return [
        {**talk, "account": {"uuid": "x"}, "chat_messages": [{**message, "attachments": [], "files": []}]}
    ]


@pytest.fixture
def services(tmp_path: Path) -> Callable[[], tuple[Path, ...]]:
    def made() -> tuple[Path, ...]:
        gpt = tmp_path / "gpt-export"
        gpt.mkdir()
        export(gpt, "conversations", "gpt")
        (gpt / "user.json").write_text(json.dumps({"id": "user-1", "email": "alice@example.org"}))
        claude = tmp_path / "claude-data.json"
        claude.write_text(json.dumps(claude_talk()), encoding="utf-8")
        return claude, gpt, GROK

    return made


def test_three_services_are_one_account_without_a_flag(
    services: Callable[[], tuple[Path, ...]], tmp_path: Path
) -> None:
    vault, archives = tmp_path / "vault", services()
    summary = ingest(IngestRequest(vault, archives))
    assert summary.accounts == ("claude-data",)
    assert {one.account for one in summary.archives} == {"claude-data"}
    bob = tmp_path / "bob"
    bob.mkdir()
    export(bob, "conversations", "third")
    (bob / "user.json").write_text(json.dumps({"id": "user-2", "email": "bob@example.org"}))
    apart = ingest(IngestRequest(vault, (bob,))).archives[0]
    assert apart.account == "bob@example.org"
    assert "alice@example.org" in apart.remark
    again = ingest(IngestRequest(vault, archives))
    assert not any(one.new or one.updated for one in again.archives)
    assert {one.account for one in again.archives} == {"claude-data"}


def test_a_recall_over_accounts_that_are_all_ones_own(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(*options: str) -> set[str]:
        asked = ["recall", "the boat, the hut and the field", "--budget", "4000", "--no-funnel", "--json"]
        assert main([*asked, *options, "--vault", str(vault)]) == 0
        homes = {one["conversation_id"] for one in json.loads(capsys.readouterr().out)["hits"]}
        return {name for name in ACCOUNTS if str(rows(vault, _CONVERSATION_OF[name])[0][0]) in homes}

    assert found("--account", "gpt") == {"gpt"}
    assert found("--account", "gpt", "--also", "more") == {"gpt", "more"}
    assert found("--account", "gpt", "--also", "more", "--also", "third") == set(ACCOUNTS)
