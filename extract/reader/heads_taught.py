"""The reader's heads taught by an owner's own vault: spans and categories that a language model found there.

The encoder stays as it is shipped. Each head is a multinomial logistic regression over its states, and what
is fitted is the most probable one where the shipped weights are what was believed before (a Gaussian around
them): little talk changes little, and a class that never occurs keeps its weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save

from extract.reader.segmentation import BEGIN, INSIDE, OUT
from extract.reader.small_reader import ATTRIBUTES, SmallReader, described

TAUGHT = ("bio", "category")
"""The heads that a language model's notes say something of."""

STRENGTH = 300.0
"""How firmly the shipped weights are believed: as much as so many tokens or spans of unit length."""

MOST_TOKENS = 200_000
"""Tokens that are learned from: some 800 MB while the fit runs."""

OVERLAP = 0.5
"""Of a model's span, how much one of the reader's must hold to be the same unit; and the other way round."""

_STEPS = 60
_CLOSE = 1e-6

Heads = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A run of talk with what the language model found in it. Offsets are code points of `text`."""

    text: str
    role: str
    before: str
    spans: tuple[tuple[int, int, str], ...]
    """(start, end, category)"""


@dataclass(frozen=True, slots=True)
class Examples:
    """Lessons as the heads see them."""

    states: Mapping[str, NDArray[np.float32]]
    """By head: of tokens for `bio`, (examples, 384), of spans for `category`, (examples, 3 x 384)."""
    labels: Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class HeadsAgreement:
    """How far a reader's spans and categories are a language model's."""

    spans: int
    """What the model found."""
    found: int
    """What the reader found."""
    same: int
    """Spans of both that are the same unit."""
    same_category: int

    @property
    def coverage(self) -> float:
        """Of the model's spans, the share that the reader found too."""
        return self.same / self.spans if self.spans else 0.0

    @property
    def precision(self) -> float:
        """Of the reader's spans, the share that the model found too."""
        return self.same / self.found if self.found else 0.0

    @property
    def category(self) -> float:
        """Of the spans of both, the share with one category."""
        return self.same_category / self.same if self.same else 0.0

    @property
    def score(self) -> float:
        """Harmonic mean of coverage and precision, where a wrong category counts half: 0-1."""
        both = self.spans + self.found
        return (self.same + self.same_category) / both if both else 0.0


def examples(reader: SmallReader, lessons: Iterable[Lesson]) -> Examples:
    """What the heads learn from lessons; those beyond MOST_TOKENS are left out."""
    tokens, marks, spans, categories = [], [], [], []
    count = 0
    for lesson in lessons:
        for window, states in reader.windows(lesson.text, lesson.role, lesson.before):
            marked = np.full(len(window.offsets), OUT)
            for start, end, category in sorted(lesson.spans, key=lambda one: one[1] - one[0]):
                held = window.tokens_of(start, end)
                if held is None or marked[held[0] : held[1] + 1].any():
                    continue
                marked[held[0] : held[1] + 1] = INSIDE
                if start >= window.offsets[0][0]:  # else it began in the window before
                    marked[held[0]] = BEGIN
                spans.append(described(states[held[0] : held[1] + 1]))
                categories.append(ATTRIBUTES["category"].index(category))
            tokens.append(states)
            marks.append(marked)
            count += len(marked)
        if count >= MOST_TOKENS:
            break
    none = {name: np.zeros((0, reader.heads[f"{name}.weight"].shape[0]), np.float32) for name in TAUGHT}
    return Examples(
        {
            "bio": np.concatenate([none["bio"], *tokens]),
            "category": np.array(spans or none["category"], np.float32),
        },
        {"bio": np.concatenate([np.zeros(0, np.int64), *marks]), "category": np.array(categories, np.int64)},
    )


def taught(heads: Heads, given: Examples) -> dict[str, NDArray[np.float32]]:
    """The heads of TAUGHT as the examples would have them; the others as they are."""
    changed = dict(heads)
    for name in TAUGHT:
        before = np.vstack([heads[f"{name}.weight"], heads[f"{name}.bias"]]).astype(np.float64)
        states = given.states[name]
        if len(states):
            after = _most_probable(before, np.c_[states, np.ones(len(states))], given.labels[name])
            changed[f"{name}.weight"] = after[:-1].astype(np.float32)
            changed[f"{name}.bias"] = after[-1].astype(np.float32)
    return changed


def _most_probable(
    before: NDArray[np.float64], given: NDArray[np.float64], labels: NDArray[np.int64]
) -> NDArray[np.float64]:
    """From `before` (inputs, classes), steps of Newton's method with a bound in place of the curvature, the
    same for every class and step, so that no step loses (Boehning, 1992)."""
    wanted = np.eye(before.shape[1])[labels]
    bound = given.T @ given / 2 + STRENGTH * np.eye(before.shape[0])
    inverse = np.linalg.inv(bound)
    weights, moved = before, np.inf
    for _ in range(_STEPS):
        if moved < _CLOSE:
            break
        logits = given @ weights
        chances = np.exp(logits - np.logaddexp.reduce(logits, axis=1)[:, None])
        step = inverse @ (given.T @ (chances - wanted) + STRENGTH * (weights - before))
        weights = weights - step
        moved = float(np.square(step).sum() / np.square(weights).sum())
    return weights


def agreement(reader: SmallReader, lessons: Sequence[Lesson]) -> HeadsAgreement:
    """How far the reader finds what the language model found."""
    spans = found = same = same_category = 0
    for lesson in lessons:
        readings = list(reader.read(lesson.text, lesson.role, lesson.before))
        own = [(one.start, one.end, one.likeliest("category")) for one in readings]
        pairs = list(_paired(lesson.spans, own))
        spans, found, same = spans + len(lesson.spans), found + len(own), same + len(pairs)
        same_category += sum(left == right for left, right in pairs)
    return HeadsAgreement(spans, found, same, same_category)


def _paired(
    wanted: Sequence[tuple[int, int, str]], found: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[str, str]]:
    """Categories of spans that are the same unit, each taken once, in the order of the text."""
    free = sorted(found)
    for start, end, category in sorted(wanted):
        for place, (first, last, other) in enumerate(free):
            shared = min(end, last) - max(start, first)
            if shared >= OVERLAP * (end - start) and shared >= OVERLAP * (last - first):
                del free[place]
                yield category, other
                break


def rewritten(weights: Path, heads: Heads, version: str) -> bytes:
    """A reader's file with other heads, under another version."""
    with safe_open(str(weights), framework="np") as stored:
        metadata = {**(stored.metadata() or {}), "version": version}
        tensors = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118  not a mapping
    tensors |= {f"head.{name}": value.astype(np.float16) for name, value in heads.items()}
    return save(tensors, metadata)
