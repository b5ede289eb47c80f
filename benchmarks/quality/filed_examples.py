"""How often filing gives a note a path that a reader accepts.

    python -m benchmarks.quality.filed_examples

Prints JSON lines. The first are of the labelled notes that come with mnemic (`data/taxonomy-notes.jsonl`):
those of each hand that wrote talks, filed by the examples and by the notes of all other hands, then all of
them together, with and without the notes of others, and what a bound other than the one that holds would
make of it. Filing's constants were chosen by these.

The last two are of 400 notes as a vault has them (`data/filing-paths.jsonl`), drawn with a fixed seed from
the sample and from one person of RealMem, for which two readers wrote down every path that they would accept
(`accepted`, `second`), neither of whom saw the other's word or where the notes lie, `unsorted` among them
where none fits. Nothing was fitted to them (docs/paths.md has how the bound was lowered once).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from curation.filing.filer import BOUND, Filed, Filer, in_its_place
from curation.filing.labelled_notes import LabelledNote, labelled_notes
from curation.filing.shipped_vectors import vectors_of
from curation.filing.taxonomy import read_taxonomy
from inference import load_embedder
from inference.embedder import Embedder
from schemas.semantic_path import UNSORTED

PATHS = Path(__file__).parents[2] / "data" / "filing-paths.jsonl"
BOUNDS = (0.3, 0.35, 0.4, 0.45)


def main() -> None:
    """File the notes of each hand by those of the others, then the judged ones by all; count."""
    embedder = load_embedder()
    notes = labelled_notes()
    likest: list[tuple[LabelledNote, Filed]] = []
    for source in dict.fromkeys(one.source for one in notes):
        own = [one for one in notes if one.source == source]
        filer = Filer(read_taxonomy(None), embedder, [one for one in notes if one.source != source])
        filed = list(zip(own, file_all(filer, own, embedder), strict=True))
        print(json.dumps({"hand": source, **counted(filed, BOUND)}))
        likest += filed
    for bound in BOUNDS:
        print(json.dumps({"bound": bound, **counted(likest, bound)}))
    alone = Filer(read_taxonomy(None), embedder, [])
    bare = [
        (one, ranked[0])
        for one, ranked in zip(
            notes,
            alone.ranked([in_its_place(vector) for vector in vectors_of([n.text for n in notes], embedder)]),
            strict=True,
        )
    ]
    print(json.dumps({"by the examples alone, without their place": len(notes), **counted(bare, BOUND)}))
    file_by_path(Filer(read_taxonomy(None), embedder), embedder)


def file_all(filer: Filer, notes: Sequence[LabelledNote], embedder: Embedder) -> list[Filed]:
    """The likest leaf of each, whatever the bound."""
    texts = ([one.text for one in notes], [one.title for one in notes], [one.opening for one in notes])
    vectors = [vectors_of(own, embedder) for own in texts]
    return [ranked[0] for ranked in filer.ranked([in_its_place(*one) for one in zip(*vectors, strict=True)])]


def counted(filed: Sequence[tuple[LabelledNote, Filed]], bound: float) -> dict[str, float]:
    """Shares of the notes that reach the bound whose leaf, or its first level, their reader accepts."""
    placed = [(one.paths, found.path) for one, found in filed if found.likeness >= bound]
    figures = {
        "notes": len(filed),
        "first level": sum(first_of(path) in map(first_of, paths) for paths, path in placed) / len(placed),
        "second level": sum(path in paths for paths, path in placed) / len(placed),
        "unsorted": 1 - len(placed) / len(filed),
    }
    return {name: round(value, 3) for name, value in figures.items()}


def file_by_path(filer: Filer, embedder: Embedder) -> None:
    """File notes for which two levels are known, and print how many of their likest paths were accepted."""
    notes = [json.loads(line) for line in PATHS.read_text(encoding="utf-8").splitlines()]
    for part in dict.fromkeys(one["part"] for one in notes):
        own = [one for one in notes if one["part"] == part]
        vectors = [embedder.embed([one[name] for one in own]) for name in ("note", "title", "opening")]
        filed = [filer.file(*three)[0].path for three in zip(*vectors, strict=True)]
        sorted_in = [(path, one) for path, one in zip(filed, own, strict=True) if path != UNSORTED]
        figures: dict[str, float] = {}
        for reader, key in (("first reader", "accepted"), ("second reader", "second")):
            first = sum(first_of(path) in map(first_of, one[key]) for path, one in sorted_in)
            second = sum(path in one[key] for path, one in sorted_in)
            figures[f"first level, {reader}"] = first / len(sorted_in)
            figures[f"second level, {reader}"] = second / len(sorted_in)
        unsorted = [one for path, one in zip(filed, own, strict=True) if path == UNSORTED]
        figures["unsorted"] = len(unsorted) / len(own)
        figures["rightly unsorted"] = sum(UNSORTED in one["accepted"] for one in unsorted) / len(own)
        told = {name: round(value, 3) for name, value in figures.items()}
        print(json.dumps({"part": part, "notes": len(own), "of those filed, accepted": told}))


def first_of(path: str) -> str:
    """The first level of a path."""
    return path.partition(".")[0]


if __name__ == "__main__":
    main()
