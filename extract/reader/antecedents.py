"""What a span takes up: the words said before it that it needs to be understood by itself.

"Not slates." says nothing without "roof". A head points from the span to the words before it: where these
are sure enough, the note is told behind them ("Roof: not slates.").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunking.stop_words import STOP_WORDS
from extract.reader.talk_windows import TalkWindow, Word

Array = NDArray[np.float32]

_LIT = 0.12
"""Share of what is pointed at from which on a word is part of what is taken up."""
_JOINTS = " -’'&/"
"""What may stand between two words of one name."""
_PARTICLES = frozenset(f" {word} " for word in ("of", "de", "du", "des", "von", "del", "di", "van"))
"""Words that stand within a name."""


@dataclass(frozen=True, slots=True)
class TakenUp:
    """Words said before a span. `start` and `end` are code points of `text`: the text that was read, where
    `own`, else what was said before it."""

    text: str
    start: int
    end: int
    own: bool
    chance: float
    """That a careful annotator puts these words into the note, 0-1."""

    @property
    def words(self) -> str:
        """The words as they were said."""
        return self.text[self.start : self.end]


def base_of(word: str) -> str:
    """A word as it is compared: in small letters, without a plural's s."""
    low = word.lower()
    return low[:-1] if len(low) > 3 and low.endswith("s") else low


class Pointer:
    """Points from spans of one window. `hidden` holds the states of all its tokens, (tokens, 384);
    `heads` the weights and biases of `asks` (3 x 384, 64), `answers` (384, 64) and `nothing` (3 x 384, 1)."""

    def __init__(self, window: TalkWindow, hidden: Array, heads: Mapping[str, Array]) -> None:
        placed = list(window.words_before(len(window.offsets)))
        bases: dict[Word, str] = {}
        for _, word in placed:
            if word not in bases:
                base = base_of(word.said)
                bases[word] = "" if len(base) < 2 or base in STOP_WORDS else base
        self._words = [(word, bases[word]) for _, word in placed]
        self._earlier = len(placed) - len(window.offsets)
        states = hidden[[place for place, _ in placed]]
        self._answers = states @ heads["answers.weight"] + heads["answers.bias"]
        self._heads = heads

    def taken_up(self, first: int, span: Array) -> TakenUp | None:
        """What a span takes up that begins with the window's own token `first` and is `described` by `span`;
        None where nothing before it is pointed at."""
        heads, count = self._heads, self._earlier + first
        asked = span @ heads["asks.weight"] + heads["asks.bias"]
        nothing = span @ heads["nothing.weight"] + heads["nothing.bias"]
        logits = np.concatenate([self._answers[:count] @ asked / np.sqrt(len(asked)), nothing])
        powers = np.exp(logits - logits.max())
        return _phrase(self._words[:count], powers[:-1] / powers.sum())


def _phrase(words: Sequence[tuple[Word, str]], chances: Array) -> TakenUp | None:
    """The run of words that has most of what is pointed at, wherever else the same words stand. A word comes
    with its base, "" for one of no meaning, once for each of its tokens."""
    shares: dict[str, float] = {}
    for (_, base), chance in zip(words, chances, strict=True):
        if base:
            shares[base] = shares.get(base, 0.0) + float(chance)
    least = _LIT * sum(shares.values())
    best: TakenUp | None = None
    lit = {word: base for word, base in words if base and shares[base] >= least}
    for run in _runs(list(lit)):
        share = sum(shares[base] for base in {lit[word] for word in run})
        if best is None or share >= best.chance:
            start, end = run[0].start, run[-1].end
            best = TakenUp(run[0].text, start, end, run[0].own, round(share, 4))
    return best


def _runs(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Words that stand together in one text, particles of a name between them left in."""
    run: list[Word] = []
    for word in words:
        if run and not (word.own == run[-1].own and _joined(word.text[run[-1].end : word.start])):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _joined(between: str) -> bool:
    """Whether what stands between two words keeps them one name."""
    return (between.strip(_JOINTS) == "" and len(between) <= 2) or between.lower() in _PARTICLES
