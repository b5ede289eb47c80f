"""Embeddings, sparse encoding, language models. The submodules import heavy libraries, this does not."""

from __future__ import annotations

from inference.embedder import Embedder
from schemas.telemetry import refuse_telemetry

refuse_telemetry()


def load_embedder(threads: int | None = None) -> Embedder:
    """The default embedder; see `inference.minilm.load_minilm`."""
    from inference.minilm import load_minilm

    return load_minilm(threads)
