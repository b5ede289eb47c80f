"""When two notes say the same thing exactly, so that showing one is enough."""

from __future__ import annotations

from collections import defaultdict

from vault.points import Payload, PointKind


class Said:
    """What the notes at earlier places said."""

    def __init__(self) -> None:
        self._by_words: dict[tuple[PointKind, str], int] = {}
        self._by_message: dict[str, list[tuple[PointKind, int, int, int]]] = defaultdict(list)

    def already(self, payload: Payload) -> int | None:
        """The earliest place of a note that says what this one says."""
        if (place := self._by_words.get(_words(payload))) is not None:
            return place
        return min((place for place in self._overlapping(payload)), default=None)

    def note(self, payload: Payload, place: int) -> None:
        """Remember a note that stands at `place`."""
        self._by_words[_words(payload)] = place
        for said in payload.evidence[:1]:
            self._by_message[said.message_id].append((payload.kind, said.start, said.end, place))

    def _overlapping(self, payload: Payload) -> list[int]:
        """Places of the passages that a unit was said in, or of the units that were said in a passage."""
        return [
            place
            for said in payload.evidence[:1]
            for kind, start, end, place in self._by_message[said.message_id]
            if kind is not payload.kind and start < said.end and said.start < end
        ]


def _words(payload: Payload) -> tuple[PointKind, str]:
    # two conversations of one title are two conversations
    same = payload.ref if payload.kind is PointKind.CONVERSATION else payload.text.casefold()
    return payload.kind, " ".join(same.split())
