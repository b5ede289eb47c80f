"""The judge of relevance: an encoder that reads a question and a note at once (`docs/reading.md`).

    [CLS] question [SEP] title: note [SEP]

A note's vector is made before anybody asks, so it cannot say whether the note answers this question. The
judge can: a cross-encoder (Nogueira and Cho, 2019) on the embedder's upper layers, fine-tuned on what people
would ask of their old talk, beside the messages that answer it and those that only look like it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np
from tokenizers import Tokenizer

from inference.finetuned import FineTuned

WEIGHTS = "relevance-1.safetensors"

QUESTION_TOKENS, PAIR_TOKENS = 48, 160
"""Read at most: of a question, and of both with their three marks. What is longer loses its end."""

FITS = "fits"
"""The head: one number from the first token's state and the mean of all."""

_OPENING, _SEPARATOR = 101, 102
_MOST_THREADS = 4
"""A pair takes some 20 ms of one core, and a question has fifty."""


def tokens_of(tokenizer: Tokenizer, text: str) -> list[int]:
    """Of a question, or of a note; half a surrogate pair counts as a question mark."""
    said = " ".join(text.split()).encode("utf-8", "replace").decode("utf-8")
    return list(tokenizer.encode(said, add_special_tokens=False).ids)


def pair_ids(asked: Sequence[int], told: Sequence[int]) -> list[int]:
    """The encoder's input for the tokens of a question and of a note."""
    asked = asked[:QUESTION_TOKENS]
    return [_OPENING, *asked, _SEPARATOR, *told[: PAIR_TOKENS - 3 - len(asked)], _SEPARATOR]


class RelevanceJudge:
    """Open weights, as an `inference.cross_encoder.CrossEncoder`; safe to use from several threads."""

    def __init__(self, encoder: FineTuned) -> None:
        self._encoder = encoder
        self.name = f"{encoder.metadata['version']} {encoder.state}"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `CrossEncoder.scores`: the log-odds that a text holds a part of the answer. Each pair is read
        by itself, so a text's score is the same whatever stands beside it.

        The graph is put together on first use: raises MachineError where the weights below it are missing,
        OSError where it cannot be kept.
        """
        self._encoder.open()
        asked = tokens_of(self._encoder.tokenizer, query)
        with ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as readers:
            return list(readers.map(lambda text: self._score(asked, text), texts))

    def _score(self, asked: Sequence[int], text: str) -> float:
        states = self._encoder.hidden(pair_ids(asked, tokens_of(self._encoder.tokenizer, text)))
        return float(self._encoder.head(FITS, np.concatenate([states[0], states.mean(axis=0)]))[0])


@lru_cache(maxsize=1)
def load_relevance_judge() -> RelevanceJudge:
    """The judge that is shipped. Raises MachineError where the weights below it are missing."""
    with as_file(files("retrieval.rank") / "weights" / WEIGHTS) as path:
        return RelevanceJudge(FineTuned(path))
