"""A file's sum: over blocks of 64 KiB, or of a megabyte as at first; a vault may hold both."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from vault.sums import MARK, damaged_files, file_sum

MEGABYTE = 1024 * 1024


@pytest.fixture
def holed(tmp_path: Path) -> Path:
    """Four megabytes: a page at the beginning, one across a block's border, and holes."""
    path = tmp_path / "page_0.dat"
    with path.open("wb") as stream:
        stream.write(b"beginning")
        stream.seek(MEGABYTE + 64 * 1024 - 2)
        stream.write(b"across")
        os.ftruncate(stream.fileno(), 4 * MEGABYTE)
    return path


def _first_sum(content: bytes) -> str:
    """As the first versions made it: size, then each megabyte that is not all zeros, after its offset."""
    digest = hashlib.sha256(f"{len(content)}\n".encode())
    for at in range(0, len(content), MEGABYTE):
        block = content[at : at + MEGABYTE]
        if block.strip(b"\0"):
            digest.update(f"{at}\n".encode() + block)
    return digest.hexdigest()


def test_what_the_first_versions_published_is_whole(holed: Path) -> None:
    first = _first_sum(holed.read_bytes())
    assert file_sum(holed, first) == first != file_sum(holed)
    both = {"page_0.dat": first, "other.dat": file_sum(holed)}
    (holed.parent / "other.dat").write_bytes(holed.read_bytes())
    assert damaged_files(holed.parent, both) == []


@pytest.mark.parametrize("at", [0, 64 * 1024, 2 * MEGABYTE, 4 * MEGABYTE - 1])
def test_a_turned_bit_is_noticed_by_a_sum_of_either_kind(holed: Path, at: int) -> None:
    sums = [file_sum(holed), file_sum(holed, "")]
    with holed.open("r+b") as stream:
        (before,) = os.pread(stream.fileno(), 1, at)
        os.pwrite(stream.fileno(), bytes([before ^ 1]), at)
    for one in sums:
        assert file_sum(holed, one) != one
        (found,) = damaged_files(holed.parent, {holed.name: one})
        assert found.startswith("page_0.dat: its bytes")


def test_a_copy_that_lost_its_holes_has_the_same_sum(holed: Path) -> None:
    copy = holed.with_name("copy")
    copy.write_bytes(holed.read_bytes())
    assert file_sum(copy) == file_sum(holed)
    assert file_sum(holed).startswith(MARK)


def test_a_file_that_grew_by_a_hole_has_another_sum(holed: Path) -> None:
    before = file_sum(holed)
    os.truncate(holed, 5 * MEGABYTE)
    assert file_sum(holed) != before
