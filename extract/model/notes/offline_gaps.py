"""The offline engine beside a model: what it says of the places where the model's notes are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from extract.model.notes.claim_checks import Place
from extract.model.notes.numbering import Sentence
from extract.offline_engine import ENGINE_VERSION, extract_units
from schemas.conversation import Conversation
from schemas.unit import Evidence, Unit


@dataclass(slots=True)
class Gaps:
    """Places that the offline engine is to read."""

    places: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """(start, end) by message id."""

    def add(self, places: Iterable[Place]) -> None:
        """Note places."""
        for place in places:
            self.places.setdefault(place.message_id, []).append((place.start, place.end))

    def fill(self, conversation: Conversation, units: Sequence[Unit], engine: str) -> list[Unit]:
        """The offline engine's units of the places, marked; none where an accepted unit says the same.

        A unit belongs to the narrowest of places and accepted quotes that holds most of it: so a refused note
        is replaced although its sentence has another note, and that one is not said twice.
        """
        if not self.places:
            return []
        taken: dict[str, list[tuple[int, int]]] = {}
        for unit in units:
            for item in unit.evidence:
                taken.setdefault(item.message_id, []).append((item.start, item.end))
        mark = f"{ENGINE_VERSION} in place of {engine}"
        return [
            unit.model_copy(update={"extractor": mark})
            for unit in extract_units(conversation).units
            if self._hold(unit.evidence[0], taken.get(unit.evidence[0].message_id, ()))
        ]

    def _hold(self, quote: Evidence, taken: Sequence[tuple[int, int]]) -> bool:
        gap = max((_fit(quote, one) for one in self.places.get(quote.message_id, ())), default=(0, 0))
        return gap[0] > 0 and all(_fit(quote, one) <= gap for one in taken)


def _fit(quote: Evidence, place: tuple[int, int]) -> tuple[int, int]:
    """(characters of the quote that lie in a place, the place's length below zero): more is better."""
    start, end = place
    return max(0, min(quote.end, end) - max(quote.start, start)), start - end


def places_of(sentences: Iterable[Sentence]) -> list[Place]:
    """The places of whole sentences."""
    return [Place(one.message.id, one.start, one.end) for one in sentences]
