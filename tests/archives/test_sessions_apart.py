"""Sessions of one file, records of one id: what each says stays its own, and nothing is lost or doubled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from archive_reading import export, read, read_all

from archives import LeftOut, RejectedRecord, open_archive
from schemas.conversation import Conversation
from schemas.report import NoteKind
from schemas.resource import Resource

SECRET = "Kestrel-7"


def _line(session: str | None, uuid: str, kind: str, content: object, **more: object) -> dict[str, object]:
    line = {
        "type": kind, "uuid": uuid, "timestamp": "2026-01-05T10:00:00Z",
        "message": {"role": kind, "content": content}, **more,
    }  # fmt: skip
    return {**line, "sessionId": session} if session else line


def _write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def _secret(one: Conversation | Resource) -> LeftOut | None:
    return LeftOut("unwanted") if SECRET in (one.title or "") or SECRET in one.native_id else None


def test_of_two_sessions_in_one_file_the_one_left_out_leaves_neither_sample_nor_reason(
    tmp_path: Path,
) -> None:
    odd = {"type": f"never_heard_of_{SECRET}", "text": SECRET}
    path = _write(
        tmp_path / "both.jsonl",
        _line("open", "1", "user", "On boats."),
        _line(SECRET, "2", "user", f"On {SECRET}."),
        _line(SECRET, "3", "assistant", [odd, {"type": "text", "text": "Well."}]),
        _line(SECRET, "4", f"line-of-{SECRET}", None),
        f"bare words on {SECRET}",
        _line("open", "5", "assistant", [{"type": "odd"}, {"type": "text", "text": "Sail."}]),
    )
    conversations, _, report, rejected = read_all(path, rules=_secret)
    assert [one.native_id for one in conversations] == ["open"]
    told = report.model_dump_json() + repr(rejected)
    # the rule's own note names the conversation; nothing else may
    assert told.replace(f"conversation {SECRET}", "").count(SECRET) == 0
    assert "unknown content type odd" in {note.reason for note in report.notes}
    whole = read_all(path)
    assert report.records == whole[2].records
    assert SECRET.encode() in b"".join(one.raw for one in whole[3]), "what is wanted is in quarantine"


@pytest.mark.parametrize(
    "record",
    [
        {"uuid": SECRET, "name": f"On {SECRET}", "notes": SECRET},
        {"uuid": SECRET, "name": f"On {SECRET}", "chat_messages": None, "x": SECRET},
    ],
)
def test_a_claude_record_without_messages_is_left_out_unread(
    tmp_path: Path, record: dict[str, object]
) -> None:
    good = {"uuid": "c", "name": "n", "chat_messages": [{"uuid": "m", "sender": "human", "text": "Mine."}]}
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([good, record]))
    rejected: list[RejectedRecord] = []
    with open_archive(path, rejects=rejected.append, rules=_secret) as archive:
        assert len(list(archive.conversations())) == 1
        report = archive.report()
    assert (rejected, report.records, report.records_skipped) == ([], 2, 1)
    assert report.complete
    told = report.model_dump_json()
    assert told.replace(f"conversation {SECRET}", "").count(SECRET) == 0
    assert len(read(path)[2]) == 1


def test_a_chatgpt_record_without_messages_is_left_out_unread(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([*export(1), {"id": SECRET, "title": SECRET, "mapping": None}]))
    conversations, _, report, rejected = read_all(path, rules=_secret)
    assert (len(conversations), rejected, report.records_skipped) == (1, [], 2)


@pytest.mark.parametrize("leaf", [None, "2", "of-no-file"])
def test_a_summary_in_front_of_its_session_is_its_title(tmp_path: Path, leaf: str | None) -> None:
    path = _write(
        tmp_path / "s.jsonl",
        {"type": "summary", "summary": "Choosing a boat", "leafUuid": leaf},
        _line("s", "1", "user", "Which boat?"),
        _line("s", "2", "assistant", "A yawl."),
    )
    (conversation,), _, _ = read(path)
    assert conversation.title == "Choosing a boat"


def test_a_summary_of_another_session_names_that_one(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "s.jsonl",
        {"type": "summary", "summary": "On worms", "leafUuid": "2"},
        _line("a", "1", "user", "Which boat?"),
        _line("b", "2", "user", "Which worm?"),
    )
    assert {one.native_id: one.title for one in read(path)[0]} == {"a": None, "b": "On worms"}


def test_a_line_copied_from_another_session_with_other_words_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    _write(
        folder / "a.jsonl", _line("a", "1", "user", "I like yawls."), _line("a", "2", "assistant", "Good.")
    )
    _write(
        folder / "b.jsonl",
        _line("b", "1", "user", "I like ketches."),
        _line("b", "2", "assistant", "Good."),
        _line("b", "3", "user", "Bye."),
    )
    conversations, report, _ = read(folder)
    said = {one.native_id: [message.text for message in one.messages] for one in conversations}
    assert said == {"a": ["I like yawls.", "Good."], "b": ["I like ketches.", "Bye."]}
    assert report.records == 5


def test_two_lines_of_one_session_with_one_uuid_are_both_kept(tmp_path: Path) -> None:
    twice = [_line("s", "1", "user", word) for word in ("x", "y", "x", "y")]
    (conversation,), report, rejected = read(_write(tmp_path / "s.jsonl", *twice))
    assert sorted(message.text for message in conversation.messages) == ["x", "y"]
    assert (report.records, report.records_skipped, rejected) == (4, 2, [])


def _version(words: str) -> dict[str, Any]:
    (one,) = export(1, words)
    return one


def test_versions_x_y_x_of_a_conversation_are_two(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([_version(words) for words in ("x", "y", "x", "y")]))
    conversations, report, _ = read(path)
    assert len(conversations) == 2
    assert report.messages == 4
    several = [note.count for note in report.notes if note.reason == "a conversation in several versions"]
    assert several == [1]


def test_versions_x_y_y_of_a_message_are_two(tmp_path: Path) -> None:
    said = [{"uuid": "m", "sender": "human", "text": word} for word in ("x", "y", "y", "x")]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"uuid": "c", "name": "n", "chat_messages": said}]))
    (conversation,), report, _ = read(path)
    assert sorted(message.text for message in conversation.messages) == ["x", "y"]
    assert [note.count for note in report.notes if note.kind is NoteKind.SKIPPED] == [2]


def test_an_answers_link_to_another_site_names_no_conversation(tmp_path):
    rows = [
        {"header": "Gemini Apps", "products": ["Gemini Apps"], "title": f"Prompted Question {number}",
         "time": f"2026-01-0{number}T10:00:00Z", "details": [{"url": link}]}
        for number, link in enumerate(["https://shop.example/app/dashboard"] * 2
                                      + ["https://gemini.google.com/app/f777ba9fb2de6bbd?hl=en"] * 2, 1)
    ]  # fmt: skip
    (tmp_path / "MyActivity.json").write_text(json.dumps(rows))
    conversations, _, _ = read(tmp_path / "MyActivity.json")
    assert [len(one.messages) for one in conversations] == [1, 1, 2]
    assert [one.native_id[:4] for one in conversations[:2]] == ["row-", "row-"]
    assert conversations[2].native_id == "f777ba9fb2de6bbd"
