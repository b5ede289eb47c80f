"""Labelled windows as arrays: what one step of the reader's training takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.train import labelled_windows
from benchmarks.train.fitting import UNKNOWN, Batch, padded
from benchmarks.train.labelled_windows import LabelledWindow, Row, classes_of, kept_words
from extract.reader.segmentation import LONGEST
from extract.reader.small_reader import ATTRIBUTES
from extract.reader.talk_windows import WindowCutter

MOST_SPANS = 32
"""Spans of a window whose attributes are learned from, units first; few annotated windows have more."""


@dataclass(frozen=True, slots=True)
class Learned:
    """Windows with their labels as arrays."""

    windows: list[LabelledWindow]
    batch: Callable[[Sequence[int]], Batch]


def learned(rows: Iterable[Row], cutter: WindowCutter, padding: int) -> Learned:
    """What training takes of conversations, in windows padded to a multiple of `padding`."""
    rows = list(rows)
    texts = {(row["id"], one["id"]): one["text"] for row in rows for one in row["messages"]}
    windows = list(labelled_windows.labelled(rows, cutter))
    kept = [
        [kept_words(texts[one.conversation, one.message], one.window, span) for span in one.spans]
        for one in windows
    ]
    taken_up = [[labelled_windows.antecedent(one.window, span) for span in one.spans] for one in windows]

    def batch(members: Sequence[int]) -> Batch:
        ids, mask = padded([windows[place].window.ids for place in members], padding)
        found = _empty(ids.shape)
        found["ids"], found["mask"] = ids, mask
        for row, place in enumerate(members):
            one = windows[place]
            own = one.window.own
            found["bio"][row, own : own + len(one.bio)] = one.bio
            found["marked"][row, own : own + len(one.bio)][one.bio == labelled_windows.OUT] = one.unmarked
            lengths = [after - first for first, after, _ in one.spans]
            if max(lengths, default=0) <= LONGEST:
                found["segmented"][row] = one.unmarked
                found["ending"][row, [own + after - 1 for _, after, _ in one.spans]] = lengths
            for number, (first, after, unit) in enumerate(one.spans[:MOST_SPANS]):
                _pool(found, one, row, number, (first, after))
                found["kept"][row, own + first : own + after] = kept[place][number]
                found["unit"][row, number] = 1
                if not unit.get("free"):
                    _aim(found, row, number, taken_up[place][number])
                for name, label in classes_of(unit).items():
                    found[name][row, number] = label
            number = len(one.spans)
            for first, after, missed in one.passed_over[: max(MOST_SPANS - number, 0)]:
                _pool(found, one, row, number, (first, after))
                found["unit"][row, number] = UNKNOWN if missed["unit"] else 0
                found["counted"][row, number] = one.unmarked if missed["kind"] == labelled_windows.REST else 1
                found["undecided"][row, number] = missed["kind"] == "notdec"
                number += 1
        return found

    return Learned(windows, batch)


def _empty(shape: tuple[int, ...]) -> Batch:
    """The arrays of a batch of ids of this shape (windows, tokens), without labels.

    Of windows: `segmented`, what its segmentation counts. Of tokens: `bio`, `kept`; `marked` is what each
    counts; `ending`, how many tokens the unit has that ends there. Of spans, (windows, MOST_SPANS): the
    attributes; `unit`, 0 for what was passed over, and what that counts, `counted`; `undecided`, 1 where
    annotators said that it is no decision; `edges`, first and last token. Of spans and tokens: `pool` takes a
    span's mean, `before` is 1 for what stands before it, `aim` shares 1 among what it takes up, its last
    place being nothing.
    """
    spans = (shape[0], MOST_SPANS)
    return {
        "segmented": np.zeros(shape[0], np.float32), "ending": np.zeros(shape, np.int64),
        "edges": np.zeros((*spans, 2), np.int64),
        "bio": np.full(shape, UNKNOWN, np.int32), "marked": np.ones(shape, np.float32),
        "kept": np.full(shape, UNKNOWN, np.int32), "pool": np.zeros((*spans, shape[1]), np.float32),
        "before": np.zeros((*spans, shape[1]), np.float32),
        "aim": np.zeros((*spans, shape[1] + 1), np.float32),
        "unit": np.full(spans, UNKNOWN, np.int32), "counted": np.ones(spans, np.float32),
        "undecided": np.zeros(spans, np.float32),
        **{name: np.full(spans, UNKNOWN, np.int32) for name in ATTRIBUTES},
    }  # fmt: skip


def _pool(found: Batch, one: LabelledWindow, row: int, number: int, span: tuple[int, int]) -> None:
    first, after = span
    found["pool"][row, number, one.window.own + first : one.window.own + after] = 1 / (after - first)
    found["edges"][row, number] = one.window.own + first, one.window.own + after - 1
    begin = one.window.own - 1 - len(one.window.shown)
    found["before"][row, number, begin : one.window.own - 1] = 1
    found["before"][row, number, one.window.own : one.window.own + first] = 1


def _aim(found: Batch, row: int, number: int, places: Sequence[int]) -> None:
    nothing = found["aim"].shape[-1] - 1
    found["aim"][row, number, list(places) or [nothing]] = 1 / max(len(places), 1)
