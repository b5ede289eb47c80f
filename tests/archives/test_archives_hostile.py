"""Archives that are broken or mean harm: what is readable is read, the rest is reported."""

from __future__ import annotations

import io
import json
import os
import random
import zipfile

import pytest
from archive_reading import export, export_bytes, read, reasons, zipped

from archives import open_archive
from schemas.errors import DamagedArchive, HostileArchive, PathMissing, UnrecognisedArchive, UsageError
from schemas.report import NoteKind

LARGE = os.environ.get("MNEMIC_LARGE") == "1"
"""Inputs of the size of the largest archives (`make fuzz`); else of a size on which recursion fails."""


def test_a_missing_path(tmp_path):
    with pytest.raises(PathMissing, match="no such file"):
        open_archive(tmp_path / "nowhere.zip")


def test_an_unknown_format_id(tmp_path):
    (tmp_path / "a.json").write_bytes(export_bytes())
    with pytest.raises(UsageError, match="no format"):
        open_archive(tmp_path / "a.json", format_id="carrier_pigeon")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b'{"a": 1}',
        b"[1, 2]",
        b"\x00\x01\x02\xff",
        b"<html></html>",
        b"[",
        b'"text"',
        b"\xff\xfe",
    ],
)
def test_what_is_no_archive_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "conversations.json"
    path.write_bytes(content)
    with pytest.raises((UnrecognisedArchive, DamagedArchive)) as caught:
        open_archive(path)
    assert "\n" not in str(caught.value)
    assert "conversations.json" in str(caught.value)


def test_a_zip_that_is_no_export(tmp_path):
    path = zipped(tmp_path / "photos.zip", {"readme.txt": b"hello", "data.json": b'{"a": 1}'})
    with pytest.raises(UnrecognisedArchive, match="no conversation archive"):
        open_archive(path)


def test_a_member_without_a_name_is_reported(tmp_path):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(zipfile.ZipInfo(""), b"words of mine")
        archive.writestr("conversations.json", export_bytes())
    whole = held.getvalue()
    path = tmp_path / "named.zip"
    path.write_bytes(whole)
    found, report, _ = read(path)
    assert len(found) == 3
    assert reasons(report) == ["a member was refused: it has no name"]
    # its place set onto the other member's: they overlap
    first = whole.rindex(b"PK\x01\x02", 0, whole.rindex(b"PK\x01\x02"))
    second = whole.rindex(b"PK\x01\x02")
    place = slice(first + 42, first + 46)
    laid_over = bytearray(whole)
    laid_over[place] = whole[second + 42 : second + 46]
    path.write_bytes(bytes(laid_over))
    with pytest.raises(HostileArchive, match="a member without a name"):
        open_archive(path)


def test_names_decide_nothing(tmp_path):
    path = zipped(tmp_path / "x.dat", {"holiday.png": export_bytes()})
    assert len(read(path)[0]) == 3


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_break_in_the_first_bytes_does_not_hide_what_it_is(tmp_path, kept):
    chance = random.Random(1)
    many = [{**export(1, chance.randbytes(200).hex())[0], "conversation_id": f"c{n}"} for n in range(30)]
    path = zipped(tmp_path / "export.zip", {"conversations.json": json.dumps(many).encode()})
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    conversations, report, _ = read(path)
    assert conversations
    assert not report.complete


def test_a_folder_and_a_zip_and_a_bare_file_give_the_same_ids(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "conversations.json").write_bytes(export_bytes())
    packed = zipped(tmp_path / "packed.zip", {"conversations.json": export_bytes()})
    readings = [
        read(path, account="me")[0]
        for path in (tmp_path / "folder", packed, tmp_path / "folder" / "conversations.json")
    ]
    hashes = [[(c.id, c.content_hash) for c in reading] for reading in readings]
    assert hashes[0] == hashes[1] == hashes[2]


def test_json_cut_in_the_middle_keeps_what_came_before(tmp_path):
    data = export_bytes(10)
    path = tmp_path / "conversations.json"
    path.write_bytes(data[: len(data) * 2 // 3])
    conversations, report, rejected = read(path)
    assert [c.native_id for c in conversations] == [f"c{n}" for n in range(6)]
    assert not report.complete
    note = next(note for note in report.notes if note.kind is NoteKind.REJECTED)
    start = int(note.where.rpartition(" ")[2])
    assert data[start : start + 20].startswith(b'{"conversation_id": ')
    assert note.remedy
    assert rejected[0].raw == data[start : len(data) * 2 // 3]


def test_one_corrupt_conversation_among_good_ones(tmp_path):
    parts = [json.dumps(conversation) for conversation in export(5)]
    parts[2] = parts[2].replace('"parts": [', '"parts": [}', 1)
    path = tmp_path / "conversations.json"
    path.write_text("[" + ",".join(parts) + "]")
    conversations, report, rejected = read(path)
    assert [c.native_id for c in conversations] == ["c0", "c1", "c3", "c4"]
    assert len(rejected) == 1
    assert rejected[0].raw.startswith(b'{"conversation_id": "c2"')
    assert "byte" in rejected[0].where
    assert not report.complete


def test_a_corrupt_first_conversation_hides_nothing(tmp_path):
    parts = [json.dumps(conversation) for conversation in export(3)]
    parts[0] = parts[0].replace('"title"', "title", 1)
    path = tmp_path / "conversations.json"
    path.write_text("[" + ",".join(parts) + "]")
    assert [c.native_id for c in read(path)[0]] == ["c1", "c2"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_other_encodings(tmp_path, encoding):
    path = tmp_path / "conversations.json"
    path.write_bytes(json.dumps(export(2, "Grüße 東京"), ensure_ascii=False).encode(encoding))
    conversations, report, _ = read(path)
    assert conversations[1].messages[1].text == "Answer 1 Grüße 東京"
    assert report.complete


def test_characters_that_cannot_be_stored_become_u_fffd_and_are_counted(tmp_path):
    data = export_bytes(1, "MARK").replace(b"MARK", rb"\ud83d \ude00 \ud83d\ude00 \u0000 " + b"\xff\xfe")
    path = tmp_path / "conversations.json"
    path.write_bytes(data)
    conversations, report, _ = read(path)
    assert conversations[0].messages[0].text == "Question 0 � � 😀 � ��"
    note = next(note for note in report.notes if note.kind is NoteKind.UNKNOWN)
    assert "U+FFFD" in note.reason
    assert note.count == 10
    conversations[0].model_dump_json().encode()


def test_a_message_without_an_id_may_hold_anything(tmp_path):
    """Found by fuzzing: a lone surrogate in the role or the time broke the content hash."""
    path = tmp_path / "a.jsonl"
    message = b'{"role": "\\ud800", "created_at": "\\udfff", "text": "words \xff"}'
    path.write_bytes(b'{"title": "\\udc80", "messages": [' + message + b"]}\n")
    conversations, _, _ = read(path)
    assert conversations[0].messages[0].role == "�"


def test_a_lone_surrogate_in_the_name_of_a_file_is_replaced(tmp_path):
    """Found by fuzzing: what a part of a message without metadata points at broke the content hash."""
    (conversation,) = export(1)
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file\ud800keel"}
    content = {"content_type": "multimodal_text", "parts": ["What is a garboard?", pointer]}
    conversation["mapping"]["q"]["message"]["content"] = content
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([conversation]))
    conversations, _, _ = read(path)
    files = [file for message in conversations[0].messages for file in message.attachments]
    assert [(file.name, file.native_id) for file in files] == [("file�keel", "file�keel")]
    assert conversations[0].content_hash


def test_a_tree_of_many_messages_in_a_row(tmp_path):
    conversation = export(1)[0]
    depth = 100_000 if LARGE else 12_000
    keys = [f"n{number}" for number in range(depth)]
    order = keys[::2] + keys[1::2]
    node = conversation["mapping"]["q"]
    conversation["mapping"] = {
        key: {**node, "id": key, "children": [], "parent": keys[int(key[1:]) - 1] if key != "n0" else None}
        for key in order
    }
    conversation["current_node"] = keys[-1]
    path = tmp_path / "deep.json"
    path.write_text(json.dumps([conversation]))
    conversations, report, _ = read(path)
    assert [m.native_id for m in conversations[0].messages] == keys
    assert len(conversations[0].active_ids) == depth
    assert report.complete


def test_json_nested_100_000_deep_is_one_rejected_record(tmp_path):
    deep = '{"conversation_id": "deep", "mapping": ' + "[" * 100_000 + "]" * 100_000 + "}"
    path = tmp_path / "conversations.json"
    good = [json.dumps(conversation) for conversation in export(2)]
    path.write_text("[" + ",".join([good[0], deep, good[1]]) + "]")
    conversations, _, rejected = read(path)
    assert [c.native_id for c in conversations] == ["c0", "c1"]
    assert "nested too deeply" in rejected[0].reason


def test_circles_missing_parents_and_dead_leaves(tmp_path):
    conversation = export(1)[0]
    mapping = conversation["mapping"]
    mapping["x"] = {**mapping["q"], "id": "x", "parent": "y", "children": ["y"]}
    mapping["y"] = {**mapping["a"], "id": "y", "parent": "x", "children": ["x"]}
    mapping["orphan"] = {**mapping["a"], "id": "orphan", "parent": "gone", "children": ["ghost"]}
    mapping["self"] = {**mapping["a"], "id": "self", "parent": "self", "children": ["self"]}
    conversation["current_node"] = "nobody"
    path = tmp_path / "tangle.json"
    path.write_text(json.dumps([conversation]))
    conversations, report, _ = read(path)
    assert {m.native_id for m in conversations[0].messages} == {"q", "a", "x", "y", "orphan", "self"}
    assert not conversations[0].active_leaf_stated
    assert "a message whose parent is missing" in reasons(report, NoteKind.HOLE)
    assert "a circle of parents, cut open" in reasons(report, NoteKind.UNKNOWN)


def test_conversations_with_one_id_and_different_content_are_both_handed_over(tmp_path):
    twice = export(2)
    twice[1]["conversation_id"] = "c0"
    path = tmp_path / "twice.json"
    path.write_text(json.dumps(twice))
    conversations, report, _ = read(path)
    assert len(conversations) == 2
    assert conversations[0].id == conversations[1].id
    assert "a conversation in several versions" in reasons(report, NoteKind.UNKNOWN)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0, "1970-01-01T00:00:00+00:00"),
        (1000, "1970-01-01T00:16:40+00:00"),
        (4294967296, "2106-02-07T06:28:16+00:00"),
        ("1767261600.25", "2026-01-01T10:00:00.250000+00:00"),
        (1767261600000, "2026-01-01T10:00:00+00:00"),
        ("2026-01-01T12:00:00+02:00", "2026-01-01T10:00:00+00:00"),
        ({"$date": {"$numberLong": "1767261600000"}}, "2026-01-01T10:00:00+00:00"),
        (1e300, None),
        (-1e18, "1938-04-24T22:13:20+00:00"),
        ("soon", None),
        ([], None),
        (True, None),
    ],
)
def test_times(tmp_path, given, expected):
    conversation = export(1)[0]
    conversation["mapping"]["q"]["message"]["create_time"] = given
    path = tmp_path / "times.json"
    path.write_text(json.dumps([conversation]))
    message = read(path)[0][0].messages[0]
    assert (message.created_at.isoformat() if message.created_at else None) == expected
    if given is not True:
        assert message.time_as_given is not None


def test_breaking_off_the_iteration_leaves_a_report_that_adds_up(tmp_path):
    path = tmp_path / "conversations.json"
    path.write_bytes(export_bytes(10))
    with open_archive(path) as archive:
        for number, _conversation in enumerate(archive.conversations()):
            if number == 3:
                break
        report = archive.report()
    assert report.conversations == 4
    assert report.records == report.messages + report.records_skipped == 12
