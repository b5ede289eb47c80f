"""What commands print of a record names it, and whatever names it is accepted by all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chunking import estimate_tokens
from interfaces.main import main
from interfaces.mcp.mcp_server import INSTRUCTIONS
from interfaces.mcp.open_memory import Among, Memory
from interfaces.package_detail import Detail
from retrieval import QUOTED
from schemas.ids import SHORT_ID, conversation_id
from tests.asking import question
from vault.points import PointKind
from vault.reader import open_vault

TWINS = ("c41263", "c51084")
"""Two conversations of this account whose ids begin with the same characters."""
SAID = ("I decided to paint the hull of the boat green.", "I decided to paint the mast of the boat white.")
Say = Callable[..., str]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("named")
    talks = [
        {
            "id": native,
            "owner": "Mara",
            "title": f"The boat, {native}",
            "messages": [{"id": "m", "role": "user", "created_at": "2026-01-05T10:00:00Z", "text": text}],
        }
        for native, text in zip(TWINS, SAID, strict=True)
    ]
    archive = folder / "boat.transcript.jsonl"
    archive.write_text("".join(json.dumps(one) + "\n" for one in talks), encoding="utf-8")
    assert main(["ingest", str(archive), "--account", "mara", "--vault", str(folder / "vault")]) == 0
    return folder / "vault"


@pytest.fixture
def say(vault: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """What a command prints, if it ends as expected."""

    def run(*arguments: str, code: int = 0) -> str:
        capsys.readouterr()
        assert main([*arguments, "--vault", str(vault)]) == code
        said = capsys.readouterr()
        return said.err if code else said.out

    return run


def notes_of(say: Say) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(say("list", "--json"))["notes"]
    return found


def test_a_beginning_that_two_records_share_is_printed_nowhere(vault: Path, say: Say) -> None:
    ids = [conversation_id("mara", "transcript", native) for native in TWINS]
    shared = ids[0][:SHORT_ID]
    assert shared == ids[1][:SHORT_ID]
    with open_vault(vault) as reader:
        assert reader.generation.shared_ids == (shared,)
        assert reader.generation.seal == reader.generation.expected_seal()
    for command in ("get", "show"):
        assert all(one in say(command, shared, code=2) for one in ids)
    asked = ("recall", "the paint of the boat", "--kind", "conversation", "--no-funnel")
    for options in ((), ("--digest",), ("--compact",), ("--format", "xml"), ("--explain",)):
        said = say(*asked, *options)
        assert all(one in said for one in ids)
    hits = json.loads(say(*asked, "--json"))["hits"]
    assert sorted(hit["short"] for hit in hits) == sorted(ids)
    memory = Memory(vault, "mara")
    kinds = (PointKind.CONVERSATION,)
    plain = question("the paint of the boat", "mara", kinds=kinds, judged=False)
    assert ids[0] in memory.told(plain, Detail.DIGEST)
    memory.close()


def test_what_is_printed_names_one_record_for_every_command(say: Say) -> None:
    for option in ("--digest", "--compact", "--no-funnel"):
        said = say("recall", "the paint of the boat", option)
        ids = re.findall(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b", said)
        assert ids
        items = json.loads(say("get", *ids, "--json"))["items"]
        assert all(item["found"] for item in items)
        for item in items:
            say("threads" if item["kind"] == "thread" else "show", item["id"])
            if item["kind"] == "unit":
                say("keep", item["id"], "--dry-run")
                say("gate", "--explain", item["id"])


def test_an_id_is_accepted_without_its_hyphens(say: Say) -> None:
    note = notes_of(say)[0]
    for whole, least in ((note["id"], 8), (note["conversation_id"], 12)):
        digits = whole.replace("-", "")
        for named in (digits, digits[:least], digits[:19], digits.upper(), whole):
            (item,) = json.loads(say("get", named, "--json"))["items"]
            assert (item["found"], item["id"]) == (True, named)
            say("show", named)
    digits = note["id"].replace("-", "")
    assert note["text"] in say("keep", digits[:12], "--dry-run")
    assert note["text"] in say("keep", digits, "--dry-run")
    say("forget", "--conversation", note["conversation_id"].replace("-", ""), "--dry-run")


def test_get_says_the_note_first_and_everything_when_asked(say: Say) -> None:
    note = notes_of(say)[0]
    lines = say("get", note["id"][:SHORT_ID]).splitlines()
    assert lines[:3] == [QUOTED, "", f"  {note['text']}"]
    assert f"{note['category']} · chat · 2026-01-05 · owner" in lines[4]
    assert note["conversation_id"] in lines[5]
    assert lines[6] == f"id {note['id']}"
    assert any(note["quote"] in line for line in lines[7:])
    assert len(lines) < 20
    assert "numbers_and_names" not in "\n".join(lines)
    whole = say("get", note["id"][:SHORT_ID], "--full")
    assert all(word in whole for word in ("numbers_and_names", "message_id", "text_hash", note["text"]))


def test_what_is_not_there_says_why_and_what_to_do(vault: Path, say: Say) -> None:
    assert main(["get", "00000000", "home.no.such", "--vault", str(vault)]) == 1
    asked = ["get", "00000000", "--json", "--vault", str(vault)]
    assert main(asked) == main([*asked, "--as-of", "1"]) == 1
    note = notes_of(say)[0]["id"]
    said = say("get", "00000000", "home.no.such", note)
    assert "00000000: not found; nothing has this id" in said
    assert "home.no.such: not found; no note lies at this path. `mnemic list` shows ids" in said
    items = json.loads(say("get", "00000000", "home.no.such", note, "--json"))["items"]
    assert [bool(item["why"]) for item in items] == [True, True, False]
    memory = Memory(vault, "mara")
    for moment in (None, 1):
        items = json.loads(memory.get(["00000000", "home.no.such", "0"], 2000, moment))["items"]
        assert [(item["found"], bool(item["why"])) for item in items] == [(False, True)] * 3
    memory.close()
    assert "`mnemic list` shows ids" in say("show", "00000000", code=2)


def test_every_form_of_an_answer_says_that_it_is_quoted_inside_its_budget(vault: Path, say: Say) -> None:
    asked = ("recall", "the paint of the boat", "--no-funnel")
    for options in ((), ("--digest",), ("--compact",), ("--format", "xml"), ("--format", "json")):
        assert QUOTED in say(*asked, *options)
        for budget in (5, 20, 60, 100):
            assert estimate_tokens(say(*asked, *options, "--budget", str(budget))) <= budget
    assert json.loads(say(*asked, "--digest", "--json"))["notices"][0] == QUOTED
    assert json.loads(say("get", notes_of(say)[0]["id"], "--json"))["notices"] == [QUOTED]
    memory = Memory(vault, "mara")
    for detail in Detail:
        assert memory.told(question("the paint of the boat", "mara", judged=False), detail).count(QUOTED) == 1
    assert json.loads(memory.get([notes_of(say)[0]["id"]], 2000))["notices"] == [QUOTED]
    memory.close()


def test_an_assistant_is_told_what_no_hits_for_lack_of_room_mean(say: Say) -> None:
    said = say("recall", "the paint of the boat", "--no-funnel", "--budget", "40")
    assert "left out" in said
    assert "unless it says that something was left out or cut" in INSTRUCTIONS


def test_an_act_on_what_is_no_note_says_what_it_is_and_what_to_do(say: Say) -> None:
    note = notes_of(say)[0]
    talk = note["conversation_id"]
    for command in ("keep", "discard"):
        said = say(command, talk, code=2)
        assert f"{talk} is the id of a conversation, and a note is asked for" in said
        assert "--all-passed --conversation" in said
    assert "is the id of a conversation, and a note is asked for" in say("correct", talk, "Blue.", code=2)
    said = say("forget", "--conversation", note["id"], "--dry-run", code=2)
    assert "is the id of a note, and a conversation is asked for" in said
    (passage,) = json.loads(say("sql", "SELECT id FROM chunks LIMIT 1", "--json"))
    said = say("discard", passage["id"], code=2)
    assert f"is the id of a passage, and a note is asked for. `mnemic get {passage['id'][:SHORT_ID]}`" in said
    assert "no note has the id 00000000" in say("keep", "00000000", code=2)
    assert f"`mnemic threads --conversation {note['id'][:SHORT_ID]}`" in say("threads", note["id"], code=2)
    say("threads", "--conversation", note["id"])


def test_a_dry_run_says_that_nothing_was_done(say: Say) -> None:
    note = notes_of(say)[0]
    assert "nothing was forgotten" in say("forget", "--conversation", note["conversation_id"], "--dry-run")
    for sweep in ("duplicates", "superseded"):
        said = say("clean", sweep, "--dry-run")
        assert "This was a dry run: nothing was changed" in said
        assert " applied" not in said.replace("would be applied", "")


STRANGERS = {"mara": "c13723", "nils": "c743"}
"""Conversations of two accounts whose ids begin with the same characters."""


def test_an_assistant_of_one_account_reads_no_ids_of_another(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    for account, native in STRANGERS.items():
        message = {"id": "m", "role": "user", "created_at": "2026-01-05T10:00:00Z", "text": SAID[0]}
        talk = {"id": native, "owner": account, "title": "The boat", "messages": [message]}
        archive = tmp_path / f"{account}.transcript.jsonl"
        archive.write_text(json.dumps(talk) + "\n", encoding="utf-8")
        assert main(["ingest", str(archive), "--account", account, "--vault", str(vault)]) == 0
    own, other = (conversation_id(account, "transcript", native) for account, native in STRANGERS.items())
    assert own[:6] == other[:6]
    memory = Memory(vault, "mara")
    (item,) = json.loads(memory.get([own[:6]], budget=2000))["items"]
    assert item["record"]["conversation_id"] == own
    package = memory.recall(question("the boat", "mara"), Among(own[:6]))
    assert {hit.conversation_id for hit in package.hits} == {own}
    (strange,) = json.loads(memory.get([other], budget=2000))["items"]
    assert not strange["found"]
    memory.close()
