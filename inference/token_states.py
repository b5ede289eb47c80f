"""What the embedder makes of each token in its place: its last layer, before the mean of a text.

Of the installed weights as they are; `inference.finetuned` has those of encoders whose layers were changed.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from inference.finetuned import opened_graph
from inference.minilm import open_tokenizer
from inference.minilm_graph import LAYERS
from inference.runtime import onnxruntime
from inference.weights import find_weights

_KEPT = 256
"""Texts whose states are kept: some 60 KB each, for questions that come again on the same matter."""


class TokensInPlace(NamedTuple):
    """The tokens of a text."""

    ids: tuple[int, ...]
    """In the tokenizer's vocabulary, without the two that frame every text."""
    states: npt.NDArray[np.float32]
    """(tokens, 384), each of unit length."""


@lru_cache(maxsize=_KEPT)
def tokens_in_place(text: str, most: int) -> TokensInPlace:
    """The first tokens of a text, with their states; computed alone, so that nothing beside it changes them.

    `most` counts the two framing tokens; 512 at most. Raises MachineError where the weights are missing,
    OSError where the graph cannot be kept.
    """
    ids = _tokenizer().encode(text).ids[:most]
    (states,) = _session().run(["states"], {"ids": np.array([ids], np.int32)})
    own = np.asarray(states[0][1:-1], np.float32)
    return TokensInPlace(tuple(ids[1:-1]), own / np.linalg.norm(own, axis=1, keepdims=True))


@cache
def _tokenizer() -> Tokenizer:
    return open_tokenizer(find_weights())


@cache
def _session() -> onnxruntime.InferenceSession:
    return opened_graph("states", {}, LAYERS)
