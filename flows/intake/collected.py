"""What `mnemic collect` may read on this machine, what it has read, and a copy of what changed since.

Nothing is written where an assistant keeps its files, not even a lock: changed files are copied into the
vault, under the writer's lock, and the copy is read. A session that goes on changes its files' stamp, and is
read again.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field, ValidationError

from archives.places import AssistantFolder
from schemas.base import Noun, sha256_text
from schemas.errors import UsageError
from vault.files import copy_file, fitting_name, stamp_of, write_text_durably
from vault.layout import VaultLayout

_DATABASES = frozenset({".db", ".vscdb"})
_LOGS = ("-wal", "-journal")
_TRIES = 3
"""Copies of a file that is being written, before it is left to the next run."""
_TAIL = 1 << 16
"""Bytes of a step on the way back to where the last whole line ends."""


class CollectAnswers(Noun):
    """What the owner said, and what was read, as the vault keeps it."""

    tools: dict[str, bool] = Field(default_factory=dict)
    """Whether an assistant's conversations may be read, by its name; who is not here was not asked about."""
    account: str | None = None
    """Whose they are."""
    generation: int | None = None
    """The published generation after the last run: after a rollback behind it everything is read again."""
    read: dict[str, str] = Field(default_factory=dict)
    """Stamp of what was read, by path."""

    def allowed(self) -> frozenset[str]:
        """The assistants that may be read."""
        return frozenset(tool for tool, said in self.tools.items() if said)


@dataclass(frozen=True, slots=True)
class CollectedGroup:
    """Files that are read together, such as a session with its subagents."""

    place: AssistantFolder
    key: str
    """The path that names it."""
    files: tuple[Path, ...]
    stamp: str
    """Changes when one of the files does."""
    size: int
    changed: float
    """When the newest of the files was, in epoch seconds."""

    @property
    def tool(self) -> str:
        """Whose they are."""
        return self.place.tool


@dataclass(slots=True)
class Snapshot:
    """Copies of changed files."""

    folders: list[Path] = field(default_factory=list)
    """One for each assistant and format: an archive has one."""
    formats: dict[Path, str] = field(default_factory=dict)
    """What a folder is read as."""
    units: dict[Path, list[CollectedGroup]] = field(default_factory=dict)
    """What a folder has copies of."""
    unfinished: list[str] = field(default_factory=list)
    """Names of units that are being written, and are left to the next run."""
    unreadable: list[str] = field(default_factory=list)
    """Files that may not be read, and why."""


def kept_answers(layout: VaultLayout) -> CollectAnswers:
    """What the vault keeps. Raises UsageError where its file is not what `mnemic collect` writes: nothing is
    read without the owner's word."""
    try:
        return CollectAnswers.model_validate_json(layout.collected.read_bytes())
    except FileNotFoundError:
        return CollectAnswers()
    except ValidationError as error:
        raise UsageError(
            "what may be collected cannot be read",
            where=str(layout.collected),
            why=str(error).splitlines()[0],
            remedy="Move the file away and answer again: what was collected before is not stored twice",
        ) from error


def keep_answers(layout: VaultLayout, answers: CollectAnswers) -> None:
    """Put the answers on the disk, durably."""
    write_text_durably(layout.collected, answers.model_dump_json(indent=1) + "\n")


def units_of(places: Iterable[AssistantFolder]) -> list[CollectedGroup]:
    """What lies in the places, in the order of its paths. Links and what is no file are not followed."""
    found: list[CollectedGroup] = []
    for place in places:
        together: dict[str, list[Path]] = {}
        for path in _files(place):
            together.setdefault(_key(place, path), []).append(path)
        found.extend(unit for key, paths in sorted(together.items()) if (unit := _unit(place, key, paths)))
    return found


def changed(units: Iterable[CollectedGroup], read: Mapping[str, str]) -> list[CollectedGroup]:
    """Those whose files are not as they were when they were read."""
    return [unit for unit in units if read.get(unit.key) != unit.stamp]


def _files(place: AssistantFolder) -> Iterator[Path]:
    seen: set[Path] = set()
    for pattern in place.patterns:
        for path in sorted(place.root.glob(pattern)):
            if path not in seen and path.is_file() and not path.is_symlink():
                seen.add(path)
                yield path
                if path.suffix in _DATABASES:
                    logs = (path.with_name(path.name + ending) for ending in _LOGS)
                    yield from (one for one in logs if one.is_file() and not one.is_symlink())


def _key(place: AssistantFolder, path: Path) -> str:
    inside = path.relative_to(place.root)
    if place.depth == 0:
        return str(place.root)
    if place.depth is None:
        name = next((str(path)[: -len(end)] for end in _LOGS if path.name.endswith(end)), str(path))
        return name if name == str(path) or Path(name).suffix in _DATABASES else str(path)
    parts = inside.parts[: place.depth]
    return str(place.root.joinpath(*parts[:-1], parts[-1].removesuffix(".jsonl")))


def _unit(place: AssistantFolder, key: str, paths: list[Path]) -> CollectedGroup | None:
    stamps, size, newest = [], 0, 0.0
    for path in paths:
        try:
            status = path.stat()
        except OSError:  # it went away meanwhile
            continue
        stamps.append(f"{path}\n{stamp_of(path)}")
        size += status.st_size
        newest = max(newest, status.st_mtime)
    stamp = sha256_text("\n".join(stamps))
    return CollectedGroup(place, key, tuple(paths), stamp, size, newest) if stamps else None


def take_snapshot(layout: VaultLayout, units: Iterable[CollectedGroup], home: Path) -> Snapshot:
    """Copy the units' files into the vault; hold the writer's lock. What an earlier, killed run copied goes.

    A line that is not finished yet is cut from its copy. A file of another kind that is being written is left
    out with its unit, and so is one that may not be read: the next run takes them.
    """
    shutil.rmtree(layout.collecting, ignore_errors=True)
    snapshot = Snapshot()
    for unit in units:
        folder = layout.collecting / unit.place.archive
        targets = {path: folder / _inside(path, home) for path in unit.files}
        try:
            whole = _copied(targets)
        except FileNotFoundError:
            whole = False  # it went away while it was copied: what took its place is found by the next run
        except OSError as error:
            snapshot.unreadable.append(f"{error.filename or unit.key}: {error.strerror}")
            _drop(targets.values())
            continue
        if not whole:
            snapshot.unfinished.append(unit.key)
            _drop(targets.values())
            continue
        if folder not in snapshot.units:
            snapshot.folders.append(folder)
            snapshot.formats[folder] = unit.place.format_id
        snapshot.units.setdefault(folder, []).append(unit)
    return snapshot


def _inside(path: Path, home: Path) -> Path:
    """Where a copy lies: as the file itself does below home. It is the same at every run, since readers
    name by it what has no name of its own."""
    inside = path.relative_to(home) if path.is_relative_to(home) else path.relative_to(path.anchor)
    return Path(*(fitting_name(part) for part in inside.parts))


def _drop(targets: Iterable[Path]) -> None:
    for target in targets:
        target.unlink(missing_ok=True)


def _copied(targets: Mapping[Path, Path]) -> bool:
    """Whether the copies are one state in which the files were at some moment, less unfinished last lines."""
    for target in targets.values():
        target.parent.mkdir(parents=True, exist_ok=True)
    # of a file to whose end lines are added the beginning stands, whatever is added meanwhile
    fixed = [path for path in targets if path.suffix != ".jsonl"]
    for _ in range(_TRIES):
        before = [stamp_of(path) for path in fixed]
        for path, target in targets.items():
            copy_file(path, target)
        if before == [stamp_of(path) for path in fixed]:
            break
    else:
        return False
    for target in targets.values():
        if target.suffix == ".jsonl":
            _cut_unfinished_line(target)
    return all(_is_whole(target) for target in targets.values() if target.suffix == ".json")


def _is_whole(path: Path) -> bool:
    """Whether a JSON file ends where its value does. The values themselves are the reader's to judge."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if not size:
            return False
        if size > 1 << 28:  # too large to hold: its last character must do
            file.seek(-min(size, 64), os.SEEK_END)
            return file.read().rstrip()[-1:] in (b"}", b"]")
        file.seek(0)
        try:
            json.loads(file.read())
        except (ValueError, RecursionError):
            return False
    return True


def _cut_unfinished_line(path: Path) -> None:
    """Cut what stands after the last line end, unless it is JSON already."""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        at, tail = size, b""
        while at > 0 and b"\n" not in tail:
            step = min(_TAIL, at)
            at -= step
            file.seek(at)
            tail = file.read(step) + tail
        line = tail.rpartition(b"\n")[2]
        if not line.strip():
            return
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            file.truncate(size - len(line))
