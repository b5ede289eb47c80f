"""Which pairs are worth judging: notes of one account that share stems which few notes have.

Each new note looks only at notes that share one of its rarest stems, so the work grows with the new notes
and not with the pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log

from chunking.language import content_stems
from curation.swept_note import SweptNote
from schemas.unit import Category, Speaker, State

RAREST = 4
"""Stems of a new note that others are looked up by: its rarest."""

COMMON = 200
"""A stem that more notes have says nothing of a subject."""

SAME_SUBJECT = 0.3
"""Share of the weight of both notes' stems that they have in common, for a change to be judged."""

SAME_WORDS = 0.5
"""And for sameness: two notes that say the same mostly share more of their rare words."""

PER_NOTE = 12
"""Notes that one new note is judged against at most, those that share most first."""

_ROLE_STEMS = frozenset({"user", "assist"})
_CONSIDERED = (Category.OPEN_QUESTION, Category.IDEA, Category.PROVISIONAL)


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """A pair to judge; `older` was said first where both are dated."""

    older: SweptNote
    newer: SweptNote
    shared: float
    """How much they share, 0-1."""


class Shared:
    """The notes of an account by their stems. Memory: some hundred bytes a note beside the notes
    themselves."""

    def __init__(self, notes: Sequence[SweptNote]) -> None:
        self.notes = notes
        self._stems = [content_stems(note.text) - _ROLE_STEMS for note in notes]
        self._frequency: Counter[str] = Counter()
        self._holders: dict[str, list[int]] = defaultdict(list)
        for place, stems in enumerate(self._stems):
            for stem in stems:
                self._frequency[stem] += 1
                if len(self._holders[stem]) <= COMMON:
                    self._holders[stem].append(place)

    def near(
        self, place: int, least: float, fits: Callable[[SweptNote], bool]
    ) -> list[tuple[float, SweptNote]]:
        """(share, note) of the notes that share at least so much with one, most first, at most PER_NOTE."""
        mine = self._stems[place]
        telling = sorted(
            (stem for stem in mine if self._frequency[stem] <= COMMON),
            key=lambda stem: (self._frequency[stem], stem),
        )
        places = {other for stem in telling[:RAREST] for other in self._holders[stem]} - {place}
        found = [
            (share, self.notes[other])
            for other in places
            if fits(self.notes[other]) and (share := self._alike(mine, self._stems[other])) >= least
        ]
        found.sort(key=lambda pair: (-pair[0], pair[1].id))
        return found[:PER_NOTE]

    def _alike(self, mine: frozenset[str], theirs: frozenset[str]) -> float:
        """Shared stems over all stems of the two, each weighed by how rare it is in the corpus; 0-1."""
        every = self._weight(mine | theirs)
        return self._weight(mine & theirs) / every if every else 0.0

    def _weight(self, stems: frozenset[str]) -> float:
        return sum(log(1 + len(self.notes) / (1 + self._frequency[stem])) for stem in stems)


def changes(notes: Sequence[SweptNote], new: Iterable[str]) -> Iterator[CandidatePair]:
    """Pairs in which the second note, a new one of the owner's, may take the first one's place."""
    wanted = frozenset(new)
    shared = Shared(notes)
    for place, note in enumerate(notes):
        if note.id not in wanted or not may_supersede(note):
            continue
        for share, older in shared.near(place, SAME_SUBJECT, lambda other, note=note: _earlier(other, note)):  # type: ignore[misc]
            yield CandidatePair(older, note, share)


def alike(notes: Sequence[SweptNote], new: Iterable[str] | None) -> Iterator[CandidatePair]:
    """Pairs that may say the same, each once; with `new`, those with a new note."""
    wanted = None if new is None else frozenset(new)
    shared = Shared(notes)
    seen: set[frozenset[str]] = set()
    for place, note in enumerate(notes):
        if wanted is not None and note.id not in wanted:
            continue
        for share, other in shared.near(place, SAME_WORDS, lambda other, note=note: _same_class(other, note)):  # type: ignore[misc]
            pair = frozenset((note.id, other.id))
            if pair not in seen:
                seen.add(pair)
                yield CandidatePair(other, note, share)


def may_supersede(note: SweptNote) -> bool:
    """Whether a note can take another's place: the owner's own statement, not only considered, that a careful
    reader would keep."""
    settled = note.category not in _CONSIDERED and note.state is not State.REVIEW
    return note.speaker is Speaker.OWNER and settled and note.said_at is not None


def _earlier(older: SweptNote, newer: SweptNote) -> bool:
    """Whether a note can be superseded by another: the owner's settled one of before."""
    if older.said_at is None or newer.said_at is None or older.said_at >= newer.said_at:
        return False
    return older.speaker is Speaker.OWNER and older.category is not Category.OPEN_QUESTION


def _same_class(one: SweptNote, other: SweptNote) -> bool:
    """A hedge is no claim, a question no statement, and people are kept apart."""
    kinds = {
        (note.category if note.category in (Category.OPEN_QUESTION, Category.PROVISIONAL) else None,
         note.speaker_name if note.speaker is Speaker.OTHER else None)
        for note in (one, other)
    }  # fmt: skip
    return len(kinds) == 1
