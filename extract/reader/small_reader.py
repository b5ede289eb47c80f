"""The small reader: windows in, readings out.

encoder     states of every token of a window                       (inference.finetuned)
spans       where units begin and end                               (segmentation)
attributes  of each span, from the states of its tokens             (`described`, one linear head each)
chances     how likely a careful reader keeps it                    (calibrated on talk held out)
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from extract.reader.antecedents import Pointer, TakenUp
from extract.reader.segmentation import best_segments, segment_scores
from extract.reader.sentence_places import Sentences
from extract.reader.talk_windows import TalkWindow, WindowCutter
from inference.finetuned import FineTuned
from schemas.unit import MAX_WORDS

WEIGHTS = "reader-6.safetensors"

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "category": ("decision", "constraint", "provisional", "action_item", "idea", "open_question", "fact"),
    "force": ("assert", "ask", "propose", "commit"),
    "state": ("settled", "hedged", "hypo", "withdrawn"),
    "act": ("must", "next", "-"),
    "actor": ("owner", "assistant", "other", "-"),
    "whose": ("own", "reported", "drafted", "pasted", "fiction", "exam"),
    "alone": ("n", "y"),
    "keep": ("n", "y"),
}
"""The heads over a span and what each tells apart, in the order of its logits."""

_OF_SPANS = (*ATTRIBUTES, "unit")
_ENDS = list(accumulate([*map(len, ATTRIBUTES.values()), 2]))
_PLACES = dict(zip(_OF_SPANS, pairwise([0, *_ENDS]), strict=True))
"""Where each head's logits stand among those of all."""

STANDS_ALONE = 0.5
"""The chance from which on a span is told by itself; below it, what stands around it is looked at too."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SpanReading:
    """What the reader makes of one span. Offsets are code points of the text that was read."""

    start: int
    end: int
    chances: Mapping[str, tuple[float, ...]]
    """Of each attribute's values, in the order of `ATTRIBUTES`."""
    worth: float = 0.0
    """What its words by themselves add to the log-odds that a careful reader keeps them (`calibration`)."""
    wider: tuple[SpanReading, ...] = ()
    """Where it does not stand alone, the same of what it stands in, shortest first: its sentence up to it,
    from it on, the whole."""
    spare: tuple[tuple[int, int], ...] = ()
    """Of a span longer than a note may be: runs that a note can do without, offsets as above."""
    taken_up: TakenUp | None = None
    """Words before it that it may need to be understood."""
    unit: float = 1.0
    """The chance that it is a unit at all, and nothing that annotators pass over."""

    def chance(self, attribute: str, value: str) -> float:
        """How likely the attribute has the value, 0-1."""
        return self.chances[attribute][ATTRIBUTES[attribute].index(value)]

    def likeliest(self, attribute: str) -> str:
        """The attribute's likeliest value."""
        chances = self.chances[attribute]
        return ATTRIBUTES[attribute][chances.index(max(chances))]


class SmallReader:
    """Open weights; safe to use from several threads. `eagerness` is added to the score of each span in place
    of what the weights' file says."""

    def __init__(self, encoder: FineTuned, eagerness: float | None = None) -> None:
        self._encoder = encoder
        self._cutter = WindowCutter(encoder.tokenizer)
        settings = json.loads(encoder.metadata.get("settings", "{}"))
        self._eagerness = float(settings.get("eagerness", 0.0)) if eagerness is None else eagerness
        self._least = float(settings.get("unit", 0.0))
        self.named = float(settings.get("named", 1.0))
        """The chance from which on a note is told behind what it takes up."""
        self.good: Mapping[str, float] = settings.get("good", {"keep": 1.0})
        """Weights of the regression of `calibration`."""
        self.version = encoder.metadata.get("version", "reader")
        stacked = [(self.heads[f"{name}.weight"], self.heads[f"{name}.bias"]) for name in _OF_SPANS]
        self._of_spans = np.hstack([weight for weight, _ in stacked])
        self._biases = np.concatenate([bias for _, bias in stacked])

    def read(self, text: str, speaker: str, before: str) -> Iterator[SpanReading]:
        """The spans of a run of talk, in order. `speaker` said it; `before` was said right before."""
        homes = Sentences(text)
        for window in self._cutter.cut(text, speaker, before):
            hidden = self._encoder.hidden(window.ids)
            states = _own(window, hidden)
            spans = best_segments(*segment_scores(states, self.heads, self._eagerness, window.blocks()))
            pointer = Pointer(window, hidden, self.heads) if spans else None
            for first, last in spans:
                reading = self._reading(window, states, first, last)
                if reading.unit < self._least:
                    continue
                span = described(states[first : last + 1])
                alone = reading.chance("alone", "y") >= STANDS_ALONE
                yield replace(
                    reading,
                    wider=() if alone else tuple(self._wider(window, states, reading, homes)),
                    taken_up=pointer.taken_up(first, span) if pointer else None,
                )

    def windows(self, text: str, speaker: str, before: str) -> Iterator[tuple[TalkWindow, Array]]:
        """The windows of a run of talk with the states of their own tokens, (tokens, 384)."""
        for window in self._cutter.cut(text, speaker, before):
            yield window, self._states(window)

    @property
    def heads(self) -> Mapping[str, Array]:
        """The heads' weights and biases by name, such as `bio.weight` (384, 3)."""
        return self._encoder.heads

    def assess(
        self, text: str, speaker: str, before: str, spans: Sequence[tuple[int, int]]
    ) -> list[SpanReading | None]:
        """What the reader makes of given spans of a text; None where a span holds no words."""
        found: list[SpanReading | None] = [None] * len(spans)
        for place, window, states, (first, last) in self._placed(text, speaker, before, spans):
            found[place] = self._reading(window, states, first, last)
        return found

    def means(
        self, text: str, speaker: str, before: str, spans: Sequence[tuple[int, int]]
    ) -> NDArray[np.float32]:
        """The mean state of each of the given spans, (spans, 384); zeros where a span holds no words."""
        found = np.zeros((len(spans), self._encoder.heads["bio.weight"].shape[0]), np.float32)
        for place, _, states, (first, last) in self._placed(text, speaker, before, spans):
            found[place] = states[first : last + 1].mean(axis=0)
        return found

    def _placed(
        self, text: str, speaker: str, before: str, spans: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, TalkWindow, Array, tuple[int, int]]]:
        """Each span that holds words, by its place: the first window that has some of them, that window's
        states, and the span's first and last token there."""
        sought = dict(enumerate(spans))
        for window in self._cutter.cut(text, speaker, before):
            within = {place: held for place, span in sought.items() if (held := window.tokens_of(*span))}
            if within:
                sought = {place: span for place, span in sought.items() if place not in within}
                states = self._states(window)
                for place, tokens in within.items():
                    yield place, window, states, tokens

    def _wider(
        self, window: TalkWindow, states: Array, reading: SpanReading, homes: Sentences
    ) -> Iterator[SpanReading]:
        """What the reader makes of the stretches around a span that are within its window."""
        start, end = reading.start, reading.end
        for stretch in _stretches(start, end, homes):
            tokens = window.tokens_of(*stretch)
            if (
                tokens
                and window.offsets[tokens[0]][0] <= stretch[0]
                and stretch[1] <= window.offsets[tokens[1]][1]
            ):
                yield replace(self._reading(window, states, *tokens), start=stretch[0], end=stretch[1])

    def _states(self, window: TalkWindow) -> Array:
        return _own(window, self._encoder.hidden(window.ids))

    def _reading(self, window: TalkWindow, states: Array, first: int, last: int) -> SpanReading:
        own = states[first : last + 1]
        span = described(own)
        spare = self._spare(window.offsets[first : last + 1], own) if last - first >= MAX_WORDS else ()
        logits = (span @ self._of_spans + self._biases).tolist()
        chances = {name: _softmax(logits[begin:end]) for name, (begin, end) in _PLACES.items()}
        worth = (
            float(self._encoder.head("good", span[: own.shape[1]])[0]) if "good.weight" in self.heads else 0.0
        )
        begin, end = window.offsets[first][0], window.offsets[last][1]
        return SpanReading(begin, end, chances, worth, spare=spare, unit=chances.pop("unit")[1])

    def _spare(self, offsets: Sequence[tuple[int, int]], states: Array) -> tuple[tuple[int, int], ...]:
        """Runs of tokens that the head `kept` would drop."""
        logits = self._encoder.head("kept", states)
        runs: list[tuple[int, int]] = []
        for (start, end), (dropped, kept) in zip(offsets, logits, strict=True):
            if dropped <= kept:
                continue
            if runs and start - runs[-1][1] <= 1:
                runs[-1] = (runs[-1][0], end)
            else:
                runs.append((start, end))
        return tuple(runs)


def _softmax(logits: Sequence[float]) -> tuple[float, ...]:
    most = max(logits)
    powers = [math.exp(one - most) for one in logits]
    total = sum(powers)
    return tuple(power / total for power in powers)


def described(states: Array) -> Array:
    """A span as its heads are given it, (3 x 384,): the mean of its tokens' states, the first one's, the last
    one's."""
    return np.concatenate([states.mean(axis=0), states[0], states[-1]])


def _own(window: TalkWindow, hidden: Array) -> Array:
    """The states of a window's own tokens, of those of all."""
    return hidden[window.own : window.own + len(window.offsets)]


def _stretches(start: int, end: int, homes: Sentences) -> list[tuple[int, int]]:
    """What stands around a span by its sentences, shortest first; nothing that is the span itself."""
    held = homes.under(start, end)
    if held is None:
        return []
    first, after = min(homes.starts[held[0]], start), max(homes.ends[held[1]], end)
    found = {(first, end), (start, after), (first, after)}
    return sorted(found - {(start, end)}, key=lambda one: one[1] - one[0])


@contextmanager
def shipped_weights() -> Iterator[Path]:
    """The file of the reader that is shipped, for as long as it is looked at."""
    with as_file(files("extract.reader") / "weights" / WEIGHTS) as path:
        yield path


@lru_cache(maxsize=1)
def load_reader() -> SmallReader:
    """The reader that is shipped; its graph is put together on first use.

    Raises EmbedderMissing where the encoder's weights are not installed.
    """
    with shipped_weights() as path:
        return SmallReader(FineTuned(path))
