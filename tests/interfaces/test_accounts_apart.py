"""Who names an account sees, acts on and takes back nothing of another one, whatever id they name."""

from __future__ import annotations

import json
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation
from open_gate import let_pass

from interfaces.main import main
from schemas.act import ActKind, Deed
from schemas.unit import State
from tests.flows.ingest.test_threads import BEGAN, DAY, FIRST
from tests.interfaces.review_server import served
from vault.files import copy_tree
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

COMMANDS = ("list", "recall", "threads", "keep", "discard", "get", "show", "summary", "correct", "gate")


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("accounts")
    vault = let_pass(folder / "vault")
    talks = {
        "alice": [
            chatgpt_conversation(name, turns, BEGAN + DAY * day)
            for day, (name, turns) in enumerate(FIRST.items())
        ],
        "bob": [
            chatgpt_conversation("field", [("user", "I decided to sow oats. The field is 12 hectares.")])
        ],
    }
    for account, made in talks.items():
        archive = folder / f"{account}.json"
        archive.write_text(json.dumps(made), encoding="utf-8")
        assert main(["ingest", str(archive), "--account", account, "--vault", str(vault)]) == 0
    return vault


@pytest.fixture
def vault(pristine: Path, tmp_path: Path) -> Path:
    copy_tree(pristine, tmp_path / "vault")
    return tmp_path / "vault"


Say = Callable[..., tuple[int, str]]


@pytest.fixture
def say(vault: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """The exit code of a command and all that it prints."""

    def run(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        code = main([*arguments, "--vault", str(vault)])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


def ids(vault: Path, account: str) -> dict[str, str]:
    """A note, a conversation and a thread of an account, by the table that holds it."""
    columns = {"units": "id", "conversations": "conversation_id", "threads": "id"}
    with open_vault(vault) as reader:
        found = {
            table: reader.ledger.query(f"SELECT min({column}) FROM {table} WHERE account = ?", [account])
            for table, column in columns.items()
        }
    return {table: str(one) for table, ((one,),) in found.items()}


def states(vault: Path) -> dict[str, State]:
    with open_vault(vault) as reader:
        return dict(reader.pending_states())


def naming(command: str, hers: dict[str, str]) -> list[str]:
    """The command's arguments that name something of Alice's."""
    unit, conversation, thread = hers["units"], hers["conversations"], hers["threads"]
    return {
        "list": ["list", "--conversation", conversation],
        "recall": ["recall", "the hedge", "--thread", thread],
        "threads": ["threads", thread],
        "keep": ["keep", unit],
        "discard": ["discard", unit],
        "get": ["get", unit, conversation, thread],
        "show": ["show", conversation],
        "summary": ["summary", unit],
        "correct": ["correct", unit, "The hedge is red."],
        "gate": ["gate", "--explain", unit],
    }[command]


@pytest.mark.parametrize("command", COMMANDS)
def test_an_id_of_another_account_is_unknown(vault: Path, say: Say, command: str) -> None:
    asked = naming(command, ids(vault, "alice"))
    code, said = say(*asked, "--account", "bob")
    assert code == (1 if command == "get" else 2), said
    assert said.count("not found") == (3 if command == "get" else 0)
    assert "hedge" not in said
    assert "hornbeam" not in said
    assert states(vault) == {}
    code, said = say(*asked, "--account", "alice")
    assert code == 0, said


@pytest.mark.parametrize(
    "asked",
    [
        ["keep", "--thread", "{threads}"],
        ["keep", "--all-passed", "--conversation", "{conversations}"],
        ["keep", "--undo", "{units}"],
        ["threads", "--conversation", "{conversations}"],
        ["clean", "accept", "{units}"],
        ["clean", "undo", "{units}"],
    ],
)
def test_what_is_chosen_by_another_accounts_record_is_unknown(
    vault: Path, say: Say, asked: list[str]
) -> None:
    hers = ids(vault, "alice")
    code, said = say(*(one.format(**hers) for one in asked), "--account", "bob")
    assert code == 2, said
    assert "no " in said


@pytest.mark.parametrize("command", ["threads", "keep", "discard", "correct", "gate", "undo"])
def test_where_none_is_named_and_there_are_several_one_must_be(vault: Path, say: Say, command: str) -> None:
    asked = ["undo"] if command == "undo" else naming(command, ids(vault, "alice"))
    code, said = say(*asked)
    assert code == 2
    assert "several accounts" in said
    assert states(vault) == {}


def test_the_owners_default_is_meant_where_none_is_named(vault: Path, say: Say) -> None:
    assert say("account", "default", "bob")[0] == 0
    code, said = say("list")
    assert code == 0
    assert "oats" in said
    assert "oats" not in say("list", "--account", "alice")[1]


@pytest.mark.parametrize("command", ["get", "show", "summary"])
def test_what_only_reads_takes_any_id_where_no_account_is_named(vault: Path, say: Say, command: str) -> None:
    assert say(*naming(command, ids(vault, "alice")))[0] == 0


def test_an_undo_takes_back_what_was_done_last_in_its_account(vault: Path, say: Say) -> None:
    alice, bob = ids(vault, "alice")["units"], ids(vault, "bob")["units"]
    assert say("keep", bob, "--account", "bob")[0] == 0
    assert say("discard", alice, "--account", "alice")[0] == 0
    assert say("policy", "on", "hers", "--account", "alice")[0] == 0
    assert "keep" in say("undo", "--account", "bob", "--dry-run")[1]
    assert say("undo", "--account", "bob")[0] == 0
    assert states(vault)[alice] is State.DISCARDED
    assert bob not in states(vault) or states(vault)[bob] is not State.KEPT
    assert say("undo", "--account", "bob") == (1, "there is nothing to take back\n")
    assert "policy_on" in say("undo", "--account", "alice")[1]
    assert say("undo", "--account", "alice")[0] == 0
    assert states(vault).get(alice) is not State.DISCARDED


def test_of_a_lot_that_crossed_accounts_each_takes_back_its_own(vault: Path, say: Say) -> None:
    alice, bob = ids(vault, "alice")["units"], ids(vault, "bob")["units"]
    with Journal(VaultLayout(vault).journal) as journal:
        journal.record([Deed(ActKind.DISCARD, alice), Deed(ActKind.DISCARD, bob)])
    assert say("undo", "--account", "bob")[0] == 0
    assert states(vault)[alice] is State.DISCARDED
    assert states(vault).get(bob) is not State.DISCARDED
    assert say("undo", "--account", "bob")[0] == 1
    assert say("undo", "--account", "alice")[0] == 0
    assert states(vault).get(alice) is not State.DISCARDED


@pytest.mark.parametrize("account", ["alice", "bob"])
def test_a_review_page_takes_back_the_acts_of_its_account_alone(vault: Path, account: str) -> None:
    unit = ids(vault, "alice")["units"]
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.DISCARD, [unit])
        lot = journal.after(0)[0].lot
    with served(vault, account) as page:
        with urllib.request.urlopen(page.review) as answer:
            offered = lot in answer.read().decode()
        form = urllib.parse.urlencode({"csrf": page.keys.form, "lot": lot}).encode()
        asked = urllib.request.Request(f"{page.address}undo", form, {"Origin": page.origin})
        urllib.request.urlopen(asked).close()
    assert offered == (account == "alice")
    assert (states(vault).get(unit) is State.DISCARDED) == (account == "bob")
