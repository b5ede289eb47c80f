"""What an archive may unfold to, and zips that are made oddly."""

from __future__ import annotations

import json
import zipfile

import pytest
from archive_reading import export_bytes, read, zipped

from archives import open_archive, stated_limits
from archives.contract import OwnFormat
from archives.registry import FORMATS
from schemas.errors import HostileArchive, UnrecognisedArchive


def test_the_limits_are_the_users(tmp_path):
    inner = zipped(tmp_path / "inner.zip", {"conversations.json": export_bytes()}).read_bytes()
    middle = zipped(tmp_path / "middle.zip", {"a.zip": inner}).read_bytes()
    outer = zipped(tmp_path / "outer.zip", {"b.zip": middle, "note.txt": b"x"})
    assert len(read(outer, limits=stated_limits(nesting=2))[0]) == 3
    with pytest.raises(UnrecognisedArchive, match="--max-nesting"):
        read(outer, limits=stated_limits())
    plain = zipped(tmp_path / "plain.zip", {"conversations.json": export_bytes(), "note.txt": b"x"})
    with pytest.raises(HostileArchive, match="--max-members"):
        read(plain, limits=stated_limits(members=1))
    (tmp_path / "big.json").write_bytes(export_bytes(300, "w" * 20_000))
    conversations, report, _ = read(tmp_path / "big.json", limits=stated_limits(gigabytes=0.003))
    assert 0 < len(conversations) < 300
    assert "past the size limit" in str(report.notes)


def test_a_member_of_another_format_is_named_though_it_shares_its_name(tmp_path):
    claude = {"uuid": "c", "name": "n", "chat_messages": [{"uuid": "m", "sender": "human", "text": "Mine."}]}
    path = tmp_path / "double.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", export_bytes(2))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("conversations.json", json.dumps([claude]))
    _, report, _ = read(path)
    assert any("another format" in note.reason for note in report.notes)


def test_a_zip_in_a_zip_in_a_folder_is_read(tmp_path):
    inner = zipped(tmp_path / "inner.zip", {"conversations.json": export_bytes()}).read_bytes()
    (tmp_path / "inner.zip").unlink()
    zipped(tmp_path / "outer.zip", {"inner.zip": inner})
    assert len(read(tmp_path, limits=stated_limits(nesting=2))[0]) == 3


def test_every_file_that_a_limit_cuts_is_named(tmp_path):
    shards = {f"conversations-00{n}.json": export_bytes(300, "w" * 20_000) for n in range(2)}
    _, report, _ = read(zipped(tmp_path / "big.zip", shards), limits=stated_limits(gigabytes=0.003))
    cut = [note.count for note in report.notes if "past the size limit" in note.reason]
    assert sum(cut) == len(shards)


def test_a_zip_inside_a_zip_is_read_one_level_deep(tmp_path):
    inner = zipped(tmp_path / "inner.zip", {"conversations.json": export_bytes()}).read_bytes()
    outer = zipped(tmp_path / "outer.zip", {"part-1.zip": inner, "readme.txt": b"two parts"})
    assert len(read(outer)[0]) == 3
    deepest = zipped(tmp_path / "deepest.zip", {"outer.zip": outer.read_bytes()})
    with pytest.raises(UnrecognisedArchive, match="zips inside zips, more than 1 deep"):
        open_archive(deepest)


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.id)
def test_of_a_programs_folder_no_foreign_file_is_read(tmp_path, row):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "answer.json").write_text('{"weather": "rain at noon"}')
    with open_archive(folder, format_id=OwnFormat(row.id)) as archive:
        assert list(archive.conversations()) == []
        assert list(archive.resources()) == []
        report = archive.report()
    assert [note.reason for note in report.notes] == ["a file without conversations"]
    assert report.records == 0
