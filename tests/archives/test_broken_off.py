"""What breaks off, unfolds too far, hides or is written in another encoding: said plainly, with a remedy."""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from archive_reading import export, export_bytes, read, zipped

from archives import Limits, open_archive, stated_limits
from archives.zip_members import recover_members
from schemas.errors import DamagedArchive, HostileArchive, InputError
from schemas.report import ImportReport, NoteKind


def _rejected(report: ImportReport) -> dict[str, str]:
    return {note.reason: note.remedy for note in report.notes if note.kind is NoteKind.REJECTED}


def _headless(path: Path) -> Path:
    """Cut the directory off a zip."""
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"PK\x01\x02")])
    return path


def _streamed(members: dict[str, bytes]) -> bytes:
    """A zip whose local headers leave the sizes to what follows the data, without its directory."""
    held = io.BytesIO()
    held.seekable = lambda: False  # type: ignore[method-assign]  # zipfile then writes as to a pipe
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue().partition(b"PK\x01\x02")[0]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_recovered_zip_keeps_to_the_limits_on_members_and_ratio(tmp_path: Path, streamed: bool) -> None:
    bomb = export_bytes()[:-1] + b"," + b" " * 3_000_000 + export_bytes()[1:]
    members = {"a.txt": b"x", "conversations.json": bomb, "late.json": export_bytes()}
    path = tmp_path / "bomb.zip"
    if streamed:
        path.write_bytes(_streamed(members))
    else:
        _headless(zipped(path, members))
    report = read(path, limits=Limits(ratio=100, ratio_free_bytes=1 << 20))[1]
    assert any("100 times its packed size" in reason for reason in _rejected(report))
    assert "--max-ratio" in repr(_rejected(report))
    report = read(path, limits=stated_limits(members=2))[1]
    assert "--max-members" in _rejected(report)["a member was refused: more than 2 members"]


def test_what_a_recovered_zip_holds_and_is_not_read_is_reported(tmp_path: Path) -> None:
    path = zipped(tmp_path / "slip.zip", {"../evil.json": b"[]", "conversations.json": export_bytes()})
    conversations, report, _ = read(_headless(path))
    assert len(conversations) == 3
    assert "a member was refused: a path that leaves the archive" in _rejected(report)
    locked = bytearray(
        _headless(zipped(path, {"a.json": b"[]", "conversations.json": export_bytes()})).read_bytes()
    )
    locked[6] |= 1
    path.write_bytes(locked)
    report = read(path)[1]
    assert "by hand" in _rejected(report)["a member was refused: encrypted"]


class _Counting(io.BytesIO):
    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.taken += len(data)
        return data


def _header(flags: int, method: int) -> bytes:
    return struct.pack("<4sHHHHHLLLHH", b"PK\x03\x04", 20, flags, method, 0, 0, 0, 0, 0, 1, 0) + b"a"


def _made_up() -> Iterator[tuple[str, bytes]]:
    """Zips that have a walk from header to header begin again and again."""
    yield "headers that nothing follows", _header(8, 8) * 4_000
    yield "headers of a method nobody knows", _header(0, 99) * 4_000
    # a stored block of deflate runs over the headers after it, up to something that is no deflate
    block = b"\x00" + struct.pack("<HH", 60_000, 60_000 ^ 0xFFFF)
    yield "data over headers", (_header(8, 8) + block) * 1_000 + b"\xff" * 200_000
    packer = zlib.compressobj(wbits=-15, level=0)
    yield "data without end", _header(8, 8) + packer.compress(_header(8, 8) * 20_000)


@pytest.mark.parametrize(("what", "data"), list(_made_up()), ids=[what for what, _ in _made_up()])
def test_a_made_up_zip_is_walked_in_few_passes(what: str, data: bytes) -> None:
    file = _Counting(data)
    assert sum(1 for _ in recover_members(file, 1 << 30)) <= 4_000
    assert file.taken < 200 * len(data), what


def test_a_bomb_in_a_list_of_archives_names_the_limit(tmp_path: Path) -> None:
    filler = b"\x00" * 4_000_000
    bomb = zipped(tmp_path / "in.zip", {"conversations.json": filler}, compresslevel=9).read_bytes()
    (tmp_path / "in.zip").unlink()
    limits = Limits(ratio=20, ratio_free_bytes=1 << 10, member_bytes=3_000_000)
    path = zipped(tmp_path / "out.zip", {"in.zip": bomb + filler, "readme.txt": b""})
    with pytest.raises(InputError, match="--max-"):
        read(path, limits=limits)
    parts = [*export(2), {"padding": "x" * 3_000_000}, *export(4)[2:]]
    path = zipped(tmp_path / "list.zip", {"conversations.json": json.dumps(parts).encode()})
    report = read(path, limits=Limits(ratio=20, ratio_free_bytes=1 << 10))[1]
    assert all("--max-ratio" in remedy for remedy in _rejected(report).values())
    path = zipped(tmp_path / "lines.zip", {"l.jsonl": b"\n".join(json.dumps(one).encode() for one in parts)})
    report = read(path, limits=Limits(ratio=20, ratio_free_bytes=1 << 10))[1]
    assert any("--max-ratio" in remedy for remedy in _rejected(report).values())


def test_the_look_at_the_beginning_takes_nothing_from_the_limit(tmp_path: Path) -> None:
    body = export_bytes(300, "w" * 4_000)
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "conversations.json").write_bytes(body)
    (folder / "beside.json").write_bytes(b'{"about": "' + b"x" * 1_000_000 + b'"}')
    report = read(folder, limits=Limits(total_bytes=len(body) + 10))[1]
    assert (report.conversations, report.complete) == (300, True)
    assert not read(folder, limits=Limits(total_bytes=len(body) // 2))[1].complete


def test_a_linked_folder_is_named_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "conversations.json").write_bytes(export_bytes(5))
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "conversations.json").write_bytes(export_bytes(2))
    (folder / "more").symlink_to(outside, target_is_directory=True)
    conversations, report, _ = read(folder)
    assert len(conversations) == 2
    assert not report.complete
    assert "Copy the folder" in _rejected(report)["a member was refused: a symbolic link to a folder"]
    (folder / "conversations.json").unlink()
    with pytest.raises(HostileArchive, match="more: a symbolic link to a folder"):
        open_archive(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0)
    (tmp_path / "conversations.json").write_bytes(export_bytes(2))
    assert any("cannot be read" in reason for reason in _rejected(read(tmp_path)[1]))


def test_a_group_chat_of_one_other_person_is_not_the_owners(tmp_path: Path) -> None:
    chat = export(1)
    chat[0]["mapping"]["q"]["message"]["author"]["name"] = "Bob"
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chat))
    for owner, origin in ((None, "other"), ("Bob", "typed"), ("Ada", "other")):
        (conversation,), report, _ = read(path, owner=owner)
        assert conversation.messages[0].segments[0].origin.value == origin
        assert any("--owner" in note.remedy for note in report.notes) is (owner is None)


@pytest.mark.parametrize("ending", ["Questi", '"c2"', '"title": "Ta', '{"conversation_id'])
def test_a_break_says_what_where_what_is_kept_and_what_to_do(tmp_path: Path, ending: str) -> None:
    data = export_bytes(3)
    cut = data.index(ending.encode(), data.index(b'"c2"') - 30) + len(ending)
    path = tmp_path / "conversations.json"
    path.write_bytes(data[:cut])
    _, report, rejected = read(path)
    ((reason, remedy),) = _rejected(report).items()
    assert f"breaks off at byte {cut:,}, inside a " in reason
    assert reason.endswith("kept: 2 conversations, 4 messages")
    assert "again" in remedy
    assert "Unterminated" not in report.model_dump_json() + repr(rejected)
    path.write_bytes(data[:60])
    with pytest.raises(DamagedArchive, match=r"before a conversation.*at byte 60, inside a.*again"):
        open_archive(path)


def test_a_line_that_breaks_off_says_where(tmp_path: Path) -> None:
    lines = b"\n".join(json.dumps(one).encode() for one in export(3))
    path = tmp_path / "conversations.jsonl"
    path.write_bytes(lines[:-30])
    _, report, _ = read(path)
    ((reason, remedy),) = _rejected(report).items()
    assert reason.startswith(f"the last line breaks off at byte {len(lines) - 30:,}; kept: 2 conv")
    assert remedy
    path.write_bytes(lines.replace(b'Answer 1 word"', b"Answer 1 word", 1))
    _, report, _ = read(path)
    assert report.conversations == 2
    assert "Unterminated" not in report.model_dump_json()


WORDS = "Grüße aus dem Café – 5 €"


def test_windows_1252_is_read_as_such_and_said(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(json.dumps(export(2, WORDS), ensure_ascii=False).encode("cp1252"))
    conversations, report, _ = read(path)
    assert conversations[1].messages[1].text == f"Answer 1 {WORDS}"
    assert any("Windows-1252" in note.reason and "UTF-8" in note.remedy for note in report.notes)
    path.write_bytes(json.dumps(export(9, WORDS), ensure_ascii=False).encode("cp1252")[:-40])
    _, report, rejected = read(path)
    assert "Grüße".encode("cp1252") in rejected[0].raw, "quarantine keeps the bytes as they were"


def test_a_stray_byte_in_utf_8_does_not_change_the_encoding(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    said = json.dumps(export(2, f"{WORDS} wXrd"), ensure_ascii=False).encode().replace(b"wXrd", b"w\xf2rd")
    path.write_bytes(said)
    conversations, report, _ = read(path)
    assert conversations[1].messages[1].text == f"Answer 1 {WORDS} w�rd"
    assert any("no UTF-8" in note.reason and "iconv" in note.remedy for note in report.notes)


def test_another_legacy_encoding_is_said_with_its_remedy(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(json.dumps(export(2, "Привет, как дела"), ensure_ascii=False).encode("cp1251"))
    _, report, _ = read(path)
    assert any("no UTF-8" in note.reason and "iconv" in note.remedy for note in report.notes)
