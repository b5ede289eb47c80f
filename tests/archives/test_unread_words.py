"""What is told of text that no reader reads: never a secret, and nothing of what the owner leaves out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation

from archives import LeftOut, inspect_archive, open_archive
from flows.ingest.steps import IngestRequest, ingest
from flows.intake.exclusions import parse_rule
from schemas.conversation import Conversation
from schemas.report import ImportNote, NoteKind
from schemas.resource import Resource
from vault.files import files_below

SECRET = "AKIA" + "IOSFODNN7EXAMPLE"
PASSWORD = "correct-Horse-41-battery"
GARDEN = "zanzibarine hedges stand in the margin"
BOAT = "quillon anchors stand in the margin"


def archive(folder: Path, margins: dict[str, object]) -> Path:
    """An export whose conversations have words under a key that no reader knows, by their names."""
    talks = []
    for name, margin in margins.items():
        talk = chatgpt_conversation(name, [("user", f"The {name} is 12 metres long and was painted.")])
        talks.append({**talk, "margin": margin})
    path = folder / "me.json"
    path.write_text(json.dumps(talks), encoding="utf-8")
    return path


def unread(path: Path, left_out: Sequence[str] = ()) -> list[ImportNote]:
    def rules(read: Conversation | Resource) -> LeftOut | None:
        return LeftOut("excluded", "take the rule back") if read.native_id in left_out else None

    with open_archive(path, rules=rules) as opened:
        list(opened.conversations())
        list(opened.resources())
        return [one for one in opened.report().notes if one.kind is NoteKind.UNREAD]


@pytest.mark.parametrize(
    "margin",
    [f"the key is {SECRET} for now", {"password": PASSWORD}, [{"note": f"password: {PASSWORD}"}]],
    ids=["a key among words", "named by its own key", "named in a list"],
)
def test_an_example_never_shows_a_secret(tmp_path: Path, margin: object) -> None:
    path = archive(tmp_path, {"garden": margin})
    (note,) = unread(path)
    assert note.reason.startswith("margin")
    assert note.count == 1
    assert note.sample
    for secret in (SECRET, PASSWORD):
        assert secret not in note.model_dump_json()
        assert secret not in inspect_archive(path).model_dump_json()


def test_no_file_of_a_vault_has_an_unread_secret(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    path = archive(tmp_path, {"garden": f"{GARDEN}, and the key is {SECRET}"})
    ingest(IngestRequest(vault, (path,)))
    found = {one for one in files_below(vault) if SECRET.encode() in (vault / one).read_bytes()}
    assert found == set()


def test_of_what_is_left_out_no_unread_words_are_told(tmp_path: Path) -> None:
    path = archive(tmp_path, {"garden": GARDEN, "boat": BOAT})
    assert sum(one.count for one in unread(path)) == 2
    (note,) = unread(path, left_out=["garden"])
    assert (note.count, GARDEN in note.sample, BOAT in note.sample) == (1, False, True)
    assert unread(path, left_out=["garden", "boat"]) == []


def test_an_excluded_conversation_s_margin_is_in_no_file(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    path = archive(tmp_path, {"garden": GARDEN, "boat": BOAT})
    summary = ingest(IngestRequest(vault, (path,), exclude=(parse_rule("conversation:Garden"),)))
    (result,) = summary.archives
    assert result.report is not None
    assert [one.count for one in result.report.notes if one.kind is NoteKind.UNREAD] == [1]
    assert [one for one in files_below(vault) if b"zanzibarine" in (vault / one).read_bytes()] == []
