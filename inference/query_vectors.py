"""Vectors of questions that were asked before: an embedder in front of the embedder."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING

from inference.embedder import Embedder
from schemas.generation import EmbedderBinding

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_VECTORS = 1_000
"""1.5 KB each."""


class RememberedQueries:
    """An embedder that computes the vector of a single text once. Several threads may share it.

    A vector hangs on the text and the model alone, so no generation makes it wrong. It lives in this process:
    questions are the owner's words, and nothing of them is written down.
    """

    def __init__(self, embedder: Embedder, most: int = MOST_VECTORS) -> None:
        self._embedder, self._most = embedder, most
        self._vectors: OrderedDict[str, npt.NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    @property
    def binding(self) -> EmbedderBinding:
        """See `Embedder.binding`."""
        return self._embedder.binding

    @property
    def dimension(self) -> int:
        """See `Embedder.dimension`."""
        return self._embedder.dimension

    @property
    def max_tokens(self) -> int:
        """See `Embedder.max_tokens`."""
        return self._embedder.max_tokens

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """See `Embedder.embed`: nothing of these is remembered."""
        return self._embedder.embed(texts)

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """See `Embedder.embed_query`; what is remembered must not be changed by whoever gets it."""
        with self._lock:
            if (known := self._vectors.get(text)) is not None:
                self._vectors.move_to_end(text)
                return known
        vector = self._embedder.embed_query(text)
        vector.setflags(write=False)
        with self._lock:
            self._vectors[text] = vector
            while len(self._vectors) > self._most:
                self._vectors.popitem(last=False)
        return vector

    def count_tokens(self, text: str) -> int:
        """See `Embedder.count_tokens`."""
        return self._embedder.count_tokens(text)
