"""The statements that made a SQLite file's tables, found in its pages: what a look at a database goes by.

A long schema is a tree whose leaves lie anywhere in the file, wherever there was room when a table was made
or made anew. Page layout: https://www.sqlite.org/fileformat2.html, "B-tree Pages".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from archives.guarded_stream import GuardedStream

FURTHEST_BYTES = 1 << 26
"""How far into a file its schema is looked for. Importing reads the whole file; a look need not."""
_MOST_PAGES, _DEEPEST = 256, 4
_MOST_TEXT = 1 << 18
_STATEMENT = re.compile(rb"CREATE TABLE [^\x00]{1,400}")
_LEAF, _INNER = 0x0D, 0x05
_FILE_HEADER = 100
_LEAST_CELL = 7
"""Bytes of an inner page's cell with its place in the list of cells."""


def schema_beyond(head: bytes, look: Callable[[], GuardedStream]) -> str:
    """The beginnings of those CREATE TABLE statements whose pages lie beyond `head`, a line each.

    It is "" for the usual file, whose schema is short. `look` opens the file anew. Damage gives what was
    found up to it.
    """
    size = int.from_bytes(head[16:18], "big")
    size = 65_536 if size == 1 else size
    if size < 512 or len(head) <= _FILE_HEADER or head[_FILE_HEADER] != _INNER:
        return ""
    waiting = _children(head[:size], _FILE_HEADER)
    seen: set[int] = {1}
    found: list[bytes] = []
    for _ in range(_DEEPEST):
        waiting = {page for page in waiting if 1 < page <= FURTHEST_BYTES // size} - seen
        if not waiting or len(seen) > _MOST_PAGES:
            break
        seen |= waiting
        below: set[int] = set()
        for number, page in _pages(waiting, size, look):
            if page[:1] == bytes([_INNER]):
                below |= {child for child in _children(page, 0) if child <= FURTHEST_BYTES // size}
            elif page[:1] == bytes([_LEAF]) and number * size > len(head):
                found.extend(_STATEMENT.findall(page))
        waiting = below
    return b"\n".join(found)[:_MOST_TEXT].decode("latin-1")


def _children(page: bytes, start: int) -> set[int]:
    """The pages below an inner page of a table's tree."""
    cells = min(int.from_bytes(page[start + 3 : start + 5], "big"), len(page) // _LEAST_CELL)
    told = {int.from_bytes(page[start + 8 : start + 12], "big")}
    for place in range(start + 12, min(start + 12 + 2 * cells, len(page) - 1), 2):
        at = int.from_bytes(page[place : place + 2], "big")
        told.add(int.from_bytes(page[at : at + 4], "big"))
    return told


def _pages(wanted: set[int], size: int, look: Callable[[], GuardedStream]) -> Iterator[tuple[int, bytes]]:
    """The wanted pages, in one pass over the file up to the last of them."""
    with look() as stream:
        number = 0
        for page in sorted(wanted)[:_MOST_PAGES]:
            while number < page:
                data = _exactly(stream, size)
                if len(data) < size:
                    return
                number += 1
            yield page, data


def _exactly(stream: GuardedStream, size: int) -> bytes:
    """So many bytes, fewer where the file ends."""
    held = bytearray()
    while len(held) < size and (block := stream.read(size - len(held))):
        held += block
    return bytes(held)
