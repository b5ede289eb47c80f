"""The packing methods of zips behind one shape, each giving at most as many bytes as are asked for."""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from typing import Protocol

STORED, DEFLATED, BZIP2, LZMA = 0, 8, 12, 14
"""Numbers of the methods (PKWARE's APPNOTE, 4.4.5)."""
LARGEST_DICTIONARY = 1 << 27
"""Bytes that LZMA looks back, and keeps in memory for it; archivers take 64 MiB at their strongest preset,
some of them 256 for a file as long."""
_LEAST_DICTIONARY = 1 << 12
_PROPERTIES = struct.Struct("<BL")


class Unpacker(Protocol):
    """What `bz2` and `lzma` give."""

    @property
    def eof(self) -> bool:
        """Whether the packed data have ended."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes of what it was given."""

    @property
    def unused_data(self) -> bytes:
        """What it was given behind the end of the packed data."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """At most `max_length` bytes; those that do not fit wait for the next call."""


def unpacker(method: int, size: int) -> Unpacker | None:
    """The unpacker of a method, None for what is stored as it is. `size` is how many bytes come of a member.

    Raises NotImplementedError for a method that is not read.
    """
    if method == STORED:
        return None
    if method == DEFLATED:
        return _Deflate()
    if method == BZIP2:
        return bz2.BZ2Decompressor()
    if method == LZMA:
        return _Lzma(size)
    raise NotImplementedError(f"packed by method {method}, which is not read")


class _Deflate:
    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(-15)

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def needs_input(self) -> bool:
        return not self._inflate.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inflate.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inflate.decompress(self._inflate.unconsumed_tail + data, max_length)


class _Lzma:
    """LZMA data behind the header that zips give them (APPNOTE, 5.8.8), with or without a mark at the end."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._head = b""
        self._raw: lzma.LZMADecompressor | None = None

    @property
    def eof(self) -> bool:
        return self._raw is not None and (self._raw.eof or self._left == 0)

    @property
    def needs_input(self) -> bool:
        return self._raw is None or self._raw.needs_input

    @property
    def unused_data(self) -> bytes:
        return self._raw.unused_data if self._raw is not None else b""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if self._raw is None:
            self._head += data
            if len(self._head) < 4 + _PROPERTIES.size:
                return b""
            (length,) = struct.unpack_from("<2xH", self._head)
            if length != _PROPERTIES.size:
                raise ValueError("its LZMA header has another length than LZMA's")
            self._raw = self._opened(*_PROPERTIES.unpack_from(self._head, 4))
            data = self._head[4 + length :]
        given = self._raw.decompress(data, min(max_length, self._left))
        self._left -= len(given)
        return given

    def _opened(self, packed: int, dictionary: int) -> lzma.LZMADecompressor:
        # nothing lies further back than the first byte
        window = max(_LEAST_DICTIONARY, min(dictionary, self._left))
        if window > LARGEST_DICTIONARY:
            raise NotImplementedError(f"packed with a dictionary of {window >> 20} MiB, which is not read")
        bits = {"lc": packed % 9, "lp": packed // 9 % 5, "pb": packed // 45}
        return lzma.LZMADecompressor(
            lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA1, "dict_size": window, **bits}]
        )
