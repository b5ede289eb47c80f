"""Copies of generations: no file system may pass a stale file off as an untouched copy."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from vault.files import copy_tree, update_tree

MEMORY = Path("/dev/shm")


@pytest.fixture(params=["disk", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    if request.param == "disk":
        yield tmp_path
    elif MEMORY.is_dir():
        with TemporaryDirectory(dir=MEMORY) as made:
            yield Path(made)
    else:
        pytest.skip(f"no file system in memory at {MEMORY}")


def test_an_older_copy_gets_what_was_written_through_a_map(folder: Path) -> None:
    old, new = folder / "old", folder / "new"
    old.mkdir()
    (old / "page_0.dat").write_bytes(bytes(mmap.PAGESIZE))
    copy_tree(old, new)
    with (new / "page_0.dat").open("r+b") as file, mmap.mmap(file.fileno(), 0) as page:
        assert page[0] == 0  # a shard reads before it writes
        page[0] = 7
        page.flush()
    update_tree(new, old)
    assert (old / "page_0.dat").read_bytes()[0] == 7


def test_an_older_copy_with_other_holes_becomes_equal(folder: Path) -> None:
    old, new = folder / "old", folder / "new"
    blocks = {old: {0: b"a", 3: b"b", 9: b"same"}, new: {1: b"c", 3: b"d", 9: b"same", 12: b"last"}}
    for where, held in blocks.items():
        where.mkdir()
        with (where / "page_0.dat").open("wb") as file:
            for block, content in held.items():
                file.seek(block * 65_536 + 5)
                file.write(content)
    update_tree(new, old)
    assert (old / "page_0.dat").read_bytes() == (new / "page_0.dat").read_bytes()
