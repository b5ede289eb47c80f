"""Archives of a few bytes that ask for gigabytes: reading takes little, and gives what stands beside them."""

from __future__ import annotations

import bz2
import json
import lzma
import sqlite3
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from archive_reading import export, export_bytes, read, zipped

from archives import Limits, open_archive
from archives.contract import OwnFormat, Part, Reading
from archives.formats.takeout_html import ROW_CHARACTERS
from archives.glimpse import Glimpse, Kind
from archives.record_bounds import RECORD_BYTES
from archives.sources import open_source
from archives.sqlite_copy import Database, opened
from archives.tally import Tally
from archives.unpacking import LARGEST_DICTIONARY
from archives.zip_members import TooManyMembers, listed_members

MEGABYTE = 1 << 20

# a process of its own: the peak of this one is that of every test before. VmHWM and not getrusage's, which a
# child has from its parent
_PEAK = """
import json, sys
from pathlib import Path
from archives import open_archive

def peak():
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) * 1024

before = peak()
with open_archive(Path(sys.argv[1])) as archive:
    count = sum(1 for _ in archive.conversations())
    report = archive.report()
print(json.dumps([count, [note.reason for note in report.notes], peak() - before]))
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="measured as Linux tells it")


def peak_of(path: Path) -> tuple[int, str, int]:
    """Conversations that were read, the reasons of the report, and the bytes of memory that it took."""
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(path)], capture_output=True, text=True, check=True, timeout=300
    )
    count, reasons, peak = json.loads(done.stdout)
    return count, " ".join(reasons), peak


def packed(path: Path, pieces: Iterator[bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip whose one member is written piece by piece."""
    level = None if method == zipfile.ZIP_LZMA else 1
    with (
        zipfile.ZipFile(path, "w", method, compresslevel=level) as archive,
        archive.open("conversations.json", "w") as member,
    ):
        for piece in pieces:
            member.write(piece)
    return path


def among_good_ones(piece: bytes, times: int, before: bytes = b"", after: bytes = b"") -> Iterator[bytes]:
    """A list of six conversations; in its middle a piece that comes many times."""
    yield export_bytes(3)[:-1] + b"," + before
    for _ in range(times):
        yield piece
    yield after + b"," + json.dumps(export(6)[3:]).encode()[1:]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=["bzip2", "LZMA"])
def test_a_member_is_unpacked_piece_by_piece_by_every_method(tmp_path: Path, method: int) -> None:
    blanks = among_good_ones(b" " * MEGABYTE, 40, after=b"{}")
    count, _, peak = peak_of(packed(tmp_path / "bomb.zip", blanks, method))
    assert count == 6
    assert peak < 40 * MEGABYTE


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=["bzip2", "LZMA"])
def test_an_honest_member_of_every_method_is_read(tmp_path: Path, method: int) -> None:
    body = export_bytes(400, "the hedge was cut")
    conversations, report, _ = read(packed(tmp_path / "honest.zip", iter([body]), method))
    assert (len(conversations), report.complete) == (400, True)


def test_an_lzma_member_with_a_vast_dictionary_is_refused(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16}]
    data = lzma.compress(export_bytes(), lzma.FORMAT_RAW, filters=filters)
    head = struct.pack("<BBHBL", 9, 4, 5, 93, 1 << 31)
    path = zipped(tmp_path / "vast.zip", {"a.json": export_bytes(2)})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("conversations.json", head + data)
    content = bytearray(path.read_bytes())
    for signature, method, sizes in ((b"PK\x03\x04", 8, 22), (b"PK\x01\x02", 10, 24)):
        at = content.rindex(signature)
        content[at + method : at + method + 2] = struct.pack("<H", zipfile.ZIP_LZMA)
        content[at + sizes : at + sizes + 4] = struct.pack("<L", LARGEST_DICTIONARY + 1)
    path.write_bytes(content)
    conversations, report, _ = read(path)
    assert len(conversations) == 2
    assert "packed with a dictionary of 128 MiB, which is not read" in [note.reason for note in report.notes]
    assert not report.complete


TOO_MUCH: dict[str, tuple[Callable[[], Iterator[bytes]], str]] = {
    "one long text": (
        lambda: among_good_ones(b"a" * MEGABYTE, 138, b'{"conversation_id": "', b'", "mapping": {}}'),
        f"longer than {RECORD_BYTES >> 20} MiB",
    ),
    "millions of lists": (
        lambda: among_good_ones(b"[]," * MEGABYTE, 12, b'{"a": [', b"0]}"),
        "its values take more than 512 MiB",
    ),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_record_takes_no_more_memory_than_a_record_may(tmp_path: Path, what: str) -> None:
    pieces, why = TOO_MUCH[what]
    path = tmp_path / "conversations.json"
    path.write_bytes(b"".join(pieces()))
    count, reasons, peak = peak_of(path)
    assert count == 6, "what stands before and after it is read"
    assert why in reasons
    assert peak < 480 * MEGABYTE


def test_a_line_takes_no_more_memory_than_a_record_may(tmp_path: Path) -> None:
    good = [json.dumps(one).encode() for one in export(3)]
    path = tmp_path / "conversations.jsonl"
    path.write_bytes(b"\n".join([*good[:2], b'"' + b"a" * (RECORD_BYTES + MEGABYTE) + b'"', good[2]]))
    conversations, report, rejected = read(path)
    assert len(conversations) == 3
    assert any(f"longer than {RECORD_BYTES >> 20} MiB" in note.reason for note in report.notes)
    assert len(rejected[0].raw) < 20 * MEGABYTE


def test_of_a_programs_own_folder_too_long_a_line_is_told(tmp_path: Path) -> None:
    """Nobody saw what the file is, so nobody may say that it has no conversations."""
    folder = tmp_path / "codex"
    folder.mkdir()
    (folder / "rollout-1.jsonl").write_bytes(b'{"text": "' + b"a" * (RECORD_BYTES + MEGABYTE) + b'"}\n{}\n')
    with open_archive(folder, format_id=OwnFormat("codex")) as archive:
        assert list(archive.conversations()) == []
        report = archive.report()
    assert [note.reason for note in report.notes] == [f"it is longer than {RECORD_BYTES >> 20} MiB"]
    assert not report.complete


def test_looks_at_many_files_are_kept_in_outline(tmp_path: Path) -> None:
    beside = b'{"a": [[' + b"[]," * 100_000 + b"0]]}"
    members = {f"{number}.json": beside for number in range(40)}
    path = zipped(tmp_path / "many.zip", {**members, "conversations.json": export_bytes()})
    count, _, peak = peak_of(path)
    assert count == 3
    assert peak < 150 * MEGABYTE


def test_a_long_directory_is_refused_before_it_is_held(tmp_path: Path) -> None:
    """Of each member `zipfile` makes an object of 500 bytes; inside a zip a directory packs to nothing."""
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, *[0] * 4, 0, 0) + b"a"
    count = 300_000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 9, 9, count * len(entry), 0, 0)
    path = tmp_path / "long.zip"
    path.write_bytes(b"PK\x03\x04" + entry * count + end)
    with path.open("rb") as file:
        tracemalloc.start()
        with pytest.raises(TooManyMembers):
            listed_members(file, 50_000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 2 * len(entry) * count
    source = open_source(path, Limits(members=50_000))
    source.close()
    assert [refusal.reason for refusal in source.refusals] == ["more than 50,000 members"]


def test_a_row_of_a_page_is_bounded(tmp_path: Path) -> None:
    cell = (
        '<div class="outer-cell"><div><div class="header-cell"><p class="mdl-typography--title">Gemini Apps'
        '<br></p></div><div class="content-cell mdl-typography--body-1">Prompted {}<br>'
        "Jul 20, 2026, 3:15:21 PM UTC<br><p>Cut it.</p></div></div></div>"
    )
    path = tmp_path / "MyActivity.html"
    path.write_text(
        "<html>" + cell.format("the hedge") + cell.format("<b>" + "a" * (ROW_CHARACTERS + 9_000_000))
    )
    conversations, report, _ = read(path)
    assert len(conversations) == 1
    assert [note.reason for note in report.notes if "row longer than" in note.reason]


# databases


COMPUTED = {
    "cursor": """CREATE TABLE cursorDiskKV (key TEXT, n INTEGER,
        value TEXT GENERATED ALWAYS AS (hex(zeroblob(n))) VIRTUAL);
        INSERT INTO cursorDiskKV (key, n) VALUES ('composerData:c1', 200000000);""",
    "opencode": """CREATE TABLE session (id text, n INTEGER, title text AS (hex(zeroblob(n))));
        CREATE TABLE message (id text, session_id text, data text);
        CREATE TABLE part (id text, message_id text, data text);
        INSERT INTO session (id, n) VALUES ('s', 200000000);""",
}


@pytest.mark.parametrize("format_id", COMPUTED)
def test_columns_that_are_computed_are_not_read(tmp_path: Path, format_id: str) -> None:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(COMPUTED[format_id])
    count, reasons, peak = peak_of(path)
    assert count == 0
    assert "columns that are computed" in reasons
    assert peak < 50 * MEGABYTE


def birds(path: Path) -> Path:
    """A small database."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE birds (name TEXT)")
    return path


def reading_of(path: Path) -> tuple[Part, Reading]:
    (member,) = open_source(path, Limits()).members
    part = Part(member, Glimpse(Kind.SQLITE))
    return part, Reading((part,), (), "ada", Tally())


def reasons_of(database: Database | None, reading: Reading, sql: str) -> tuple[int, list[str]]:
    assert database is not None
    return sum(1 for _ in database.rows(sql)), [note.reason for note in reading.tally.notes]


def test_no_value_of_a_database_is_longer_than_its_file(tmp_path: Path) -> None:
    part, reading = reading_of(birds(tmp_path / "a.db"))
    with opened(part, reading) as database:
        rows, reasons = reasons_of(database, reading, "SELECT hex(zeroblob(2000000))")
    assert rows == 0
    assert "longer than the database" in reasons[0]


def test_a_database_gives_no_more_than_many_times_its_size(tmp_path: Path) -> None:
    part, reading = reading_of(birds(tmp_path / "a.db"))
    counted = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
    with opened(part, reading) as database:
        rows, reasons = reasons_of(database, reading, f"{counted} SELECT hex(zeroblob(200000)) FROM n")
    assert 100 < rows < 300
    assert reasons == ["the database gives far more than it holds"]


def test_a_virtual_table_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE session USING fts5(id)")
        except sqlite3.OperationalError:
            pytest.skip("this SQLite has no virtual tables")
        connection.execute("CREATE TABLE message (id TEXT)")
    part, reading = reading_of(path)
    with opened(part, reading) as database:
        assert database is not None
        assert database.tables({"session", "message"}) == {"message"}


def test_bzip2_gives_what_is_asked_for() -> None:
    """What the promise rests on: 46 bytes of it are 46 MB."""
    data = bz2.compress(b" " * 50 * MEGABYTE)
    assert len(data) < 200
    assert len(bz2.BZ2Decompressor().decompress(data, 1000)) == 1000
