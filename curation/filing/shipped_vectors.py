"""Vectors of what filing compares notes with, made once and shipped: embedding it took a new machine half a
minute before its first note was filed.

    python -m curation.filing.shipped_vectors        # write data/taxonomy-vectors.npz anew

The file has, for the weights it names, a row a text: the first eight bytes of its SHA-256, and its vector in
steps of 1/127 of its largest number (a cosine is off by less than .001). What it lacks, as an owner's own
examples, is embedded and kept in the machine's cache.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from curation.filing.labelled_notes import labelled_notes
from curation.filing.shipped_data import shipped_file
from curation.filing.taxonomy import read_taxonomy
from inference import load_embedder
from inference.embedder import Embedder
from inference.weights import cache_folder
from schemas.base import sha256_text

VECTORS_FILE = "taxonomy-vectors.npz"
_STEPS = 127
_UNREADABLE = (OSError, ValueError, EOFError, KeyError, BadZipFile, zlib.error)
"""What comes of a damaged archive of arrays."""

Vectors = npt.NDArray[np.float32]


def vectors_of(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """The texts' vectors, (len(texts), dimension), unit length."""
    known = _shipped(embedder.binding.weights_hash)
    keys = [_key(text) for text in texts]
    lacking = list(dict.fromkeys(text for text, key in zip(texts, keys, strict=True) if key not in known))
    if lacking:
        known = known | dict(zip(map(_key, lacking), _embedded(lacking, embedder), strict=True))
    return np.array([known[key] for key in keys], np.float32).reshape(len(texts), embedder.dimension)


def shipped_texts() -> Iterator[str]:
    """Every text that the file has a vector of."""
    taxonomy = read_taxonomy(None)
    for _, branch in taxonomy.leaves():
        yield from (branch.about, *branch.examples)
    yield from taxonomy.unread
    notes = labelled_notes()
    yield from chain.from_iterable((note.text, note.title, note.opening) for note in notes)


@lru_cache(maxsize=1)
def _shipped(weights_hash: str) -> dict[int, Vectors]:
    """Vectors by `_key`; none, so that all is embedded, where they are of other weights or damaged."""
    try:
        with np.load(shipped_file(VECTORS_FILE), allow_pickle=False) as archive:
            if str(archive["weights"]) != weights_hash:
                return {}
            steps, keys = archive["steps"].astype(np.float32), archive["keys"]
    except _UNREADABLE:
        return {}
    vectors = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    return dict(zip(keys.tolist(), vectors, strict=True))


def _key(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def _embedded(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """The texts' vectors: embedded once on a machine, then read from its cache."""
    binding = embedder.binding
    name = sha256_text("\n".join([binding.weights_hash, str(binding.graph_version), *texts]))[:24]
    path = cache_folder() / f"taxonomy-{name}.npz"
    known = _cached(path, (len(texts), embedder.dimension))
    if known is not None:
        return known
    vectors = embedder.embed(texts)
    _keep(path, vectors)
    return vectors


def _cached(path: Path, shape: tuple[int, int]) -> Vectors | None:
    """What `_keep` wrote; None where there is nothing, or not what was written: a zip has sums of its
    parts."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            found = archive["vectors"]
    except _UNREADABLE:
        return None
    return np.asarray(found, np.float32) if found.shape == shape else None


def _keep(path: Path, vectors: Vectors) -> None:
    """A cache that cannot be written to costs the time of embedding again."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.stem}.{os.getpid()}.npz")
        np.savez(temporary, vectors=vectors)
        temporary.replace(path)


def main() -> None:
    """Write the file."""
    embedder = load_embedder()
    texts = sorted(set(shipped_texts()))
    vectors = embedder.embed(texts)
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    np.savez_compressed(
        Path("data") / VECTORS_FILE,
        weights=np.array(embedder.binding.weights_hash),
        keys=np.array([_key(text) for text in texts], np.uint64),
        steps=np.round(vectors / largest * _STEPS).astype(np.int8),
    )
    sys.stdout.write(f"{len(texts)} texts\n")


if __name__ == "__main__":
    main()
