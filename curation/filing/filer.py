"""Filing: which paths of the taxonomy a note belongs to, by the labelled notes that it is like.

A note is compared together with the title of its conversation and what that began with: "Only two more
weeks" says nothing of itself under "Notice to the landlord". Two kinds of labelled text speak for the
leaves: sentences that say by themselves what they are about (the taxonomy's examples, and its descriptions),
and notes of talks in their place (`curation.filing.labelled_notes`). Two readings of them are added up.
Least squares with a penalty (ridge regression, in closed form: nothing is drawn by chance) find for each leaf
the weights by which a vector tells what belongs to it (1) from all else (0); and the nearest labelled texts
vote for their leaves, the nearer the more. What a note comes to by them is its likeness to the leaf. The
likest leaf takes the note where that reaches a bound, and so do the next ones that are hardly less like; a
note that is like none is unsorted. Many notes are read together, and what they are compared by is rounded to
what no sum's order changes: where a note comes to lie does not depend on what is filed beside it.

Text that the embedder cannot read is like itself, whatever it says: without examples of it a Norwegian note
came to lie among notes on languages. Such examples (`Taxonomy.unread`) are one more leaf for both readings,
at which nothing is filed.

`python -m benchmarks.quality.filed_examples` says how often notes of one hand's talks are filed right by
those of the others, and docs/paths.md what constants were chosen by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.filing.labelled_notes import LabelledNote, labelled_notes
from curation.filing.shipped_vectors import Vectors, vectors_of
from curation.filing.taxonomy import Taxonomy
from inference.embedder import Embedder
from schemas.semantic_path import MAX_LEVELS, MAX_PATHS, UNSORTED, name_of, unsorted_path

FILING_VERSION = "5"
"""Raise it whenever a note can come to lie elsewhere, or others are filed than before."""
PENALTY = 3.0
"""Of the least squares; between 1 and 8 hardly anything changes."""
TITLE_SHARE = OPENING_SHARE = 0.6
"""Of the title's vector and of the opening's, beside the note's own; up to 1 hardly anything changes."""
NEIGHBOURS = 30
"""Labelled texts that vote; with 20 or 60 hardly anything changes."""
VOTES = 0.5
"""What all the votes together count."""
NEARNESS = 0.1
"""Cosine by which a neighbour has to be further away for its vote to count 1/e of another's."""
EVENNESS = 0.5
"""By which power of its rarity a leaf's text counts more: 1 would have every leaf count the same, however
few texts it has."""
BOUND = 0.35
"""Likeness below which a note is unsorted. Held out by who wrote the talk, .21 of the labelled notes are, and
of the others .82 lie at a first level that their reader accepts, .76 at a second (docs/paths.md)."""
BESIDE = 0.1
"""A second or third path is hardly less like than the first: by so much at most."""
_UNREAD = ""
"""The leaf of what the embedder cannot read; no path is called so."""
_DIGITS, _NEAR_DIGITS = 4, 6
"""Likenesses and cosines are compared to so many places: what lies further is arithmetic, not meaning."""
READ_AT_ONCE = 256

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Filed:
    """A path that a note belongs to, without its topic, and how like the note is to it: about 0 to 1."""

    path: str
    likeness: float


class Filer:
    """A taxonomy with the vectors of what speaks for its leaves."""

    def __init__(
        self, taxonomy: Taxonomy, embedder: Embedder, notes: Sequence[LabelledNote] | None = None
    ) -> None:
        """`notes`: in place of those that come with mnemic."""
        leaves = list(taxonomy.leaves())
        self._paths = [path for path, _ in leaves]
        sentences = [(text, (path,)) for path, branch in leaves for text in (branch.about, *branch.examples)]
        sentences += [(text, (_UNREAD,)) for text in taxonomy.unread]
        names = [*self._paths, _UNREAD] if taxonomy.unread else self._paths
        columns = {path: place for place, path in enumerate(names)}
        told = [one for one in (labelled_notes() if notes is None else notes) if columns.keys() & one.paths]
        self._texts = np.vstack(
            [vectors_of([text for text, _ in sentences], embedder), _in_their_place(told, embedder)]
        ).astype(np.float64)
        labels = [paths for _, paths in sentences] + [one.paths for one in told]
        belongs = np.zeros((len(labels), len(columns)))
        for row, paths in enumerate(labels):
            belongs[row, [columns[path] for path in paths if path in columns]] = 1.0
        self._weights = _fitted(self._texts, belongs)
        self._votes = belongs / belongs.sum(axis=1, keepdims=True)

    def file(
        self, vector: Vectors, title: Vectors | None = None, opening: Vectors | None = None
    ) -> list[Filed]:
        """The one to three leaves that a note of this vector (384 floats, unit length) belongs to, the likest
        first; `unsorted` where it is like none. `title` and `opening`: the vectors of its conversation's
        title and of what its owner said there first."""
        (found,) = self.file_all([in_its_place(vector, title, opening)])
        return found

    def file_all(self, told: Sequence[Numbers]) -> list[list[Filed]]:
        """The same of several notes, each given as `in_its_place` has it: read together, for speed, and each
        as if it were alone."""
        return [_within_bound(one) for one in self.ranked(told)]

    def ranked(self, told: Sequence[Numbers]) -> list[list[Filed]]:
        """All leaves, the likest first, whatever the bound."""
        found = []
        for start in range(0, len(told), READ_AT_ONCE):
            likeness = self.likenesses(np.array(told[start : start + READ_AT_ONCE]))
            for row in np.round(likeness[:, : len(self._paths)], _DIGITS).tolist():
                filed = map(Filed, self._paths, row)
                found.append(sorted(filed, key=lambda one: (-one.likeness, one.path)))
        return found

    def likenesses(self, told: Numbers) -> Numbers:
        """How like notes, (notes, 384), are to each leaf, (notes, leaves), in the order of the taxonomy; last
        to what cannot be read, where the taxonomy has examples of it."""
        # to so many places: how many notes are read together may change what lies further
        near = np.round(told @ self._texts.T, _NEAR_DIGITS)
        most = min(NEIGHBOURS, len(self._texts))
        # each a number of its own, so that of texts as near as the last of them the earlier ones vote
        steps = np.rint(near * 10**_NEAR_DIGITS).astype(np.int64) * len(self._texts)
        nearest = np.argpartition(np.arange(len(self._texts)) - steps, most - 1, axis=1)[:, :most]
        close = np.take_along_axis(near, nearest, axis=1)
        weight = np.exp((close - close.max(axis=1, keepdims=True)) / NEARNESS)
        weight /= weight.sum(axis=1, keepdims=True)
        votes = np.einsum("nk,nkl->nl", weight, self._votes[nearest])
        return np.asarray(told @ self._weights[:-1] + self._weights[-1] + VOTES * votes)


def in_its_place(vector: Vectors, title: Vectors | None = None, opening: Vectors | None = None) -> Numbers:
    """A note as it is compared, (384,), unit length: with title and opening, where it has them."""
    told = vector.astype(np.float64)
    if title is not None:
        told = told + TITLE_SHARE * title
    if opening is not None:
        told = told + OPENING_SHARE * opening
    return np.asarray(told / (np.linalg.norm(told) or 1.0))


def _within_bound(ranked: Sequence[Filed]) -> list[Filed]:
    best = ranked[0].likeness
    if best < BOUND:
        return [Filed(UNSORTED, best)]
    return [one for one in ranked[:MAX_PATHS] if one.likeness >= max(BOUND, best - BESIDE)]


def _in_their_place(notes: Sequence[LabelledNote], embedder: Embedder) -> Vectors:
    """The notes' vectors as a note is compared: with title and opening."""
    own, titles, openings = (
        vectors_of(texts, embedder)
        for texts in (
            [note.text for note in notes], [note.title for note in notes], [note.opening for note in notes]
        )
    )  # fmt: skip
    told = own + TITLE_SHARE * titles + OPENING_SHARE * openings
    return np.asarray(told / np.linalg.norm(told, axis=1, keepdims=True), np.float32)


def _fitted(vectors: npt.NDArray[np.float64], belongs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Weights, (dimension + 1, leaves), the last row being what is added. `belongs`: (texts, leaves), 1 where
    a text belongs to a leaf."""
    rows = np.hstack([vectors, np.ones((len(vectors), 1))])
    counts = belongs.sum(axis=0)
    rarity = (counts.mean() / np.maximum(counts, 1)) ** EVENNESS
    counted = belongs @ rarity / belongs.sum(axis=1)
    weighted = rows * (counted / counted.mean())[:, None]
    squares = weighted.T @ rows + PENALTY * np.eye(rows.shape[1])
    fitted: npt.NDArray[np.float64] = np.linalg.solve(squares, weighted.T @ belongs)
    return fitted


def version_of(taxonomy: Taxonomy, embedder: Embedder) -> str:
    """What filing depends on; notes that were filed under another version are filed again."""
    weights = embedder.binding.weights_hash[:12]
    return f"{FILING_VERSION}/{taxonomy.digest}/{weights}"


_LAST: dict[str, Filer] = {}
"""The filer that was made last, by its version: one process often builds several generations."""


def filer_for(taxonomy: Taxonomy, embedder: Embedder) -> Filer:
    """The filer of that taxonomy and embedder; made anew (.3 s) only where it is not the last one's."""
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
    if path == UNSORTED:
        return unsorted_path(topic)
    name = name_of(topic or "")
    return f"{path}.{name}" if name and path.count(".") + 1 < MAX_LEVELS else path
