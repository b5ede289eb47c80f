"""How rare a word is in what people and assistants say to each other, whoever they are.

A word that everybody's conversations have says nothing for a memory that has it too; the name of a grape
does. Which is which cannot be told from the candidates: they are few, and chosen for the question's words.
`data/rarity.npz` holds what `benchmarks/calibration/abstention_weights.py` counted in the conversations of
RealMem's five people (zhiyuan5986/RealMemBench, Apache-2.0): terms of at least two of them, so nobody's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from retrieval.search.word_vectors import Terms

FEWEST_PEOPLE = 2
"""A word that only one of the people used is as rare as one that nobody did."""

STEPS = 32
"""Rarities are stored in whole steps of 1 / STEPS, which a byte holds up to 7.9."""

MOST = 7.9


@dataclass(frozen=True, slots=True, eq=False)
class Rarity:
    """What was counted."""

    terms: Terms
    """Known terms (`inference.sparse`), ascending."""
    values: npt.NDArray[np.float64]
    """Of each the rarity: ln((conversations + 1) / (conversations with it + 0.5)), the mean over people."""
    unseen: float
    """The rarity of every other term."""

    def of(self, terms: Terms) -> npt.NDArray[np.float64]:
        """The rarity of each."""
        if not len(self.terms):
            return np.full(len(terms), self.unseen)
        place = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        return np.where(self.terms[place] == terms, self.values[place], self.unseen)


def counted(people: Sequence[tuple[Mapping[int, int], int]]) -> Rarity:
    """From each person's number of conversations by term, and their number of conversations; of one person
    at least."""
    terms = np.array(
        sorted(
            term
            for term in set[int]().union(*(having for having, _ in people))
            if sum(term in having for having, _ in people) >= FEWEST_PEOPLE
        ),
        np.int64,
    )
    values = np.zeros(len(terms))
    for having, conversations in people:
        with_it = np.array([having.get(int(term), 0) for term in terms], np.float64)
        values += np.log((conversations + 1) / (with_it + 0.5)) / len(people)
    unseen = float(np.mean([np.log((conversations + 1) / 0.5) for _, conversations in people]))
    return Rarity(terms, np.round(np.clip(values, 1 / STEPS, MOST) * STEPS) / STEPS, unseen)


def store(rarity: Rarity, path: Path) -> None:
    """Write what `learned_rarity` reads."""
    steps = np.round(rarity.values * STEPS).astype(np.uint8)
    np.savez_compressed(path, terms=rarity.terms.astype(np.uint32), steps=steps, unseen=rarity.unseen)


@cache
def learned_rarity() -> Rarity:
    """What is in use."""
    file = resources.files("retrieval").joinpath("data/rarity.npz")
    with file.open("rb") as stream, np.load(stream) as stored:
        values = stored["steps"].astype(np.float64) / STEPS
        return Rarity(stored["terms"].astype(np.int64), values, float(stored["unseen"]))
