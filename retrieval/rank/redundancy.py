"""When showing one of two notes is enough, because the other says nothing more."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from vault.points import Payload, PointKind


class Said:
    """What the notes at earlier places said."""

    def __init__(self) -> None:
        self._by_words: dict[tuple[PointKind, str], int] = {}
        self._passages: dict[str, list[tuple[int, int, int]]] = defaultdict(list)

    def already(self, payload: Payload) -> int | None:
        """The earliest place of a note that says all that this one says.

        A unit's words stand in the passage it was said in. A passage says more than a unit of it: the reason,
        the exception, the next thing. It is not the same.
        """
        if (place := self._by_words.get(_words(payload))) is not None:
            return place
        return min(self._passages_around(payload), default=None) if payload.kind is PointKind.UNIT else None

    def note(self, payload: Payload, place: int) -> None:
        """Remember a note that stands at `place`."""
        self._by_words[_words(payload)] = place
        if payload.kind is PointKind.CHUNK:
            for said in payload.evidence[:1]:
                self._passages[said.message_id].append((said.start, said.end, place))

    def _passages_around(self, unit: Payload) -> list[int]:
        return [
            place
            for said in unit.evidence[:1]
            for start, end, place in self._passages[said.message_id]
            if start < said.end and said.start < end
        ]


def _words(payload: Payload) -> tuple[PointKind, str]:
    # two conversations of one title are two conversations
    titled = payload.kind is PointKind.CONVERSATION
    return payload.kind, payload.ref if titled else _plain(payload.text)


@lru_cache(maxsize=20_000)
def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
