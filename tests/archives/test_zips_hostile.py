"""Zip files that are broken or mean harm: what is readable is read, the rest is reported."""

from __future__ import annotations

import io
import json
import random
import stat
import struct
import zipfile

import pytest
from archive_reading import export, export_bytes, read, reasons, zipped

from archives import Limits, open_archive
from schemas.errors import DamagedArchive, HostileArchive
from schemas.report import NoteKind


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
