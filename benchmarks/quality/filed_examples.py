"""How often filing gives a labelled note its own path, each being left out of the fit in turn.

    python -m benchmarks.quality.filed_examples

Prints one JSON line: the share of the examples that come with mnemic whose likest leaf is their own, the same
by first level alone and with every leaf that they are filed under, the leaves a note, and what is unsorted.
The examples are mnemic's own: this says how well the leaves are told apart, not how well other notes are
filed.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from curation.filing.filer import BESIDE, BOUND, PENALTY
from curation.filing.taxonomy import read_taxonomy
from inference import load_embedder
from schemas.semantic_path import MAX_PATHS


def main() -> None:
    """Embed the examples, leave each out in turn, count."""
    leaves = list(read_taxonomy(Path("no vault has this taxonomy")).leaves())
    texts = [text for _, leaf in leaves for text in (leaf.about, *leaf.examples)]
    owner = np.repeat(np.arange(len(leaves)), [1 + len(leaf.examples) for _, leaf in leaves])
    vectors = load_embedder().embed(texts).astype(np.float64)
    rows = np.hstack([vectors, np.ones((len(vectors), 1))])
    labels = np.eye(len(leaves))[owner]
    hat = rows @ np.linalg.solve(rows.T @ rows + PENALTY * np.eye(rows.shape[1]), rows.T)
    own = np.diag(hat)[:, None]
    left_out = (hat @ labels - own * labels) / (1 - own)  # what a fit without the row gives it
    firsts = np.array([path.split(".")[0] for path, _ in leaves])
    order = np.argsort(-left_out, axis=1, kind="stable")[:, :MAX_PATHS]
    scores = np.take_along_axis(left_out, order, axis=1)
    filed = (scores >= np.maximum(BOUND, scores[:, :1] - BESIDE)) & (scores[:, :1] >= BOUND)
    same, same_first = order == owner[:, None], firsts[order] == firsts[owner][:, None]
    figures = {
        "examples": len(texts),
        "leaves": len(leaves),
        "likest leaf": same[:, 0].mean(),
        "likest first level": same_first[:, 0].mean(),
        "any leaf": (same & filed).any(axis=1).mean(),
        "any first level": (same_first & filed).any(axis=1).mean(),
        "leaves a note": filed.sum(axis=1).mean(),
        "unsorted": (~filed.any(axis=1)).mean(),
    }
    print(json.dumps({name: round(float(value), 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
