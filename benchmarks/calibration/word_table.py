"""Writes `retrieval/data/words.npz`: what the fit-gate knows of single words.

    python benchmarks/calibration/word_table.py [retrieval/data/words.npz]

Each whole word of the embedder's vocabulary is embedded alone, the mean word is taken away, the 128
directions in which words differ most are kept (principal components), and each row is brought to unit length
and stored in steps of 1/127 of the largest component. Takes about a minute.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from inference.minilm import load_minilm
from inference.sparse import encode_query

DIMENSION = 128


def main(target: Path) -> None:
    """Embed, reduce, store."""
    embedder = load_minilm()
    vocabulary = sorted(embedder.vocabulary())
    words = [one for one in vocabulary if one.isalpha() and len(one) > 1 and encode_query(one).indices]
    vectors = embedder.embed(words)
    vectors -= vectors.mean(axis=0)
    directions, *_ = np.linalg.svd(vectors.T @ vectors)
    reduced = vectors @ directions[:, :DIMENSION]
    reduced /= np.linalg.norm(reduced, axis=1, keepdims=True)
    steps = np.round(reduced / np.abs(reduced).max() * 127).astype(np.int8)
    np.savez_compressed(target, words=np.frombuffer("\n".join(words).encode(), np.uint8), vectors=steps)
    print(f"{len(words)} words, {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "retrieval/data/words.npz"))
