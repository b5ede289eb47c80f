"""Formats of 2026 against counts taken independently: by walking the file, or by asking the database."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing

import pytest
from archive_reading import FIXTURES, read
from newer_databases import (
    goose_database,
    imessage_database,
    packed_with_zstd,
    typedstream,
    webui_database,
    zed_database,
    zed_threads,
)

from archives.formats.imessage import text_of_typedstream
from archives.formats.packed import unpacked
from schemas.report import NoteKind


def spoken(conversation):
    return [(s.origin, m.text[s.start : s.end].strip()) for m in conversation.messages for s in m.segments]


def notes(report):
    return {(note.kind, note.reason): note.count for note in report.notes}


def strings_of(value):
    """Every text of a JSON value, whatever holds it."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from strings_of(inner)


def count(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchone()[0]


def test_antigravitys_steps_are_each_read_once():
    folder = FIXTURES / "antigravity" / "home"
    files = [path for path in folder.rglob("*") if path.is_file()]
    lines = [(path, json.loads(line)) for path in files for line in path.read_text().splitlines()]
    steps = {(path.parents[0], step.get("step_index", step.get("content"))) for path, step in lines}
    with_text = {key for key in steps if any(
        path.parent == key[0] and step.get("step_index", step.get("content")) == key[1]
        and (step.get("content") or step.get("tool_calls")) for path, step in lines
    )}  # fmt: skip
    _, report, _ = read(folder)
    assert (report.records, report.messages) == (len(lines), len(with_text))


def test_an_uncut_transcript_goes_before_a_cut_one():
    conversations, _, _ = read(FIXTURES / "antigravity" / "home")
    told = [text for conversation in conversations for _, text in spoken(conversation)]
    assert any("a long foot" in text for text in told)
    assert not any("<truncated" in text for text in told)


def test_what_antigravity_puts_around_a_request_is_not_typed():
    conversations, _, _ = read(FIXTURES / "antigravity" / "home")
    typed = [text for one in conversations for origin, text in spoken(one) if origin == "typed"]
    assert typed == ["Cut the jib to 9 m2.", "Mend the tiller."]


def test_every_text_of_a_turn_is_kept_somewhere():
    path = FIXTURES / "gemini_takeout" / "conversation_1774999569.txt"
    (conversation,), _, _ = read(path)
    kept = " ".join(
        [m.text for m in conversation.messages] + [b.json_text for m in conversation.messages for b in m.raw]
    )
    turns = json.loads(path.read_text())["conversation_turns"]
    words = [text for turn in turns for inner in turn.values() for key, value in inner.items()
             if key != "turn_last_modified" for text in strings_of(value)]  # fmt: skip
    assert [text for text in words if text not in kept] == []
    assert len(conversation.messages) == len(turns)


def test_messengers_encrypted_chats_have_an_owner_when_told():
    path = FIXTURES / "messenger_e2e" / "Berit_40.json"
    (nobody,), report, _ = read(path)
    assert len(nobody.messages) == len(json.loads(path.read_text())["messages"])
    assert {origin for origin, _ in spoken(nobody)} == {"other", "runtime_context"}
    assert notes(report)[NoteKind.SKIPPED, "a reaction"] == 1
    (ada,), _, _ = read(path, owner="Ada Holm")
    assert ("typed", "The mast is up — 9,4 m.") in spoken(ada)


def test_a_chat_listed_newest_first_is_turned_round(tmp_path):
    chat = json.loads((FIXTURES / "messenger_e2e" / "Berit_40.json").read_text())
    chat["messages"].reverse()
    (tmp_path / "Berit_40.json").write_text(json.dumps(chat))
    (conversation,), _, _ = read(tmp_path / "Berit_40.json")
    assert conversation.messages[0].text == "The mast is up — 9,4 m."


def test_gooses_database_by_its_own_counts(tmp_path):
    path = goose_database(tmp_path / "sessions.db")
    conversations, report, rejected = read(path)
    assert report.records == count(path, "SELECT count(*) FROM messages")
    assert len(conversations) == count(path, "SELECT count(DISTINCT session_id) FROM messages")
    assert (report.messages, len(rejected)) == (6, 1)
    assert [text for origin, text in spoken(conversations[0]) if origin == "typed"] == ["Inspect the mast."]
    assert ("tool_result", "mast.md") in spoken(conversations[0])
    assert conversations[0].created_at.isoformat() == "2026-07-24T11:00:00+00:00"


def test_zeds_threads_of_both_shapes(tmp_path):
    path = zed_database(tmp_path / "threads.db")
    conversations, report, rejected = read(path)
    listed = sum(len(thread["messages"]) for thread in zed_threads())
    summaries = 2
    assert report.records == listed + summaries + len(rejected)
    assert count(path, "SELECT count(*) FROM threads") == len(conversations) + len(rejected)
    new, old = conversations
    assert (new.title, new.project, old.title, old.project) == (
        "A smaller jib", "/work/boat", "Old thread", "/work/old",
    )  # fmt: skip
    assert [text for origin, text in spoken(new) if origin == "typed"] == ["Cut the jib."]
    assert ("tool_call", "{}") in spoken(old)
    assert notes(report)[NoteKind.SKIPPED, "a prompt that was never sent"] == 1


def test_a_packed_text_unfolds_within_bounds():
    assert unpacked(packed_with_zstd(b"[1]"), "zstd") == (b"[1]", "")
    bomb = packed_with_zstd(b"[" * (1 << 25))
    held, why = unpacked(bomb, "zstd")
    assert "unfolds to far more" in why
    assert len(held) < 1 << 22
    assert "cannot be unpacked" in unpacked(b"no frame", "zstd")[1]
    assert unpacked(b"", "zstd")[1]


def test_open_webuis_database_by_its_own_counts(tmp_path):
    path = webui_database(tmp_path / "webui.db")
    conversations, report, rejected = read(path)
    assert len(conversations) + len(rejected) == count(path, "SELECT count(*) FROM chat")
    assert notes(report)[NoteKind.SKIPPED, "a memory beside the chats"] == 1
    assert [origin for origin, _ in spoken(conversations[0])] == ["typed", "assistant"]


def test_another_users_words_are_not_the_owners(tmp_path):
    path = webui_database(tmp_path / "webui.db", users=3)
    conversations, report, _ = read(path)
    assert {origin for one in conversations for origin, _ in spoken(one)} == {"other", "assistant"}
    assert any("several users" in note.reason and "--owner" in note.remedy for note in report.notes)
    conversations, report, _ = read(path, owner="P1@example.org")
    typed = [one.native_id for one in conversations if ("typed", "Whose boat?") in spoken(one)]
    assert typed == ["d1"]
    assert not any("several users" in note.reason for note in report.notes)


def test_imessages_by_the_databases_own_counts(tmp_path):
    path = imessage_database(tmp_path / "chat.db")
    conversations, report, _ = read(path)
    assert report.records == count(path, "SELECT count(*) FROM message")
    assert [c.title for c in conversations] == ["+4790000001", "Boat crew", None]
    typed = [text for one in conversations for origin, text in spoken(one) if origin == "typed"]
    assert typed == ["The keel\n\n" + ("Yes: the keel first. " * 10).strip()]
    assert [file.name for file in conversations[0].messages[2].attachments] == ["tin.heic"]
    told = notes(report)
    assert told[NoteKind.SKIPPED, "a reaction"] == 1
    assert told[NoteKind.SKIPPED, "a message that its owner deleted"] == 1
    assert conversations[2].messages[0].created_at.isoformat() == "2026-01-01T00:00:06+00:00"


@pytest.mark.parametrize("text", ["", "Noter test", "ÆØÅ 🛶" * 40, "a" * 127, "a" * 128, "a" * 70_000])
def test_a_typedstreams_text_is_found_at_any_length(text):
    assert text_of_typedstream(typedstream(text)) == text


def test_a_typedstream_that_breaks_off_gives_what_is_there():
    whole = typedstream("The keel first")
    for end in range(len(whole)):
        assert text_of_typedstream(whole[:end]) in "The keel first"


def test_kiros_short_answers_are_filled_from_the_log(tmp_path):
    folder = FIXTURES / "kiro" / "home"
    session = json.loads((folder / "workspace-sessions" / "d29yaw__" / "s-1.json").read_text())
    conversations, report, _ = read(folder)
    old = next(one for one in conversations if one.native_id == "s-1")
    assert len(old.messages) == sum(bool(entry["message"]["content"]) for entry in session["history"])
    assert any("follows the system" in text for _, text in spoken(old))
    hole = (NoteKind.HOLE, "an answer whose execution log is not among the files")
    assert notes(report)[hole] == 1
    shutil.copytree(folder / "workspace-sessions", tmp_path / "alone")
    assert notes(read(tmp_path / "alone")[1])[hole] == 2


def test_an_exported_vscode_chat_has_no_id_and_is_read():
    path = FIXTURES / "vscode_chat" / "exported.json"
    (conversation,), _, _ = read(path)
    asked = [request["message"] for request in json.loads(path.read_text())["requests"]]
    assert [text for origin, text in spoken(conversation) if origin == "typed"] == [
        one if isinstance(one, str) else one["text"] for one in asked
    ]


def test_roos_tasks_with_bare_strings_and_reasoning():
    folder = FIXTURES / "cline" / "1767225700000"
    rows = json.loads((folder / "api_conversation_history.json").read_text())["messages"]
    (conversation,), report, _ = read(folder)
    assert (report.records, report.messages) == (len(rows), len(rows) - 1)
    assert (conversation.title, conversation.project) == ("Fix the flaky test", "/work/demo")
    typed = [text for origin, text in spoken(conversation) if origin == "typed"]
    assert typed == ["Fix the flaky test", "A bare string early in the list."]
    assert ("generated_summary", "The talk so far, condensed.") in spoken(conversation)


@pytest.mark.parametrize("odd", [[], {}, 7, None])
def test_a_type_that_is_no_text_costs_only_its_part(tmp_path, odd):
    exported = json.loads((FIXTURES / "opencode" / "exported.json").read_text())
    exported["messages"][0]["parts"][1]["type"] = odd
    (tmp_path / "opencode.json").write_text(json.dumps(exported))
    (conversation,), report, _ = read(tmp_path / "opencode.json")
    assert ("typed", "Cut the sail.") in spoken(conversation)
    assert any(note.reason.startswith("unknown content type") for note in report.notes)
    steps = (FIXTURES / "antigravity" / "home" / "brain" / "8a" / "overview.txt").read_text().splitlines()
    first = json.loads(steps[0]) | {"source": odd, "type": odd}
    (tmp_path / "transcript.jsonl").write_text("\n".join([json.dumps(first), steps[1]]))
    assert len(read(tmp_path / "transcript.jsonl")[2]) == 1
