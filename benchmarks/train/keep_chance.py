"""The chance that a careful reader keeps a note: a logistic regression fitted on notes that people judged.

`data/reading/verdicts.jsonl` holds where each note was taken from, its words, and one verdict or two
independent ones. What the reader makes of them is computed anew for each fit, so the file serves every
version of the reader. Notes of messages that the reader was taught are left out: it is surer of these.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.train.labelled_windows import DATA
from extract.reader.calibration import features
from extract.reader.small_reader import SmallReader
from schemas.unit import Speaker

RIDGE = 3.0
"""Strength of the pull of a feature's weight towards zero."""

STATE_RIDGE = 300.0
"""The same of each of the 384 numbers of a state, which are many for the notes that were judged."""

COUNTED = {"realmem": 3.0}
"""What each note of a source counts: talk that was not written for mnemic counts more. Held out, of RealMem's
notes with a chance of .8 .73 are good then in place of .61, and of the invented ones .93 as before."""

FOLDS = 10
_STEPS = 15

Row = dict[str, Any]


def rows(taught: Collection[str] = ()) -> list[Row]:
    """The judged notes but those of messages whose text is in `taught`."""
    lines = (DATA / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["text"].strip() not in taught]


@dataclass(frozen=True, slots=True)
class Seen:
    """Judged notes as a reader sees them, a row each."""

    names: tuple[str, ...]
    features: NDArray[np.float64]
    """(notes, names)"""
    states: NDArray[np.float64]
    """(notes, 384): the mean state of the words that the note was taken from."""
    good: NDArray[np.float64]
    """The share of its judges who would keep it."""
    counts: NDArray[np.float64]
    """What it counts (COUNTED)."""

    def some(self, chosen: NDArray[np.bool_]) -> Seen:
        """Those chosen."""
        return Seen(
            self.names,
            self.features[chosen],
            self.states[chosen],
            self.good[chosen],
            self.counts[chosen],
        )


@dataclass(frozen=True, slots=True)
class KeepChance:
    """The regression: what `calibration.estimate` adds up."""

    weights: dict[str, float]
    """By feature; "bias" among them, and "state", which is 1."""
    state: NDArray[np.float64]
    """(384,): weights of the state, whose product with it is the feature "state"."""

    def of(self, seen: Seen) -> NDArray[np.float64]:
        """The chance of each note."""
        named = np.array([self.weights[name] for name in seen.names])
        total = self.weights["bias"] + seen.features @ named + seen.states @ self.state
        return np.asarray(1 / (1 + np.exp(-total)))


def seen(reader: SmallReader, judged: Sequence[Row]) -> Seen:
    """What the reader makes of judged notes."""
    found, states = [], []
    for row in judged:
        spans = [tuple(row["span"]), tuple(row["told"])]
        place = (row["text"], row["role"], row["before"])
        span, told = reader.assess(*place, spans)
        if span is None or told is None:
            raise ValueError(f"{row['conversation']}: no words at {spans} of the note {row['note']!r}")
        taken = span if spans[0] == spans[1] else told
        named = row.get("named", False)
        speaker = Speaker(row["speaker"])
        found.append(features(taken, span, speaker, row["note"], whole=row["whole"], named=named))
        states.append(reader.means(*place, spans[1:])[0])
    names = tuple(sorted(found[0].keys() - {"state"}))
    return Seen(
        names,
        np.array([[one[name] for name in names] for one in found]),
        np.array(states, np.float64),
        np.array([np.mean(row["good"]) for row in judged]),
        np.array([COUNTED.get(row["source"], 1.0) for row in judged]),
    )


def fitted(judged: Seen) -> KeepChance:
    """The regression of these notes: Newton's method, on numbers brought to one scale."""
    given = np.c_[judged.features, judged.states]
    middle, scale = given.mean(axis=0), given.std(axis=0) + 1e-6
    scaled = np.c_[(given - middle) / scale, np.ones(len(given))]
    count = len(judged.names)
    pull = np.diag([*[RIDGE] * count, *[STATE_RIDGE] * judged.states.shape[1], 1e-3])
    weights = np.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (judged.counts * (chance - judged.good)) + pull @ weights
        curve = (scaled * (judged.counts * chance * (1 - chance))[:, None]).T @ scaled + pull
        weights -= np.linalg.solve(curve, slope)
    raw = weights[:-1] / scale
    named = {name: round(float(weight), 5) for name, weight in zip(judged.names, raw[:count], strict=True)}
    bias = round(float(weights[-1] - raw @ middle), 5)
    return KeepChance({**named, "bias": bias, "state": 1.0}, raw[count:])


def held_out(judged: Seen, homes: Sequence[str]) -> NDArray[np.float64]:
    """The chance of each note by a regression fitted on notes of other conversations (`homes`)."""
    order = np.random.default_rng(18).permutation(sorted(set(homes)))
    fold = {home: place % FOLDS for place, home in enumerate(order)}
    folds = np.array([fold[home] for home in homes])
    found = np.zeros(len(homes))
    for number in range(FOLDS):
        own = folds == number
        if own.any():
            found[own] = fitted(judged.some(~own)).of(judged.some(own))
    return found


def table(judged: Seen, rows: Sequence[Row]) -> str:
    """By bound, of notes judged while their conversation was held out: how many pass, and how many of them
    every judge would keep; for all sources and each."""
    found = held_out(judged, [row["conversation"] for row in rows])
    every = np.array([min(row["good"]) for row in rows], bool)
    sources = np.array([row["source"] for row in rows])
    lines = [f"{len(rows)} notes, {every.mean():.3f} kept by all who judged them"]
    for name in ("", *sorted(set(sources))):
        own = (sources == name) if name else np.ones(len(rows), bool)
        lines.append(f"{name or 'all'}: {own.sum()} notes, {every[own].mean():.3f} kept")
        for bound in np.arange(0.3, 0.95, 0.1):
            passed = own & (found >= bound)
            if passed.any():
                lines.append(f"  from {bound:.1f}: {passed.sum()} pass, {every[passed].mean():.3f} kept")
    return "\n".join(lines)
