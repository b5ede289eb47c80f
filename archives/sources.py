"""Where an archive's files come from: a file, a folder, a zip, zips in a folder or in a zip.

Nothing is ever unpacked: members are streams. What would harm the machine is refused and listed.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from zipfile import BadZipFile, ZipInfo

from archives.guarded_stream import ByteStream, Guard, GuardedStream, Limits
from archives.zip_members import TooManyMembers, listed_members, overlapping, recover_members, stream_of
from schemas.errors import DamagedArchive, HostileArchive, InputError, PathMissing, UnrecognisedArchive

NAMELESS = "a member without a name"
"""What such a member of a zip is called in a report."""
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive: its path inside, its size in bytes as stated, and how to open it."""

    name: str
    size: int
    open: Callable[[], GuardedStream]
    """A new stream over the content. Its reads raise DamagedArchive or HostileArchive."""
    look: Callable[[], GuardedStream]
    """The same for a look at the beginning, which takes nothing from what reading may unfold to."""

    @property
    def basename(self) -> str:
        """The last part of the name."""
        return PurePosixPath(self.name).name


@dataclass(frozen=True, slots=True)
class Refusal:
    """A member that is not read, and why."""

    name: str
    reason: str
    remedy: str = ""
    error: type[InputError] = HostileArchive
    """What to raise when nothing else is in the archive."""


@dataclass(slots=True)
class Source:
    """The files of one archive. Close it when done."""

    path: Path
    limits: Limits
    members: list[Member] = field(default_factory=list)
    inner_zips: list[Member] = field(default_factory=list)
    """Zips among the members, not looked into until `unfold` is called."""
    refusals: list[Refusal] = field(default_factory=list)
    damage: str = ""
    """What is broken about the container as a whole, if anything."""
    _names: set[str] = field(default_factory=set)
    _guard: Guard = field(default_factory=Guard)
    _looks: Guard = field(default_factory=Guard)
    _open: ExitStack = field(default_factory=ExitStack)

    def close(self) -> None:
        """Close every file that reading has opened."""
        self._open.close()

    def unfold(self) -> None:
        """Put the members of the inner zips in the zips' place, as deep as the limits say; what lies deeper
        is listed as refused."""
        for _ in range(self.limits.nesting):
            inner, self.inner_zips = self.inner_zips, []
            for member in inner:
                try:
                    file = self._seekable(member)
                except InputError as error:
                    why = error.why or error.what
                    self.refusals.append(Refusal(member.name, why, error.remedy, type(error)))
                    continue
                self._add_zip(file, prefix=f"{member.name}/")
        for member in self.inner_zips:
            reason = f"zips inside zips, more than {self.limits.nesting} deep"
            remedy = "Unpack it by hand, or allow more with --max-nesting"
            self.refusals.append(Refusal(member.name, reason, remedy, UnrecognisedArchive))
        self.inner_zips = []

    def _seekable(self, member: Member) -> BinaryIO:
        on_disk = self.path / member.name
        if on_disk.is_file():  # not so for a zip inside a zip, which its folder holds no file of
            return self._open.enter_context(on_disk.open("rb"))
        spool = self._open.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the source closes it
        with member.open() as stream:
            while block := stream.read(1 << 20):
                spool.write(block)
        spool.seek(0)
        return spool

    def _add_file(self, path: Path, name: str) -> None:
        member = self._member(name, path.stat().st_size, lambda: path.open("rb"), packed=0)
        with path.open("rb") as file:
            is_zip = file.read(4) in ZIP_MAGIC
        (self.inner_zips if is_zip and name.lower().endswith(".zip") else self.members).append(member)

    def _add_folder(self, folder: Path) -> None:
        for root, folders, files in os.walk(folder, onerror=lambda error: self._refuse_folder(error, folder)):
            folders.sort()
            for inner in folders:
                path = Path(root) / inner
                if path.is_symlink():
                    name, remedy = path.relative_to(folder).as_posix(), "Copy the folder itself in its place"
                    self.refusals.append(Refusal(name, "a symbolic link to a folder", remedy))
            for file in sorted(files):
                path = Path(root) / file
                name = path.relative_to(folder).as_posix()
                if path.is_symlink():
                    self.refusals.append(
                        Refusal(name, "a symbolic link", "Copy the file itself into the folder")
                    )
                elif not path.is_file():
                    self.refusals.append(Refusal(name, "neither a file nor a folder"))
                elif not _is_junk(name):
                    self._add_file(path, name)

    def _add_zip(self, file: BinaryIO, prefix: str = "") -> None:
        try:
            listed = listed_members(file, self.limits.members)
        except TooManyMembers:
            self._refuse_rest(prefix)
            return
        except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
            self.damage = f"the zip's directory is missing or broken ({error})"
            self._recover(file, prefix)
            return
        hidden = overlapping(listed)
        for place, info in enumerate(listed):
            if place not in hidden:
                self._add_zip_member(file, info, prefix)
            elif not info.filename.endswith("/"):  # `is_dir` fails on a member without a name
                remedy = "If you trust it, unpack it by hand and read the folder"
                name = prefix + (info.filename or NAMELESS)
                self.refusals.append(Refusal(name, "it lies inside another member", remedy))

    def _recover(self, file: BinaryIO, prefix: str) -> None:
        """Add the members of a zip without its directory, as far as they can be found."""
        for number, part in enumerate(recover_members(file, self.limits.total_bytes)):
            if number == self.limits.members:
                self._refuse_rest(prefix)
                return
            reason = _why_refuse(part.name, 0)
            if reason:
                self._refuse_name(prefix + part.name, reason)
            elif part.unreadable:
                remedy = "Unpack it by hand and read the folder"
                self.refusals.append(Refusal(prefix + part.name, part.unreadable, remedy, DamagedArchive))
            elif not _is_junk(part.name):
                self._add_part(part.name, part.size, part.open, prefix, part.packed)

    def _refuse_rest(self, prefix: str) -> None:
        reason = f"more than {self.limits.members:,} members"
        remedy = "If you trust it, allow more with --max-members"
        self.refusals.append(Refusal(prefix or self.path.name, reason, remedy))

    def _refuse_name(self, name: str, reason: str) -> None:
        self.refusals.append(Refusal(name, reason, "It was not read; nothing was written"))

    def _member(self, name: str, size: int, open_raw: Callable[[], ByteStream], packed: int) -> Member:
        def opener(guard: Guard) -> Callable[[], GuardedStream]:
            return lambda: GuardedStream(open_raw, name, guard, self.limits, packed=packed)

        return Member(name, size, opener(self._guard), opener(self._looks))

    def _refuse_folder(self, error: OSError, folder: Path) -> None:
        name = Path(error.filename).relative_to(folder).as_posix()
        remedy = "Allow yourself to read it"
        self.refusals.append(Refusal(name, f"a folder that cannot be read: {error.strerror}", remedy))

    def _add_zip_member(self, file: BinaryIO, info: ZipInfo, prefix: str) -> None:
        if not info.filename:
            self._refuse_name(prefix + NAMELESS, "it has no name")
            return
        if info.is_dir() or _is_junk(info.filename):
            return
        reason = _why_refuse(info.orig_filename, info.external_attr >> 16)
        if reason:
            self._refuse_name(prefix + info.filename, reason)
        elif info.flag_bits & 1:
            self.refusals.append(
                Refusal(
                    prefix + info.filename,
                    "encrypted",
                    "Unpack it with its password and read the folder",
                    DamagedArchive,
                )
            )
        else:
            self._add_part(
                info.filename,
                info.file_size,
                lambda: stream_of(file, info),
                prefix,
                info.compress_size,
            )

    def _add_part(
        self, name: str, size: int, open_raw: Callable[[], ByteStream], prefix: str, packed: int
    ) -> None:
        full = prefix + name
        if full in self._names:
            self.refusals.append(Refusal(full, "two members with this name", "Both were read"))
        self._names.add(full)

        member = self._member(full, size, open_raw, packed)
        (self.inner_zips if name.lower().endswith(".zip") else self.members).append(member)


def open_source(path: Path, limits: Limits) -> Source:
    """List the files behind `path`. Reads directories only.

    Raises:
        PathMissing: there is nothing at `path`, or it may not be read.
        DamagedArchive: it is a zip of which nothing is left.
    """
    source = Source(path, limits)
    try:
        if path.is_dir():
            source._add_folder(path)
        else:
            file = source._open.enter_context(path.open("rb"))
            is_zip = file.read(4) in ZIP_MAGIC
            file.seek(0)
            if is_zip:
                source._add_zip(file)
            else:
                source._add_file(path, path.name)
    except FileNotFoundError:
        source.close()
        raise PathMissing(
            "there is no such file or folder", where=str(path), remedy="Check the path"
        ) from None
    except PermissionError as error:
        source.close()
        raise PathMissing("it may not be read", where=str(path), why=str(error.strerror)) from None
    return source


def source_hash(path: Path) -> str:
    """SHA-256 in hex over a file's bytes, or over the names and hashes of a folder's files, streamed."""
    if not path.is_dir():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    digest = hashlib.sha256()
    for inner in sorted(path.rglob("*")):
        if inner.is_file() and not inner.is_symlink():
            name = inner.relative_to(path).as_posix()
            digest.update(f"{name}\n{source_hash(inner)}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _is_junk(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or (bool(parts) and (parts[-1].startswith("._") or parts[-1] == ".DS_Store"))


def _why_refuse(name: str, mode: int) -> str:
    slashed = name.replace("\\", "/")
    if "\x00" in name:
        return "a NUL byte in the name"
    if slashed.startswith("/") or slashed[1:2] == ":":
        return "an absolute path"
    if ".." in slashed.split("/"):
        return "a path that leaves the archive"
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    return ""
