"""Payloads that were read before: of a published shard they never change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock

from vault.points import Payload


class RememberedPayloads:
    """The payloads that were asked for last, by point id. Several threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._payloads: OrderedDict[str, Payload] = OrderedDict()
        self._lock = Lock()

    def known(self, ids: Sequence[str]) -> dict[str, Payload]:
        """Those of the ids that are remembered."""
        with self._lock:
            found = {point: self._payloads[point] for point in ids if point in self._payloads}
            for point in found:
                self._payloads.move_to_end(point)
        return found

    def remember(self, payloads: Mapping[str, Payload]) -> None:
        """Keep them, and forget what was asked for longest ago."""
        with self._lock:
            self._payloads.update(payloads)
            while len(self._payloads) > self._most:
                self._payloads.popitem(last=False)

    def forget(self) -> None:
        """After a write nothing is certain."""
        with self._lock:
            self._payloads.clear()
