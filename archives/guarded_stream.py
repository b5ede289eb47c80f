"""A stream over one member that knows its limits and speaks of damage in mnemic's own errors."""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self
from zipfile import BadZipFile

from schemas.errors import DamagedArchive, HostileArchive, InputError

PIECE = 1 << 21
"""Bytes unpacked at a time, however many are asked for: the limits are looked at between two pieces."""


class ByteStream(Protocol):
    """What reading needs of a stream."""

    def read(self, size: int, /) -> bytes:
        """Some bytes, at most `size`; b"" at the end and nowhere else."""

    def close(self) -> None:
        """Let go of what is open."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive may unfold to: time and disk. Streaming keeps memory flat, and what one record may
    take of it is bounded by `record_bounds`.

    The defaults let honest exports through: 10 GB zips and 2 GB JSON files exist, and JSON shrinks by a
    factor of 5 to 30. A zip bomb works by factors of 1,000 (the most that deflate can do is 1,032; bzip2 and
    LZMA know none).
    """

    member_bytes: int = 64 << 30
    """Bytes that one member may unfold to."""
    total_bytes: int = 256 << 30
    """Bytes that all reads of one archive may add up to."""
    ratio: float = 500.0
    """Bytes out per byte in, for a member past `ratio_free_bytes`."""
    ratio_free_bytes: int = 64 << 20
    """Below this a ratio means nothing: a page of zeros packs well too."""
    members: int = 2_000_000
    """Members of one zip."""
    nesting: int = 1
    """Zips inside zips that are looked into: one is what services hand out, and a bomb likes more."""


@dataclass(slots=True)
class Guard:
    """What all streams of one archive have given so far."""

    total: int = 0


_DAMAGE = (
    BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)


class GuardedStream:
    """Reads from the stream that `open_raw` gives, opened at the first read.

    Raises on read:
        DamagedArchive: the bytes cannot be unpacked or read; what came before was good.
        HostileArchive: the member or the archive unfolds past its limits.
    """

    def __init__(
        self, open_raw: Callable[[], ByteStream], name: str, guard: Guard, limits: Limits, *, packed: int
    ) -> None:
        self._open_raw, self._name, self._guard, self._limits, self._packed = (
            open_raw,
            name,
            guard,
            limits,
            packed,
        )
        self._raw: ByteStream | None = None
        self._given = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, size: int, /) -> bytes:
        """Some bytes, at most `size`; b"" at the end. What lies before a limit is given before the error."""
        self._check()
        try:
            if self._raw is None:
                self._raw = self._open_raw()
            data = self._raw.read(min(size, PIECE))
        except _DAMAGE as error:
            why = str(error) or type(error).__name__
            raise DamagedArchive("it cannot be read to its end", where=self._name, why=why) from None
        self._given += len(data)
        self._guard.total += len(data)
        return data

    def head(self, size: int) -> bytes:
        """The next `size` bytes, or all there are before the end or a break."""
        pieces, missing = list[bytes](), size
        try:
            while missing and (piece := self.read(missing)):
                pieces.append(piece)
                missing -= len(piece)
        except InputError:
            if not pieces:
                raise
        return b"".join(pieces)

    def close(self) -> None:
        """Close the stream underneath."""
        if self._raw is not None:
            self._raw.close()

    def _check(self) -> None:
        limits = self._limits
        if self._given > limits.member_bytes or self._guard.total > limits.total_bytes:
            why, flag = "it unfolds past the size limit", "--max-gigabytes"
        elif self._packed and self._given > max(limits.ratio_free_bytes, limits.ratio * self._packed):
            why, flag = f"it unfolds to more than {limits.ratio:g} times its packed size", "--max-ratio"
        else:
            return
        raise HostileArchive(
            "it looks like a zip bomb",
            where=self._name,
            why=why,
            remedy=f"If you trust it, allow more with {flag}, or unpack it and read the folder",
        )
