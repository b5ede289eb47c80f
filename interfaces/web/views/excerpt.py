"""A note's words in the conversation around them, in pieces: plain, or marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vault.deck import Row, messages_around, where_said
from vault.ledger import Ledger

AROUND = 600
"""Characters shown before the first mark of a message and after its last."""
SHOWN = 3
"""Places where a note was said that are shown in full; the others are counted."""
OUTSIDE = 280
"""Characters shown of the messages before and after."""


@dataclass(frozen=True, slots=True)
class ExcerptPiece:
    """A run of a message's text; `mark` is "", "said" or "needed"."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One message, or a part of it."""

    message: str
    who: str
    at: object
    position: int
    pieces: tuple[ExcerptPiece, ...]


@dataclass(frozen=True, slots=True)
class ExcerptPlace:
    """A place where a note was said: the message, and the one before and after it."""

    excerpts: tuple[Excerpt, ...]


def settings_of(ledger: Ledger, unit: str) -> tuple[list[ExcerptPlace], int]:
    """The first places where a note was said, and how many there are."""
    places = where_said(ledger, unit)
    said = [one for one in places if not one["needed"]]
    settings = []
    for message in dict.fromkeys(str(one["message_id"]) for one in said[:SHOWN]):
        found = messages_around(ledger, message, 1, 1)
        settings.append(
            ExcerptPlace(tuple(_excerpt(row, places, row["message_id"] == message) for row in found))
        )
    return settings, len(said)


@dataclass(frozen=True, slots=True)
class NotedPiece:
    """A run of a message's text and the notes that stand on it; `number` counts them on the message."""

    text: str
    note: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class NotedMessage:
    """A message in full, cut at the words of its notes, and those notes in the order of their words."""

    message: str
    who: str
    role: str
    at: object
    position: int
    pieces: tuple[NotedPiece, ...]
    notes: tuple[Row, ...]


def with_notes(row: Row, notes: Sequence[Row]) -> NotedMessage:
    """The message with its notes at their words. Each note is told once; where words overlap, the first note
    has them, and the number of the other stands where its own words begin."""
    text, numbers, shown = str(row["text"]), dict[str, int](), list[Row]()
    for one in notes:
        if str(one["id"]) not in numbers:
            numbers[str(one["id"])] = len(numbers) + 1
            shown.append({**one, "number": len(numbers)})
    message, who, at, position = _head(row)
    spans = [(int(str(one["start"])), int(str(one["end"])), str(one["id"])) for one in notes]
    cut = pieces(text, sorted(spans), 0, len(text))
    noted = tuple(NotedPiece(piece.text, piece.mark, numbers.get(piece.mark, 0)) for piece in cut)
    return NotedMessage(message, who, str(row["role"]), at, position, noted, tuple(shown))


def whole(row: Row, places: Sequence[Row] = ()) -> Excerpt:
    """A message in full."""
    text = str(row["text"])
    return Excerpt(*_head(row), tuple(pieces(text, _spans(row, places), 0, len(text))))


def _excerpt(row: Row, places: Sequence[Row], here: bool) -> Excerpt:
    text, spans = str(row["text"]), _spans(row, places)
    room = AROUND if here else OUTSIDE
    first = max(0, min((start for start, _, _ in spans), default=0) - room)
    last = min(len(text), max((end for _, end, _ in spans), default=0) + room)
    shown = list(pieces(text, spans, first, last))
    if first > 0:
        shown.insert(0, ExcerptPiece("… "))
    if last < len(text):
        shown.append(ExcerptPiece(" …"))
    return Excerpt(*_head(row), tuple(shown))


def _head(row: Row) -> tuple[str, str, object, int]:
    who = str(row["author"] or row["role"])
    return str(row["message_id"]), who, row["created_at"], int(str(row["position"]))


def _spans(row: Row, places: Sequence[Row]) -> list[tuple[int, int, str]]:
    """The marks on a message. What a note needs to be understood often holds the note's own words: those are
    marked as said."""
    here = [one for one in places if one["message_id"] == row["message_id"]]
    bounds = [(int(str(one["start"])), int(str(one["end"])), bool(one["needed"])) for one in here]
    said = sorted((start, end) for start, end, needed in bounds if not needed)
    spans = [(start, end, "said") for start, end in said]
    for start, end, needed in bounds:
        if needed:
            spans += [(*gap, "needed") for gap in _besides(start, end, said)]
    return sorted(spans)


def _besides(start: int, end: int, taken: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """The parts of a span that lie in none of the others, which are in order."""
    for first, last in taken:
        if first < end and last > start:
            if first > start:
                yield start, first
            start = max(start, last)
    if start < end:
        yield start, end


def pieces(text: str, spans: Sequence[tuple[int, int, str]], first: int, last: int) -> Iterable[ExcerptPiece]:
    """The text from `first` to `last`, cut at the spans; where spans overlap, the first one wins.

    The pieces' texts joined are the text.
    """
    done = first
    for start, end, mark in spans:
        start, end = max(start, done), min(end, last)
        if start >= end:
            continue
        if start > done:
            yield ExcerptPiece(text[done:start])
        yield ExcerptPiece(text[start:end], mark)
        done = end
    if done < last:
        yield ExcerptPiece(text[done:last])
