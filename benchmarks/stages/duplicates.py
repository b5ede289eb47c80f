"""Finding notes that say the same: mnemic's normal form beside MinHash (datasketch) and vectors (SemHash).

The notes are those of `benchmarks/speed/sweep_speed.py`: a tenth are another wording of an earlier one.
*wrong* counts pairs of those found whose numbers differ, such as 28 March and 12 March.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import import_module

import numpy as np
import numpy.typing as npt

from benchmarks.speed.sweep_speed import made_notes
from benchmarks.stages import Contenders, Figures, Setting, Work
from curation.pairs.near_duplicates import duplicate_groups
from inference import load_embedder

NOTES = 3_000
THRESHOLD = 0.8
"""Jaccard similarity of 4-grams; at the 0.5 of datasketch's own examples it finds more wrong ones."""


def _figures(pairs: Iterable[tuple[str, str]]) -> Figures:
    found = list(pairs)
    wrong = sum(sorted(re.findall(r"\d+", one)) != sorted(re.findall(r"\d+", other)) for one, other in found)
    return {"pairs": len(found), "wrong": wrong}


def mnemic(_: Setting) -> Work:
    """By normal form."""
    notes = list(made_notes(NOTES))

    def work() -> Figures:
        groups = duplicate_groups(notes)
        return _figures((group[0].text, other.text) for group in groups for other in group[1:])

    return work


def datasketch(_: Setting) -> Work:
    """MinHash LSH of 4-grams, 128 permutations."""
    notes, library = list(made_notes(NOTES)), import_module("datasketch")

    def work() -> Figures:
        index, found = library.MinHashLSH(threshold=THRESHOLD, num_perm=128), []
        texts = {note.id: note.text for note in notes}
        for note in notes:
            sketch, text = library.MinHash(num_perm=128), note.text.casefold()
            sketch.update_batch([text[at : at + 4].encode() for at in range(max(1, len(text) - 3))])
            found += [(texts[other], note.text) for other in index.query(sketch)[:1]]
            index.insert(note.id, sketch)
        return _figures(found)

    return work


class _Encoder:
    """MiniLM as SemHash takes an encoder: its own model would have to be downloaded."""

    def __init__(self) -> None:
        self._embedder = load_embedder()

    def encode(self, inputs: Sequence[str], **_: object) -> npt.NDArray[np.float32]:
        return self._embedder.embed(list(inputs))


def semhash(_: Setting) -> Work:
    """Vectors of MiniLM, SemHash's own threshold."""
    notes, library = list(made_notes(NOTES)), import_module("semhash")

    def work() -> Figures:
        texts = [note.text for note in notes]
        done = library.SemHash.from_records(records=texts, model=_Encoder()).self_deduplicate()
        return _figures((str(one.record), str(one.duplicate_of)) for one in done.filtered)

    return work


CONTENDERS: Contenders = {"mnemic": mnemic, "datasketch": datasketch, "SemHash": semhash}
