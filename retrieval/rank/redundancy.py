"""When showing one of two notes is enough, because the other says nothing more."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from chunking.settledness import settledness
from vault.points import Payload, PointKind, PointSpan


class Said:
    """What the notes at earlier places said."""

    def __init__(self) -> None:
        self._by_words: dict[tuple[PointKind, str], int] = {}
        self._passages: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        self._units: dict[str, list[tuple[Payload, int]]] = defaultdict(list)

    def already(self, payload: Payload) -> int | None:
        """The earliest place of a note that says all that this one says.

        A unit's words stand in the passage it was said in, or in a longer unit of its message: "We dug it
        out" in "We dug it out and filled it". A passage says more than a unit of it: the reason, the
        exception, the next thing. It is not the same.
        """
        if (place := self._by_words.get(_words(payload))) is not None:
            return place
        if payload.kind is not PointKind.UNIT:
            return None
        own = _run(payload.text)
        longer = [place for other, place in self._beside(payload) if own in _run(other.text)]
        # the passage does not say what it answers
        around = [] if payload.answers else self._passages_around(payload)
        return min([*longer, *around], default=None)

    def shortened(self, payload: Payload) -> int | None:
        """The earliest place of a unit whose words this longer unit of its message says with more."""
        if payload.kind is not PointKind.UNIT:
            return None
        own = _run(payload.text)
        return min((place for other, place in self._beside(payload) if _run(other.text) in own), default=None)

    def note(self, payload: Payload, place: int) -> None:
        """Remember a note that stands at `place`."""
        self._by_words[_words(payload)] = place
        for said in payload.evidence[:1]:
            if payload.kind is PointKind.CHUNK:
                self._passages[said.message_id].append((said.start, said.end, place))
            elif payload.kind is PointKind.UNIT:
                self._units[said.message_id].append((payload, place))

    def _beside(self, unit: Payload) -> list[tuple[Payload, int]]:
        """The units of its message that may say the same: what stands in one's words, or settles as much."""
        return [
            (other, place)
            for said in unit.evidence[:1]
            for other, place in self._units[said.message_id]
            if _overlap(said, other.evidence[0])
            or settledness(unit.text, unit.category) == settledness(other.text, other.category)
        ]

    def _passages_around(self, unit: Payload) -> list[int]:
        return [
            place
            for said in unit.evidence[:1]
            for start, end, place in self._passages[said.message_id]
            if start < said.end and said.start < end
        ]


def _overlap(one: PointSpan, other: PointSpan) -> bool:
    return one.start < other.end and other.start < one.end


def _words(payload: Payload) -> tuple[PointKind, str]:
    # two conversations of one title are two conversations, and "yes" to one question is no "yes" to another
    titled = payload.kind is PointKind.CONVERSATION
    return payload.kind, payload.ref if titled else _plain(f"{payload.answers} {payload.text}")


_WORD = re.compile(r"\w+")


@lru_cache(maxsize=20_000)
def _run(text: str) -> str:
    """The words in order, a blank around each, so that one run is in another only word by word."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


@lru_cache(maxsize=20_000)
def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
