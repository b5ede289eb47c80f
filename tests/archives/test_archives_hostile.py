"""Archives that are broken or mean harm: what is readable is read, the rest is reported."""

from __future__ import annotations

import io
import json
import os
import random
import stat
import struct
import zipfile

import pytest
from archive_reading import export, export_bytes, read, zipped

from archives import Limits, open_archive
from schemas.errors import DamagedArchive, HostileArchive, PathMissing, UnrecognisedArchive, UsageError
from schemas.report import NoteKind

LARGE = os.environ.get("MNEMIC_LARGE") == "1"
"""Inputs of the size of the largest archives (`make fuzz`); else of a size on which recursion fails."""


def reasons(report, kind=NoteKind.REJECTED):
    return [note.reason for note in report.notes if note.kind is kind]


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


@pytest.mark.parametrize(
    "name", ["../../evil.json", "/etc/evil.json", "C:\\evil.json", "a\\..\\..\\evil.json"]
)
def test_members_that_leave_the_archive_are_refused_and_the_rest_is_read(tmp_path, name):
    path = zipped(tmp_path / "slip.zip", {name: export_bytes(5), "conversations.json": export_bytes(2)})
    conversations, report, _ = read(path)
    assert len(conversations) == 2
    assert not report.complete
    assert any("refused" in reason for reason in reasons(report))


def test_nothing_but_harm_is_hostile(tmp_path):
    with pytest.raises(HostileArchive, match="leaves the archive"):
        open_archive(zipped(tmp_path / "slip.zip", {"../conversations.json": export_bytes()}))


def test_symbolic_links_are_not_followed(tmp_path):
    with zipfile.ZipFile(tmp_path / "links.zip", "w") as archive:
        link = zipfile.ZipInfo("conversations-link.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("conversations.json", export_bytes())
    assert "a member was refused: a symbolic link" in reasons(read(tmp_path / "links.zip")[1])
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "conversations.json").write_bytes(export_bytes())
    (folder / "more.json").symlink_to("/etc/passwd")
    assert "a member was refused: a symbolic link" in reasons(read(folder)[1])


def test_a_bomb_stops_at_its_limit_and_what_came_before_is_kept(tmp_path):
    body = export_bytes()[:-1] + b"," + b" " * 40_000_000 + export_bytes()[1:]
    path = zipped(tmp_path / "bomb.zip", {"conversations.json": body})
    conversations, report, _ = read(path, limits=Limits(ratio=100, ratio_free_bytes=1 << 20))
    assert len(conversations) == 3
    assert not report.complete
    assert any("times its packed size" in reason for reason in reasons(report))
    assert not read(path, limits=Limits(member_bytes=10_000_000))[1].complete
    assert not read(path, limits=Limits(total_bytes=10_000_000))[1].complete


def test_an_encrypted_member_is_named_with_its_remedy(tmp_path):
    path = zipped(tmp_path / "locked.zip", {"conversations.json": export_bytes()})
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(DamagedArchive, match="encrypted") as caught:
        open_archive(path)
    assert "password" in caught.value.remedy


def test_two_members_of_one_name_are_both_read_and_counted_once(tmp_path):
    path = tmp_path / "double.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", export_bytes(2))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("conversations.json", export_bytes(3))
    conversations, report, _ = read(path)
    assert [c.native_id for c in conversations] == ["c0", "c1", "c2"]
    assert report.records_skipped == 5 + 4
    assert "two members with this name" in reasons(report, NoteKind.UNKNOWN)


def test_macos_leftovers_are_nothing(tmp_path):
    members = {"__MACOSX/._conversations.json": b"\x00\x05junk", "conversations.json": export_bytes()}
    _, report, _ = read(zipped(tmp_path / "mac.zip", members))
    assert report.complete
    assert len(report.notes) == 1


def test_zips_in_a_folder_are_one_archive(tmp_path):
    zipped(tmp_path / "batch-0000.zip", {"conversations.json": export_bytes(2)})
    zipped(tmp_path / "batch-0001.zip", {"conversations.json": export_bytes(4)})
    conversations, report, _ = read(tmp_path)
    assert [c.native_id for c in conversations] == ["c0", "c1", "c2", "c3"]
    assert report.complete


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.999])
def test_a_truncated_zip_gives_the_conversations_before_the_cut(tmp_path, share):
    chance = random.Random(3)
    noisy = [export(40, f"{chance.randbytes(4000).hex()}")[number] for number in range(40)]
    path = zipped(
        tmp_path / "cut.zip",
        {
            "user.json": b'{"id": "user-1", "email": "a@b.org"}',
            "conversations.json": json.dumps(noisy).encode(),
        },
    )
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    conversations, report, rejected = read(path)
    assert 40 * (share - 0.1) <= len(conversations) <= 40
    assert not report.complete
    assert report.account == "a@b.org"
    assert any("directory" in reason for reason in reasons(report))
    if share < 0.99:
        assert any("breaks off" in record.reason for record in rejected)


def test_a_zip_of_which_nothing_is_left(tmp_path):
    path = tmp_path / "stub.zip"
    path.write_bytes(b"PK\x03\x04\x14")
    with pytest.raises(DamagedArchive, match="breaks off before"):
        open_archive(path)


def test_a_zip_with_sizes_after_the_data_is_recovered_too(tmp_path):
    class OneWay(io.RawIOBase):
        def __init__(self, sink):
            self.sink = sink

        def writable(self):
            return True

        def write(self, data):
            return self.sink.write(data)

    held = io.BytesIO()
    with zipfile.ZipFile(OneWay(held), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("user.json", b'{"id": "user-1", "email": "a@b.org"}')
        archive.writestr("conversations.json", export_bytes())
    data = held.getvalue()
    path = tmp_path / "streamed.zip"
    path.write_bytes(data[: data.index(b"PK\x01\x02")])
    conversations, report, _ = read(path)
    assert len(conversations) == 3
    assert report.account == "a@b.org"


def test_a_member_with_a_wrong_checksum_is_kept_and_reported(tmp_path):
    path = zipped(tmp_path / "crc.zip", {"conversations.json": export_bytes(2)})
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02") + 16
    data[at : at + 4] = struct.pack("<L", 12345)
    path.write_bytes(data)
    conversations, report, _ = read(path)
    assert len(conversations) == 2
    assert not report.complete
    assert any("checksum" in reason for reason in reasons(report))


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
