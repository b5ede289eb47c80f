"""Streams over a zip's members, and the members of a zip whose directory is gone.

Headers as in PKWARE's APPNOTE, 4.3.7.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO
from zipfile import ZipFile, ZipInfo

from archives.guarded_stream import ByteStream
from archives.unpacking import DEFLATED, STORED, Unpacker, unpacker

_HEADER = struct.Struct("<4sHHHHHLLLHH")
_SIGNATURE = b"PK\x03\x04"
_BLOCK = 1 << 16
"""Packed bytes unpacked at a time: what comes of them is still in the processor's cache when it is read."""
_SCANNED = 1 << 12
"""Packed bytes unpacked at a time to find the end of data: those of the last block may be read once more."""
_SEARCHED = 1 << 20
"""Bytes searched for a header at a time."""
_ENTRY_SIGNATURE = b"PK\x01\x02"
_LONGEST_ENTRY = 1 << 12
"""Bytes of the directory for each member: 46, its name, and little else."""
_SIZE_FOLLOWS = 0x08
_ENCRYPTED = 0x01
_UNSET = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class RecoveredMember:
    """A member found by its header. Reading it ends where the bytes do."""

    name: str
    size: int
    packed: int
    """Bytes that it takes in the file, at most; never 0 unless it is empty."""
    open: Callable[[], ByteStream]
    unreadable: str = ""
    """Why it cannot be read, if so."""


class MemberStream:
    """Unpacks a member that begins at `start`.

    Unlike `zipfile`, it gives every byte before it complains, and of any method no more than is asked for:
    46 bytes of bzip2 are 46 MB. Reading raises EOFError where the member breaks off, and ValueError at its
    end if the checksum differs. `size` is how many bytes come of it, which LZMA has to be told.
    """

    def __init__(
        self,
        file: BinaryIO,
        start: int,
        method: int,
        packed: int | None,
        checksum: int | None = None,
        *,
        size: int = 0,
        block: int = _BLOCK,
    ) -> None:
        self._file, self._next, self._left = file, start, packed
        self._step, self._block = block, start
        self._unpacker = unpacker(method, size)
        self._over = packed == 0 and method == STORED
        self._checksum, self._running = checksum, 0

    def close(self) -> None:
        """Nothing to let go of: the file is shared."""

    def read(self, size: int, /) -> bytes:
        """Some unpacked bytes, at most `size`; b"" after the last one of a whole member."""
        while not self._over:
            data = self._stored() if self._unpacker is None else self._unpacked(self._unpacker, size)
            if data:
                self._running = zlib.crc32(data, self._running)
                return data
        if self._checksum is not None and self._checksum != self._running:
            self._checksum = None
            raise ValueError("its checksum differs from the directory's")
        return b""

    @property
    def block(self) -> int:
        """Offset of the packed block that was read last."""
        return self._block

    @property
    def end(self) -> int:
        """Offset of the first byte after the packed data (once read through)."""
        return self._next - (len(self._unpacker.unused_data) if self._unpacker else 0)

    def _stored(self) -> bytes:
        block = self._packed_block()
        self._over = self._left == 0
        return block

    def _unpacked(self, unpacker: Unpacker, size: int) -> bytes:
        data = unpacker.decompress(self._packed_block() if unpacker.needs_input else b"", size)
        self._over = unpacker.eof
        return data

    def _packed_block(self) -> bytes:
        wanted = self._step if self._left is None else min(self._step, self._left)
        self._file.seek(self._next)
        self._block = self._next
        block = self._file.read(wanted)
        if not block:
            raise EOFError("the zip breaks off inside this member")
        self._next += len(block)
        if self._left is not None:
            self._left -= len(block)
        return block


def stream_of(file: BinaryIO, info: ZipInfo) -> MemberStream:
    """Open a member that the zip's directory lists.

    Raises:
        EOFError: the file ends before the member's header.
        ValueError: there is no header where the directory says.
        NotImplementedError: it is packed by a method that is not read, or with too large a dictionary.
    """
    file.seek(info.header_offset)
    fixed = file.read(_HEADER.size)
    if len(fixed) < _HEADER.size:
        raise EOFError("the zip breaks off before this member")
    signature, *_, name_length, extra_length = _HEADER.unpack(fixed)
    if signature != _SIGNATURE:
        raise ValueError("the directory points at something else")
    start = info.header_offset + _HEADER.size + name_length + extra_length
    return MemberStream(file, start, info.compress_type, info.compress_size, info.CRC, size=info.file_size)


def overlapping(listed: Sequence[ZipInfo]) -> set[int]:
    """Places in the list of the members that begin inside another one: a few bytes then stand for thousands
    of files. The first in the file is not among them."""
    found: set[int] = set()
    end = 0
    for place in sorted(range(len(listed)), key=lambda place: listed[place].header_offset):
        info = listed[place]
        if info.header_offset < end:
            found.add(place)
        else:
            end = info.header_offset + _HEADER.size + info.compress_size
    return found


class _Directory:
    """A zip's file as `zipfile` may read it: its directory is one read, and no more members than `most`."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file, self._most = file, most
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int = -1) -> bytes:
        if size > max(_SEARCHED, self._most * _LONGEST_ENTRY):
            raise TooManyMembers
        data = self._file.read(size)
        if len(data) > _SEARCHED and data.count(_ENTRY_SIGNATURE) > self._most:
            raise TooManyMembers
        return data


class TooManyMembers(Exception):
    """A zip lists more members than it may have."""


def listed_members(file: BinaryIO, most: int) -> list[ZipInfo]:
    """What the zip's directory lists.

    Raises TooManyMembers before it takes memory for them, and what `zipfile.ZipFile` raises.
    """
    # a directory takes ten times its bytes in memory, and a zip inside a zip unfolds to one of gigabytes
    with ZipFile(_Directory(file, most)) as opened:
        members = opened.infolist()
    if len(members) > most:
        raise TooManyMembers
    return members


def recover_members(file: BinaryIO, budget: int) -> Iterator[RecoveredMember]:
    """Walk from local header to local header, every byte of the file once.

    Where a header leaves the packed size to what follows the data, the data have to be unpacked to find their
    end; `budget` is how many bytes may come of that. Past it a member counts as going on to the end of the
    file, and is the last one.
    """
    length = file.seek(0, os.SEEK_END)
    position: int | None = 0
    while position is not None and (position := _next_header(file, position)) is not None:
        file.seek(position)
        fixed = file.read(_HEADER.size)
        if len(fixed) < _HEADER.size:
            return
        _, _, flags, method, _, _, _, packed, size, name_length, extra_length = _HEADER.unpack(fixed)
        name = file.read(name_length).decode("utf-8" if flags & 0x800 else "cp437", errors="replace")
        extra = file.read(extra_length)
        start = position + _HEADER.size + name_length + extra_length
        if packed == _UNSET or size == _UNSET:
            size, packed = _wide_sizes(extra)
        known = packed if not flags & _SIZE_FOLLOWS or packed else None
        unreadable = _why_unreadable(flags, method, known)
        if known is not None:
            position = start + known
        elif unreadable:
            position = start
        else:
            position, made = _end_of(file, start, budget)
            budget -= made
        taken = (length if position is None else min(position, length)) - start
        if name and not name.endswith("/"):
            yield RecoveredMember(name, size, max(0, taken), _opener(file, start, method, known), unreadable)


def _why_unreadable(flags: int, method: int, known: int | None) -> str:
    if flags & _ENCRYPTED:
        return "encrypted"
    if method not in (STORED, DEFLATED):
        return f"packed by method {method}, which is not read"
    return "stored without its size" if method == STORED and known is None else ""


def _opener(file: BinaryIO, start: int, method: int, packed: int | None) -> Callable[[], ByteStream]:
    return lambda: MemberStream(file, start, method, packed)


def _end_of(file: BinaryIO, start: int, budget: int) -> tuple[int | None, int]:
    """Where deflated data end, or can no longer be unpacked; None if nowhere before the file does. And how
    many bytes came of them."""
    stream, made = MemberStream(file, start, DEFLATED, None, block=_SCANNED), 0
    try:
        while data := stream.read(_SEARCHED):
            made += len(data)
            if made > budget:
                return None, made
    except EOFError:
        return None, made
    except zlib.error:
        # a header inside what was unpacked so far is a part of these data; the last block may hold a real one
        return max(start + 1, stream.block), made
    return stream.end, made


def _next_header(file: BinaryIO, position: int) -> int | None:
    file.seek(position)
    # members lie side by side: far is looked only where the next one is not at hand
    carried, step = b"", 64
    while block := file.read(step):
        step = min(4 * step, _SEARCHED)
        found = (carried + block).find(_SIGNATURE)
        if found >= 0:
            return position - len(carried) + found
        position += len(block)
        carried = block[-3:]
    return None


def _wide_sizes(extra: bytes) -> tuple[int, int]:
    """Unpacked and packed size from a zip64 field."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1 and length >= 16 and at + 20 <= len(extra):
            unpacked, packed = struct.unpack_from("<QQ", extra, at + 4)
            return unpacked, packed
        at += 4 + length
    return 0, 0
