"""What an embedder is. Everything that needs vectors takes one of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from schemas.generation import EmbedderBinding

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Embedder(Protocol):
    """Turns texts into unit-length vectors whose dot product is the cosine similarity."""

    @property
    def binding(self) -> EmbedderBinding:
        """What ties the vectors to this model; an index made under another binding must not be searched."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that reach the vector; the rest does not count. Callers cut longer texts first."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row a text, in the order given: shape `(len(texts), dimension)`, float32, unit length."""
        ...

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """The vector of one question: shape `(dimension,)`, float32, unit length.

        It may be less precise than a stored text's.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of the whole text by this model's tokenizer, its two markers included."""
        ...
