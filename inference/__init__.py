"""Embeddings, sparse encoding, language models. The submodules import heavy libraries, this does not."""

from __future__ import annotations

from inference.embedder import Embedder
from schemas.library_settings import settle_libraries

settle_libraries()


def load_embedder(threads: int | None = None) -> Embedder:
    """The default embedder, opened once a process; see `inference.minilm.kept_minilm`."""
    from inference.minilm import kept_minilm

    return kept_minilm(threads)
