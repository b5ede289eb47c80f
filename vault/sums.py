"""Sums of stored files: whether a generation's bytes are still those that were published."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from vault.files import data_extents, files_below, same_stat
from vault.layout import INDEX_FOLDER, MANIFEST_FILE

BLOCK_BYTES = 64 * 1024
"""A shard's file holds a few kB and is one of 1 to 32 MB: with blocks of a megabyte, as they were at first, a
small vault is 40 MB of zeros to hash, which takes four times as long. Of a large one both take the same."""
FIRST_BLOCK_BYTES = 1024 * 1024
MARK = "64k-"
"""Begins a sum over blocks of `BLOCK_BYTES`; the first ones are over `FIRST_BLOCK_BYTES`, without a mark."""

CONFIGURATION = f"{INDEX_FOLDER}/edge_config.json"
"""Loading a shard puts another file with the same bytes in its place (measured). The first generations have
no sum of it."""


def file_sum(path: Path, like: str = MARK) -> str:
    """SHA-256 over a file's size and its blocks that are not all zeros, each after its offset, in hex.

    An embedded shard is mostly holes: this reads none of them, and is the same for a copy that lost them.
    `like` is a sum that it is about to be compared with: it is made over blocks of the same size.
    """
    mark, bytes_at_once = (MARK, BLOCK_BYTES) if like.startswith(MARK) else ("", FIRST_BLOCK_BYTES)
    zeros, digest = bytes(bytes_at_once), hashlib.sha256()
    with path.open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        digest.update(f"{size}\n".encode())
        done = 0
        for start, end in data_extents(stream.fileno(), size):
            for offset in range(max(done, start - start % bytes_at_once), end, bytes_at_once):
                block = os.pread(stream.fileno(), bytes_at_once, offset)
                if block != zeros[: len(block)]:
                    digest.update(f"{offset}\n".encode())
                    digest.update(block)
                done = offset + bytes_at_once
    return mark + digest.hexdigest()


SUMS = ".sums"
"""Ends the name of the file beside another that has every sum which that one may have."""


def note_sum(path: Path, content: Path) -> None:
    """Note that `path` may have the bytes of `content`, which is about to take its place.

    Not durable: where a crash loses it the work is done again.
    """
    with path.with_name(path.name + SUMS).open("a", encoding="utf-8") as stream:
        stream.write(f"{file_sum(content)}\n")


def has_noted_sum(path: Path) -> bool:
    """Whether the file is one of those that were noted; true where nothing was, as in version 0.1."""
    noted = path.with_name(path.name + SUMS)
    if not noted.exists():
        return True
    wanted = noted.read_text(encoding="utf-8", errors="replace").split()
    return any(file_sum(path, one) == one for one in wanted)


def tree_sums(
    folder: Path, parent: Path | None = None, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The sum of every stored file by its path in the generation's folder.

    A file that is the untouched copy of one in `parent` keeps the sum `known` of that.
    """
    sums: dict[str, str] = {}
    for path in files_below(folder):
        name = path.as_posix()
        if name == MANIFEST_FILE or _is_of_system(path):  # the manifest has a seal of its own
            continue
        carried = (known or {}).get(name)
        copied = parent is not None and carried is not None and (parent / path).exists()
        if parent is not None and carried and copied and same_stat(folder / path, parent / path):
            sums[name] = carried
        else:
            sums[name] = file_sum(folder / path)
    return sums


SUMMED_AT_ONCE = 2
LARGE_BYTES = 1024 * 1024
"""What takes longer to sum than to hand to another thread."""

_OF_SYSTEMS = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
_BEGIN_OF_SYSTEMS = ("._", ".nfs", ".fuse_hidden")


def _is_of_system(path: Path) -> bool:
    """Whether a file manager or a file system leaves files of that name: no part of a vault, no damage."""
    return path.name in _OF_SYSTEMS or path.name.startswith(_BEGIN_OF_SYSTEMS)


def damaged_files(
    folder: Path, sums: Mapping[str, str], *, below: str = "", besides: Collection[str] = ()
) -> list[str]:
    """Each stored file that is missing or not what was published, named; and each that is too many.

    Only of the file or folder `below`, with what lies beside a file under a longer name; those named in
    `besides` are taken on trust.
    """
    own = {
        name: one for name, one in sums.items() if name.startswith(below) and not _is_of_system(Path(name))
    }
    wanted = {name: one for name, one in own.items() if name not in besides}
    sums_now = _sums_of(folder, wanted)
    found = [
        f"{name}: {'the file is missing' if now is None else 'its bytes are not those that were published'}"
        for name, now in sums_now.items()
        if now != wanted[name]
    ]
    if sums:
        there = {path.as_posix() for path in _files_of(folder, below) if not _is_of_system(path)}
        unknown = there - {*sums, MANIFEST_FILE, CONFIGURATION}
        extra = sorted(name for name in unknown if name.startswith(below))
        found.extend(f"{name}: nobody published this file" for name in extra)
    return found


def _files_of(folder: Path, below: str) -> list[Path]:
    """What may be of the part `below`, relative to the folder: for a ledger the index is not walked."""
    if not below:
        return files_below(folder)
    if (folder / below).is_dir():
        return [below / path for path in files_below(folder / below)]
    return [Path(path.name) for path in folder.iterdir() if path.is_file()]


def _sums_of(folder: Path, wanted: Mapping[str, str]) -> dict[str, str | None]:
    """The sum of each file, of the kind that is wanted of it; two at a time where it is not done sooner than
    it is handed to another thread."""
    large = {name for name in wanted if _stored_bytes(folder / name) > LARGE_BYTES}
    sums = {name: _sum_of(folder / name, one) for name, one in wanted.items() if name not in large}
    if large:
        with ThreadPoolExecutor(SUMMED_AT_ONCE) as pool:
            made = pool.map(lambda name: _sum_of(folder / name, wanted[name]), large)
            sums |= zip(large, made, strict=True)
    return {name: sums[name] for name in wanted}


def _stored_bytes(path: Path) -> int:
    return path.stat().st_blocks * 512 if path.exists() else 0


def _sum_of(path: Path, like: str) -> str | None:
    try:
        return file_sum(path, like)
    except (FileNotFoundError, IsADirectoryError):
        return None
