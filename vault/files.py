"""Writes that survive a crash: temporary name, fsync, rename, fsync of the folder. Copies that keep holes."""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

COPY_BYTES = 8 * 1024 * 1024
COMPARED_BYTES = 64 * 1024
"""What is written anew where two files differ: a few pages of a shard, a part of a ledger's block."""


def sync_folder(folder: Path) -> None:
    """Make the folder's entries durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Make the file's bytes durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


SYNCED_AT_ONCE = 16
"""Files made durable together: the file system's journal then commits once for many instead of for each."""


def sync_tree(root: Path) -> None:
    """Make everything below `root` durable, files before the folders that name them."""
    with ThreadPoolExecutor(SYNCED_AT_ONCE) as pool:
        for _ in pool.map(lambda path: sync_file(root / path), files_below(root)):
            pass  # asks for each result, so that an error is raised here
    for folder, _, _ in os.walk(root, topdown=False):
        sync_folder(Path(folder))


LONGEST_NAME = 200
"""Bytes of a name; file systems take 255, and marks, notes and temporary files need some of them."""


def fitting_name(name: str) -> str:
    """The name, or the beginning and suffix of one that is too long to have anything added."""
    plain = os.fsencode(name)
    if len(plain) <= LONGEST_NAME:
        return name
    suffix = os.fsencode(Path(name).suffix)[-20:]
    return (plain[: LONGEST_NAME - len(suffix)] + suffix).decode("utf-8", "ignore")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path to write to; on success it takes the place of `path`, durably and at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        sync_file(temporary)
        temporary.replace(path)
        sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_text_durably(path: Path, text: str) -> None:
    """Replace the file's content by `text`, whole or not at all."""
    write_bytes_durably(path, text.encode())


def write_bytes_durably(path: Path, content: bytes) -> None:
    """Replace the file's content, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def files_below(root: Path) -> list[Path]:
    """Every file below `root`, as paths relative to it, in order."""
    # sorted as names: every opening of a vault walks its hundred files, and Path objects took half of that
    return [Path(*parts) for parts in sorted(parts for parts, _ in _entries_below(root, ()))]


def _entries_below(
    folder: Path | str, above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], os.DirEntry[str]]]:
    """The parts of each file's path, and its entry; none of a folder that may not be read or is just gone."""
    with suppress(PermissionError, FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _entries_below(entry.path, (*above, entry.name))
            elif entry.is_file():
                yield (*above, entry.name), entry


def tree_size(root: Path) -> int:
    """Bytes that the files below `root` take on the disk; holes take none."""
    return sum(entry.stat().st_blocks * 512 for _, entry in _entries_below(root, ()))


def has_shared_files(root: Path) -> bool:
    """Whether a file below `root` has another name somewhere, so that writing to it would change that one."""
    return any(entry.stat().st_nlink > 1 for _, entry in _entries_below(root, ()))


def stamp_of(path: Path) -> str:
    """Which file it is, its size, and when it was changed; empty where there is none."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return ""
    return f"{stat.st_ino} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"


def same_stat(one: Path, other: Path) -> bool:
    """Whether two files have one size and one time of change, as a file and its copy that nobody wrote since.

    False wherever a write through a memory map, as an embedded shard makes them, leaves no trace in the time.
    """
    here, there = one.stat(), other.stat()
    if (here.st_size, here.st_mtime_ns) != (there.st_size, there.st_mtime_ns):
        return False
    return _dates_map_writes(one.parent, here.st_dev) and _dates_map_writes(other.parent, there.st_dev)


_DATING: dict[int, bool] = {}
"""What was found of each device."""


def _dates_map_writes(folder: Path, device: int) -> bool:
    """Whether the file system sets a file's time of change when it is written through a map.

    ext4 does. tmpfs does not where the page was read before (measured): it is mapped for writing at once, and
    a generation took stale files for copies. Tried with a file without a name, once a device.
    """
    if (known := _DATING.get(device)) is None:
        with tempfile.TemporaryFile(dir=folder) as probe:
            os.ftruncate(probe.fileno(), mmap.PAGESIZE)
            with mmap.mmap(probe.fileno(), mmap.PAGESIZE) as written:
                os.utime(probe.fileno(), ns=(0, 0))
                written[0] = written[0] + 1
                written.flush()
            known = _DATING[device] = os.fstat(probe.fileno()).st_mtime_ns != 0
    return known


def copy_file(source: Path, target: Path) -> None:
    """Copy a file with its holes and its time of change; a clone where the file system shares blocks."""
    with source.open("rb") as old, target.open("wb") as new:
        size = os.fstat(old.fileno()).st_size
        os.ftruncate(new.fileno(), size)
        for start, end in data_extents(old.fileno(), size):
            _copy_range(old.fileno(), new.fileno(), start, end)
    shutil.copystat(source, target)


def copy_tree(source: Path, target: Path) -> None:
    """Copy a folder. Never by hard links: an embedded shard writes through them (measured)."""
    shutil.copytree(source, target, copy_function=lambda one, other: copy_file(Path(one), Path(other)))


def update_tree(source: Path, target: Path) -> None:
    """Make `target`, an older copy of `source` that nobody has open, equal to it, writing only what differs.

    A file whose size and time of change are the source's is taken for its copy.
    """
    wanted = files_below(source)
    for path in set(files_below(target)) - set(wanted):
        (target / path).unlink()
    for path in wanted:
        old, new = source / path, target / path
        if not new.exists():
            new.parent.mkdir(parents=True, exist_ok=True)
            copy_file(old, new)
        elif not same_stat(old, new):
            _update_file(old, new)
    for folder in sorted((path for path in target.rglob("*") if path.is_dir()), reverse=True):
        if not (source / folder.relative_to(target)).is_dir():
            folder.rmdir()


def _update_file(source: Path, target: Path) -> None:
    size = source.stat().st_size
    with source.open("rb") as old, target.open("r+b") as new:
        os.ftruncate(new.fileno(), size)
        # where both have a hole they are equal: a shard's pages are 32 MB of it
        held = (*data_extents(old.fileno(), size), *data_extents(new.fileno(), size))
        blocks = {
            at for start, end in held for at in range(start - start % COMPARED_BYTES, end, COMPARED_BYTES)
        }
        for at in sorted(blocks):
            part = os.pread(old.fileno(), COMPARED_BYTES, at)
            if part != os.pread(new.fileno(), COMPARED_BYTES, at):
                os.pwrite(new.fileno(), part, at)
    shutil.copystat(source, target)


def data_extents(descriptor: int, size: int) -> Iterator[tuple[int, int]]:
    """(start, end) of each run of the file that is not a hole."""
    if not hasattr(os, "SEEK_DATA"):
        yield 0, size
        return
    start = 0
    while start < size:
        try:
            start = os.lseek(descriptor, start, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:  # nothing but a hole from here on
                return
            raise
        end = os.lseek(descriptor, start, os.SEEK_HOLE)
        yield start, end
        start = end


def _copy_range(source: int, target: int, start: int, end: int) -> None:
    while start < end:
        if hasattr(os, "copy_file_range"):  # Linux: inside the kernel, and as a clone where it can
            copied = os.copy_file_range(source, target, end - start, start, start)
        else:
            copied = os.pwrite(target, os.pread(source, min(COPY_BYTES, end - start), start), start)
        start += copied
