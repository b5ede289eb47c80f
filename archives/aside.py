"""Documents met while conversations are read: kept aside on disk until they are asked for."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from schemas.resource import Resource

_IN_MEMORY = 1 << 20
"""Bytes; what is more goes to a temporary file, so that memory stays flat."""


def _spool() -> BinaryIO:
    return tempfile.SpooledTemporaryFile(_IN_MEMORY)  # type: ignore[return-value]  # it reads and writes as one


@dataclass(slots=True)
class Aside:
    """Takes documents one by one, each content once, and gives them back in that order."""

    _given: dict[tuple[str, str], None] = field(default_factory=dict)
    """In the order in which they were put."""
    _file: BinaryIO | None = None

    def put(self, resource: Resource) -> None:
        """Keep the document, unless it is here already."""
        key = (resource.id, resource.content_hash)
        if key in self._given:
            return
        self._given[key] = None
        if self._file is None:
            self._file = _spool()
        self._file.write(resource.model_dump_json().encode() + b"\n")

    @property
    def mark(self) -> tuple[int, int]:
        """How many documents were put so far, and how many bytes they take."""
        return len(self._given), self._file.tell() if self._file is not None else 0

    def drop_since(self, mark: tuple[int, int]) -> None:
        """Give up what was put since the mark was taken."""
        count, size = mark
        while len(self._given) > count:
            self._given.popitem()
        if self._file is not None:
            self._file.seek(size)
            self._file.truncate()

    def documents(self) -> Iterator[Resource]:
        """Every document, one in memory at a time. What is put later is not in it."""
        if self._file is None:
            return
        self._file.seek(0)
        for line in self._file:
            yield Resource.model_validate_json(line)

    def close(self) -> None:
        """Let go of the temporary file."""
        if self._file is not None:
            self._file.close()
            self._file = None
