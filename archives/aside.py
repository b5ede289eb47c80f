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

    _given: set[tuple[str, str]] = field(default_factory=set)
    _file: BinaryIO | None = None

    def put(self, resource: Resource) -> None:
        """Keep the document, unless it is here already."""
        key = (resource.id, resource.content_hash)
        if key in self._given:
            return
        self._given.add(key)
        if self._file is None:
            self._file = _spool()
        self._file.write(resource.model_dump_json().encode() + b"\n")

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
