"""Bytes that a service packed before it stored them, unpacked within bounds: a few can unfold to
gigabytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from archives.record_bounds import RECORD_BYTES
from schemas.deferred import deferred

if TYPE_CHECKING:
    import pyarrow as pa
else:
    pa = deferred("pyarrow")


_RATIO, _FREE = 500, 1 << 20
"""What packed bytes may unfold to, for each of them and besides: the ratio is a zip member's."""
_CHUNK = 1 << 20


def unpacked(data: bytes, codec: str) -> tuple[bytes, str]:
    """The bytes and "", or what could be unpacked and why that is not all. `codec` is named as Arrow does."""
    room = min(RECORD_BYTES, _RATIO * len(data) + _FREE)
    found = bytearray()
    try:
        with pa.CompressedInputStream(pa.BufferReader(data), codec) as stream:
            while block := stream.read(_CHUNK):
                found += block
                if len(found) > room:
                    return bytes(found[:room]), "a text that unfolds to far more than it is packed in"
    except (OSError, ValueError) as error:
        return bytes(found), f"a text that cannot be unpacked: {error}"
    return bytes(found), "" if found else "a text that is empty once unpacked"
