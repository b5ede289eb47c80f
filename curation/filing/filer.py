"""Filing: which paths of the taxonomy a note belongs to, by the labelled notes that it is like.

A note is compared together with the title of its conversation: "Only two more weeks" says nothing of itself
under "Notice to the landlord". Of every leaf there are labelled notes, its description among them. Two
readings of them are added up. Least squares with a penalty (ridge regression, in closed form: nothing is
drawn by chance) find for each leaf the weights by which a vector tells its own examples (1) from all others
(0); and the nearest examples vote for their leaves, the nearer the more. What a note comes to by them is
its likeness to the leaf. The likest leaf takes the note where that reaches a bound, and so do the next ones
that are hardly less like; a note that is like none is unsorted. One note is filed at a time: where it comes
to lie does not depend on what is filed beside it.

Text that the embedder cannot read is like itself, whatever it says: without examples of it a Norwegian note
came to lie among notes on languages. Such examples (`Taxonomy.unread`) are one more leaf for both readings,
at which nothing is filed.

`python -m benchmarks.quality.filed_examples` says how often examples of one writing session are filed right
by those of the other, and docs/paths.md how often notes of invented talks are.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from curation.filing.taxonomy import Taxonomy
from inference.embedder import Embedder
from inference.weights import cache_folder
from schemas.base import sha256_text
from schemas.semantic_path import MAX_LEVELS, MAX_PATHS, UNSORTED, name_of

FILING_VERSION = "4"
"""Raise it whenever a note can come to lie elsewhere, or others are filed than before."""
PENALTY = 3.0
"""Of the least squares; between 2 and 5 hardly anything changes."""
TITLE_SHARE = 0.6
"""Of the title's vector, beside the note's own; between .5 and .75 hardly anything changes."""
NEIGHBOURS = 30
"""Examples that vote."""
VOTES = 0.5
"""What all the votes together count."""
NEARNESS = 0.05
"""Cosine by which a neighbour has to be further away for its vote to count 1/e of another's."""
BOUND = 0.3
"""Likeness below which a note is unsorted. Of 210 notes of invented talks .22 are, and a reader accepted the
first level of .89 of the others (docs/paths.md)."""
BESIDE = 0.1
"""A second or third path is hardly less like than the first: by so much at most."""
NO_TOPIC = "untitled"
_DIGITS = 4
"""Likenesses are compared to so many places: what lies further is arithmetic, not meaning."""

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Filed:
    """A path that a note belongs to, without its topic, and how like the note is to it: about 0 to 1."""

    path: str
    likeness: float


class Filer:
    """A taxonomy with the vectors of its examples."""

    def __init__(self, taxonomy: Taxonomy, embedder: Embedder) -> None:
        leaves = list(taxonomy.leaves())
        texts = [[branch.about, *branch.examples] for _, branch in leaves]
        texts += [list(taxonomy.unread)] if taxonomy.unread else []
        counts = [len(own) for own in texts]
        self._paths = [path for path, _ in leaves]
        self._owner = np.repeat(np.arange(len(texts)), counts)
        self._examples = _vectors_of([text for own in texts for text in own], embedder).astype(np.float64)
        self._weights = _fitted(self._examples, counts)

    def file(self, vector: Vectors, title: Vectors | None = None) -> list[Filed]:
        """The one to three leaves that a note of this vector (384 floats, unit length) belongs to, the likest
        first; `unsorted` where it is like none. `title`: the vector of its conversation's title."""
        likeness = np.round(self.likenesses(vector, title), _DIGITS).tolist()
        leaves = likeness[: len(self._paths)]
        ranked = sorted(zip(leaves, self._paths, strict=True), key=lambda one: (-one[0], one[1]))
        best = ranked[0][0]
        if best < BOUND:
            return [Filed(UNSORTED, best)]
        least = max(BOUND, best - BESIDE)
        return [Filed(path, score) for score, path in ranked[:MAX_PATHS] if score >= least]

    def likenesses(self, vector: Vectors, title: Vectors | None = None) -> npt.NDArray[np.float64]:
        """How like a note is to each leaf, in the order of the taxonomy; last to what cannot be read, where
        the taxonomy has examples of it."""
        told = vector.astype(np.float64) if title is None else vector + TITLE_SHARE * title.astype(np.float64)
        told /= np.linalg.norm(told) or 1.0
        near = self._examples @ told
        nearest = np.argsort(-near, kind="stable")[:NEIGHBOURS]
        weight = np.exp((near[nearest] - near[nearest[0]]) / NEARNESS)
        votes = np.bincount(self._owner[nearest], weight / weight.sum(), self._weights.shape[1])
        scores: npt.NDArray[np.float64] = self._weights[:-1].T @ told + self._weights[-1] + VOTES * votes
        return scores


def _fitted(vectors: npt.NDArray[np.float64], counts: Sequence[int]) -> npt.NDArray[np.float64]:
    """Weights, (dimension + 1, leaves), the last row being what is added; every leaf counts the same, however
    many of the rows (in the order of the leaves, `counts` of each) are its own."""
    rows = np.hstack([vectors, np.ones((len(vectors), 1))])
    owner = np.repeat(np.arange(len(counts)), counts)
    weighted = rows * (np.mean(counts) / np.asarray(counts))[owner][:, None]
    squares = weighted.T @ rows + PENALTY * np.eye(rows.shape[1])
    fitted: npt.NDArray[np.float64] = np.linalg.solve(squares, weighted.T @ np.eye(len(counts))[owner])
    return fitted


def version_of(taxonomy: Taxonomy, embedder: Embedder) -> str:
    """What filing depends on; notes that were filed under another version are filed again."""
    weights = embedder.binding.weights_hash[:12]
    return f"{FILING_VERSION}/{taxonomy.digest}/{weights}"


_LAST: dict[str, Filer] = {}
"""The filer that was made last, by its version: one process often builds several generations."""


def filer_for(taxonomy: Taxonomy, embedder: Embedder) -> Filer:
    """The filer of that taxonomy and embedder; made anew (0.1 s) only where it is not the last one's."""
    version = version_of(taxonomy, embedder)
    if version not in _LAST:
        made = Filer(taxonomy, embedder)
        _LAST.clear()
        _LAST[version] = made
    return _LAST[version]


def with_topic(path: str, topic: str | None) -> str:
    """The path that a note is put at: below a leaf of one or two levels, its conversation's topic.

    A conversation without a title leaves the path as it is.
    """
    name = name_of(topic or "")
    if path == UNSORTED:
        return f"{path}.{name or NO_TOPIC}"
    return f"{path}.{name}" if name and path.count(".") + 1 < MAX_LEVELS else path


def _vectors_of(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """The texts' vectors, (len(texts), dimension): embedded once on a machine, then read from its cache."""
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
    except (OSError, ValueError, EOFError, KeyError, BadZipFile):
        return None
    return np.asarray(found, np.float32) if found.shape == shape else None


def _keep(path: Path, vectors: Vectors) -> None:
    """A cache that cannot be written to costs the time of embedding again."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.stem}.{os.getpid()}.npz")
        np.savez(temporary, vectors=vectors)
        temporary.replace(path)
