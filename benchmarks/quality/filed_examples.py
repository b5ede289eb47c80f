"""How often filing gives a labelled note its own path, by examples that were written in another session.

    python -m benchmarks.quality.filed_examples

Prints a JSON line for each of the two sessions: of its examples, filed by those of the other alone, the share
whose likest leaf is their own, the same by first level alone, with every leaf that they are filed under, and
what is unsorted. Many examples could lie at several paths and are labelled with one: this says how well the
leaves are told apart, and is a lower bound of how well notes are filed.

A third and fourth line are of notes of invented talks (`data/filing-notes.jsonl`, from `data/reading`) for
which one reader wrote down every first level that they would accept: part `tuned` is what filing's
constants were chosen by, part `fresh` less so: two were picked with it in view.

The last two are of 400 notes as a vault has them (`data/filing-paths.jsonl`), drawn with a fixed seed from
the sample and from one person of RealMem, for which two readers wrote down every path that they would accept
(`accepted`, `second`), neither of whom saw the other's word or where the notes lie, `unsorted` among them
where none fits. Nothing was chosen by them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from curation.filing.filer import Filer
from curation.filing.taxonomy import Taxonomy, TaxonomyBranch, read_taxonomy, shipped_examples
from inference import load_embedder
from inference.embedder import Embedder
from schemas.semantic_path import UNSORTED

DATA = Path(__file__).parents[2] / "data"
NOTES = DATA / "filing-notes.jsonl"
PATHS = DATA / "filing-paths.jsonl"


def main() -> None:
    """File the examples of each session by those of the other; count."""
    embedder = load_embedder()
    sessions = shipped_examples()
    for taught, held in (sessions, sessions[::-1]):
        filer = Filer(_taught(taught), embedder)
        notes = [(path, note) for path, own in held.items() for note in own]
        vectors = embedder.embed([note for _, note in notes])
        filed = [[one.path for one in filer.file(vector)] for vector in vectors]
        firsts = [{first_of(path) for path in paths} for paths in filed]
        count = len(notes)
        pairs = list(zip(notes, filed, firsts, strict=True))
        figures = {
            "examples": count,
            "likest leaf": sum(paths[0] == path for (path, _), paths, _ in pairs) / count,
            "likest first level": sum(p[0].split(".")[0] == path.split(".")[0] for (path, _), p, _ in pairs)
            / count,
            "any leaf": sum(path in paths for (path, _), paths, _ in pairs) / count,
            "any first level": sum(first_of(path) in first for (path, _), _, first in pairs) / count,
            "leaves a note": sum(map(len, filed)) / count,
            "unsorted": sum(paths == ["unsorted"] for paths in filed) / count,
        }
        print(json.dumps({name: round(value, 3) for name, value in figures.items()}))
    filer = Filer(read_taxonomy(None), embedder)
    file_notes(filer, embedder)
    file_by_path(filer, embedder)


def _by_the_second(filed: Sequence[str], accepted: Sequence[Sequence[str]]) -> dict[str, float]:
    """The same shares, of the notes that are filed, by the second reader."""
    pairs = [(path, own) for path, own in zip(filed, accepted, strict=True) if path != UNSORTED]
    first = sum(first_of(path) in map(first_of, own) for path, own in pairs)
    second = sum(path in own for path, own in pairs)
    return {
        "first level, by the second reader": first / len(pairs),
        "second level, by the second reader": second / len(pairs),
    }


def file_by_path(filer: Filer, embedder: Embedder) -> None:
    """File notes for which two levels are known, and print how many of their likest paths were accepted."""
    notes = [json.loads(line) for line in PATHS.read_text(encoding="utf-8").splitlines()]
    for part in dict.fromkeys(one["part"] for one in notes):
        own = [one for one in notes if one["part"] == part]
        vectors = embedder.embed([one["note"] for one in own])
        titles = embedder.embed([one["title"] for one in own])
        filed = [filer.file(*both)[0].path for both in zip(vectors, titles, strict=True)]
        pairs = [(path, one["accepted"]) for path, one in zip(filed, own, strict=True)]
        sorted_in = [(path, accepted) for path, accepted in pairs if path != UNSORTED]
        first = sum(first_of(path) in map(first_of, accepted) for path, accepted in sorted_in)
        second = sum(path in accepted for path, accepted in sorted_in)
        rightly = sum(UNSORTED in accepted for path, accepted in pairs if path == UNSORTED)
        figures = {
            "first level, of those that are filed": first / len(sorted_in),
            "second level, of those that are filed": second / len(sorted_in),
            "first level, of all": first / len(own),
            "second level, of all": second / len(own),
            "unsorted": 1 - len(sorted_in) / len(own),
            "rightly unsorted": rightly / len(own),
            **_by_the_second(filed, [one["second"] for one in own]),
        }
        said = {name: round(value, 3) for name, value in figures.items()}
        print(json.dumps({"part": part, "notes": len(own), "accepted": said}))


def file_notes(filer: Filer, embedder: Embedder) -> None:
    """File notes as a vault has them, each with the title of its talk, and print what was accepted."""
    notes = [json.loads(line) for line in NOTES.read_text(encoding="utf-8").splitlines()]
    for part in ("tuned", "fresh"):
        own = [one for one in notes if one["part"] == part]
        vectors = embedder.embed([one["note"] for one in own])
        titles = embedder.embed([one["title"] for one in own])
        filed = [filer.file(*both)[0].path for both in zip(vectors, titles, strict=True)]
        sorted_in = [(path, one) for path, one in zip(filed, own, strict=True) if path != UNSORTED]
        accepted = sum(first_of(path) in one["accepted"] for path, one in sorted_in)
        figures = {
            "of all": accepted / len(own),
            "of those that are filed": accepted / len(sorted_in),
            "unsorted": 1 - len(sorted_in) / len(own),
        }
        said = {name: round(value, 3) for name, value in figures.items()}
        print(json.dumps({"part": part, "notes": len(own), "first level accepted": said}))


def first_of(path: str) -> str:
    """The first level of a path."""
    return path.partition(".")[0]


def _taught(examples: dict[str, tuple[str, ...]]) -> Taxonomy:
    """The taxonomy that comes with mnemic, with these examples alone."""

    def given(path: str, branch: TaxonomyBranch) -> TaxonomyBranch:
        below = {name: given(f"{path}.{name}", one) for name, one in branch.below.items()}
        return branch.model_copy(update={"below": below, "examples": examples.get(path, ())})

    shipped = read_taxonomy(None)
    return Taxonomy(paths={name: given(name, one) for name, one in shipped.paths.items()})


if __name__ == "__main__":
    main()
