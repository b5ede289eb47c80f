"""Annotated conversations as labelled windows: exactly the windows that the reader cuts when it reads.

`data/reading/GUIDE.md` says what the annotators were asked; a line of a file there is one conversation.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.train.fitting import UNKNOWN
from chunking.sentences import sentences
from chunking.stop_words import STOP_WORDS
from chunking.wordlists import words
from extract.reader.antecedents import base_of
from extract.reader.small_reader import ATTRIBUTES
from extract.reader.talk_windows import TalkWindow, WindowCutter

DATA = Path("data/reading")
OTHERS = ("askings", "pairs-", "second-", "threads", "verdicts")
"""How the names of files begin that hold no annotated conversations."""
SPARSE = {"realmem": 0.3, "realmem-turns": 0.3, "realmem-turns-b": 0.3, "realmem-turns-c": 0.3}
"""Sources whose annotators passed over what a stricter reading would mark: what an unmarked token counts."""
OUT, BEGIN, INSIDE = range(3)
REST = "rest"
"""What a sentence is that the annotators passed over without a word."""

_SEED = 18
_LATER = 0.5
"""How often that is any sentence of the message in place of its first."""
_UNENDED = 0.5
"""How often a shortened message loses the mark at its end, as in hasty talk."""

_LABELS = ("force", "state", "act", "actor", "whose", "alone", "keep")
"""Attributes in the order in which a unit's labels name them."""
_WORD = re.compile(r"[^\W_]+")
_CHANGED = words("the user users user's assistant assistants is are has")
"""Words that a note may have in place of its quote's."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LabelledWindow:
    """A window with what the annotators said of it."""

    conversation: str
    message: str
    window: TalkWindow
    bio: NDArray[np.int8]
    unmarked: float
    """What a token outside every unit counts."""
    spans: tuple[tuple[int, int, Row], ...]
    """(first token, token after the last, unit) within the window's own tokens."""
    passed_over: tuple[tuple[int, int, Row], ...] = ()
    """The same of what the annotators passed over: near-misses, and sentences without any unit."""


def rows_of(source: str) -> list[Row]:
    """The conversations of one file."""
    lines = (DATA / f"{source}.jsonl").read_text(encoding="utf-8").splitlines()
    return [{**json.loads(line), "unmarked": SPARSE.get(source, 1.0)} for line in lines]


def sources() -> list[str]:
    """The files of annotated conversations, by name."""
    return sorted(path.stem for path in DATA.glob("*.jsonl") if not path.stem.startswith(OTHERS))


def texts_read(rows: Iterable[Row]) -> set[str]:
    """The texts of all messages that were annotated, stripped."""
    return {one["text"].strip() for row in rows for one in row["messages"] if one.get("read", True)}


def digest(names: Iterable[str]) -> str:
    """SHA-256 of the files of these names, in hex: what a model was made of."""
    total = hashlib.sha256()
    for name in sorted(names):
        total.update((DATA / f"{name}.jsonl").read_bytes())
    return total.hexdigest()


def labelled(rows: Iterable[Row], cutter: WindowCutter) -> Iterator[LabelledWindow]:
    """The windows of conversations, in order."""
    for row in rows:
        before = ""
        for message in row["messages"]:
            units = units_in(row, message)
            over = passed_over(row, message)
            windows = (
                cutter.cut(message["text"], message["role"], before) if message.get("read", True) else ()
            )
            for window in windows:
                bio, spans = _located(window, units)
                yield LabelledWindow(
                    row["id"], message["id"], window, bio, row["unmarked"], spans, _placed(window, over)
                )
            before = message["text"]


def shortened(rows: Iterable[Row]) -> Iterator[Row]:
    """A sentence of each longer message of a user, often the first, as a message of its own after what stood
    before it.

    Annotated messages are long, but people also answer in a few words ("OK, let's go with B"), and a
    reader that was never shown a short message finds nothing in one.
    """
    chance = np.random.default_rng(_SEED)
    for row in rows:
        for before, message in zip([None, *row["messages"]], row["messages"], strict=False):
            ends = sentences(message["text"])
            if message["role"] != "user" or len(ends) < 2:
                continue
            for place in (int(chance.integers(len(ends))) if chance.random() < _LATER else 0,):
                start, end = ends[place]
                text = message["text"][start:end].rstrip()
                if chance.random() < _UNENDED:
                    text = text.rstrip(".!")
                units = [
                    {**unit, "start": unit["start"] - start}
                    for unit in units_in(row, message)
                    if start <= unit["start"] and unit["start"] + len(unit["quote"]) <= start + len(text)
                ]
                missed = [
                    one
                    for one in row.get("near_misses", ())
                    if one["message"] == message["id"] and one["quote"] in text
                ]
                shown = [{**before, "read": False}] if before else []
                own = {**message, "text": text}
                name = f"{row['id']}/{message['id']}/{start}"
                yield {**row, "id": name, "messages": [*shown, own], "units": units, "near_misses": missed}


def units_in(row: Row, message: Row) -> list[Row]:
    """A message's units."""
    return [unit for unit in row["units"] if unit["message"] == message["id"]]


def passed_over(row: Row, message: Row) -> list[Row]:
    """What of a message is no unit, as rows of `start`, `quote` and `kind`: the near-misses, and the
    sentences that no unit and no near-miss touches (kind REST)."""
    taken = [_place_of(unit) for unit in units_in(row, message)]
    found = []
    for one in row.get("near_misses", ()):
        start = message["text"].find(one["quote"]) if one["message"] == message["id"] else -1
        if start >= 0:
            place = (start, start + len(one["quote"]))
            met = [unit for unit in units_in(row, message) if _overlap(place, _place_of(unit))]
            kind = one["kind"]
            if kind == "notdec" and any(unit["category"] == "decision" for unit in met):
                kind = "part"
            taken.append(place)
            found.append({"start": start, "quote": one["quote"], "kind": kind, "unit": bool(met)})
    for start, end in sentences(message["text"]):
        quote = message["text"][start:end].rstrip()
        if any(map(str.isalpha, quote)) and not any(_overlap((start, end), one) for one in taken):
            found.append({"start": start, "quote": quote, "kind": REST, "unit": False})
    return found


def _place_of(unit: Row) -> tuple[int, int]:
    return unit["start"], unit["start"] + len(unit["quote"])


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _placed(window: TalkWindow, rows: Iterable[Row]) -> tuple[tuple[int, int, Row], ...]:
    """Those that are in the window, with their tokens."""
    found = []
    for one in rows:
        start, end = one["start"], one["start"] + len(one["quote"])
        held = [place for place, (begin, stop) in enumerate(window.offsets) if stop > start and begin < end]
        if held:
            found.append((held[0], held[-1] + 1, one))
    return tuple(found)


def _located(
    window: TalkWindow, units: Sequence[Row]
) -> tuple[NDArray[np.int8], tuple[tuple[int, int, Row], ...]]:
    """The labels of a window's tokens, and the units in it; of units that overlap, the shortest."""
    bio = np.zeros(len(window.offsets), np.int8)
    spans = []
    for unit in sorted(units, key=lambda one: len(one["quote"])):
        start, end = unit["start"], unit["start"] + len(unit["quote"])
        held = [place for place, (begin, stop) in enumerate(window.offsets) if stop > start and begin < end]
        if held and not bio[held[0] : held[-1] + 1].any():
            bio[held[0] : held[-1] + 1] = INSIDE
            bio[held[0]] = BEGIN
            spans.append((held[0], held[-1] + 1, unit))
    return bio, tuple(sorted(spans, key=lambda span: span[0]))


def classes_of(unit: Mapping[str, Any]) -> dict[str, int]:
    """The place of each of a unit's attributes among the values; UNKNOWN where nobody judged it."""
    stated = dict(zip(_LABELS, unit.get("labels", "").split(), strict=False))
    stated["category"] = unit["category"]
    return {
        name: values.index(stated[name]) if name in stated else UNKNOWN for name, values in ATTRIBUTES.items()
    }


def kept_words(text: str, window: TalkWindow, span: tuple[int, int, Row]) -> NDArray[np.int8]:
    """Of each token of a span: 1 where the note keeps its word, 0 where it drops it; UNKNOWN throughout where
    the note was written freely."""
    first, after, unit = span
    if unit.get("free"):
        return np.full(after - first, UNKNOWN, np.int8)
    told = {word.lower() for word in _WORD.findall(unit["note"])}
    persons = not told.isdisjoint(_CHANGED)
    labels = np.zeros(after - first, np.int8)
    for place in range(first, after):
        start, end = window.offsets[place]
        while start > 0 and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
        word = text[start:end].lower()
        shifted = persons and word in _PERSONAL
        labels[place - first] = word in told or shifted or not any(map(str.isalnum, word))
    return labels


def antecedent(window: TalkWindow, span: tuple[int, int, Row]) -> list[int]:
    """Places in `window.ids` of the words before a span that its note has and its quote lacks: what the note
    takes up. Empty where it takes up nothing."""
    first, _, unit = span
    own = {base_of(word) for word in _WORD.findall(unit["quote"])}
    taken = {base_of(word) for word in _WORD.findall(unit["note"])} - own - STOP_WORDS - _TOLD
    return [
        place
        for place, word in window.words_before(first)
        if word.end - word.start > 1 and base_of(word.said) in taken
    ]


_TOLD = words("user assistant could would should might want wants need needs will ask asks asked using use")
_PERSONAL = words("i i'm im i've ive i'll i'd my me mine we our us you your yours am are have")
