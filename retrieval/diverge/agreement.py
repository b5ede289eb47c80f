"""How far two packages agree: shared evidence, and what their notes are to one another.

evidence     each hit stands on a message; which messages both packages stand on, and in which order
             (rank-biased overlap: Webber, Moffat & Zobel 2010, the extrapolated form)
judgements   each note of the one beside each of the other with which it shares a word: whether both say the
             same, the newer takes the older's place, or both cannot hold. Who judges is handed in.
standing     *contested* where the chance that the packages contradict each other is above the bound; else
             *one-sided* where nearly all stands in one neighbourhood, else *settled*
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from math import exp, log1p
from typing import TypeAlias

from chunking.language import content_stems
from retrieval.package import Hit, Package
from retrieval.thread_order import thread_of
from schemas.base import Noun
from schemas.ids import point_id
from vault.index import Index
from vault.points import OVERVIEWS, Payload, PointKind, Threads

PERSISTENCE = 0.9
"""Of rank-biased overlap: the first ten ranks have 86 % of the weight."""

JUDGED_NOTES = 16
"""Of each package so many notes are judged, the best first."""


class Relation(StrEnum):
    """What two notes are to one another."""

    AGREES = "agrees"
    REPLACES = "replaces"
    """The newer takes the older's place."""
    CONTRADICTS = "contradicts"
    """Both cannot hold."""


class Judgement(Noun):
    """What a judge says of two notes."""

    relation: Relation
    chance: float
    """0-1, as the judge has it."""
    reason: str = ""


Judge: TypeAlias = Callable[[Payload, Payload], Judgement | None]
"""An older and a newer note to what they are to one another; None: nothing of note."""


class Standing(StrEnum):
    """How the memory stands to a prompt."""

    ONE_SIDED = "one-sided"
    """Nearly all evidence is of one neighbourhood: breadth found nothing that depth had not read."""
    CONTESTED = "contested"
    """The packages contradict each other."""
    SETTLED = "settled"
    """Several neighbourhoods, and they do not contradict each other."""


class JudgedPair(Noun):
    """Two notes of the two packages, in the order of time, and what they are to one another."""

    older: str
    newer: str
    relation: Relation
    chance: float
    reason: str


class Agreement(Noun):
    """What the comparison came to."""

    shared: tuple[str, ...]
    """Messages, or documents, that both packages stand on, the best first."""
    depth_only: tuple[str, ...]
    breadth_only: tuple[str, ...]
    overlap: float
    """0-1: rank-biased overlap of what they stand on."""
    neighbourhoods: int
    """Threads, conversations and documents that they stand in."""
    main_share: float
    """0-1: of all evidence, what stands in the neighbourhood that has most of it."""
    pairs: tuple[JudgedPair, ...]
    """Contradictions first, then what replaces, then what agrees; each by its chance."""
    standing: Standing
    diverged: bool
    """Whether the packages contradict each other: `contested`."""
    chance: float
    """0-1: that a reader would call the prompt contested."""
    bound: float
    """`diverged` is a chance of at least this."""


@dataclass(frozen=True, slots=True)
class Side:
    """What a package is compared by."""

    evidence: tuple[str, ...]
    homes: tuple[str, ...]
    """Neighbourhood of each piece of evidence."""
    notes: tuple[Payload, ...]


def side_of(package: Package, index: Index) -> Side:
    """The evidence of a package and its notes: its units, and those that passages of it say."""
    threads = index.threads(package.account)
    homes: dict[str, str] = {}
    units: list[str] = []
    for hit in package.hits:
        if hit.kind in OVERVIEWS:
            continue
        homes.setdefault(_stands_on(hit), _home(hit, threads))
        units += (hit.id,) if hit.kind is PointKind.UNIT else hit.also
    found = index.payloads([point_id(PointKind.UNIT, one) for one in dict.fromkeys(units)])
    return Side(tuple(homes), tuple(homes.values()), tuple(found.values())[:JUDGED_NOTES])


def _stands_on(hit: Hit) -> str:
    return hit.message_id or hit.conversation_id


def _home(hit: Hit, threads: Threads) -> str:
    return thread_of(hit.conversation_id, threads) or hit.conversation_id


def rank_biased_overlap(one: Sequence[str], other: Sequence[str], p: float = PERSISTENCE) -> float:
    """0-1: extrapolated rank-biased overlap of two rankings without repetitions; 1 of two empty ones.

    Equation 32 of Webber et al. for rankings of unequal length.
    """
    short, long = sorted((list(one), list(other)), key=len)
    s, n = len(short), len(long)
    if not s:
        return float(not n)
    overlap = [len(set(long[:depth]) & set(short[:depth])) for depth in range(1, n + 1)]
    total = sum(overlap[d - 1] / d * p**d for d in range(1, n + 1))
    total += sum(overlap[s - 1] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    tail = ((overlap[n - 1] - overlap[s - 1]) / n + overlap[s - 1] / s) * p**n
    return min(max((1 - p) / p * total + tail, 0.0), 1.0)


def compared(depth: Package, breadth: Package, index: Index, judge: Judge) -> Agreement:
    """How far the two packages agree."""
    first, second = side_of(depth, index), side_of(breadth, index)
    pairs = judged(first.notes, second.notes, judge)
    homes = {**dict(zip(second.evidence, second.homes, strict=True)),
             **dict(zip(first.evidence, first.homes, strict=True))}  # fmt: skip
    counts = {home: list(homes.values()).count(home) for home in set(homes.values())}
    main = max(counts.values(), default=0) / max(len(homes), 1)
    overlap = rank_biased_overlap(first.evidence, second.evidence)
    weights = weighed()
    chance = weights.chance(values_of(pairs, overlap))
    diverged = chance >= weights.bound
    sided = Standing.ONE_SIDED if main >= weights.one_sided else Standing.SETTLED
    return Agreement(
        shared=tuple(one for one in first.evidence if one in second.evidence),
        depth_only=tuple(one for one in first.evidence if one not in second.evidence),
        breadth_only=tuple(one for one in second.evidence if one not in first.evidence),
        overlap=round(overlap, 4),
        neighbourhoods=len(counts),
        main_share=round(main, 4),
        pairs=pairs,
        standing=Standing.CONTESTED if diverged else sided,
        diverged=diverged,
        chance=round(chance, 4),
        bound=weights.bound,
    )


def judged(first: Sequence[Payload], second: Sequence[Payload], judge: Judge) -> tuple[JudgedPair, ...]:
    """Every pair of two different notes of the two sides that share a content word, each once."""
    seen: set[frozenset[str]] = set()
    pairs = []
    for one in first:
        for other in second:
            both = frozenset((one.ref, other.ref))
            if len(both) < 2 or both in seen or not content_stems(one.text) & content_stems(other.text):
                continue
            seen.add(both)
            older, newer = sorted((one, other), key=_when)
            if (said := judge(older, newer)) is not None:
                pairs.append(JudgedPair(older=older.ref, newer=newer.ref, **said.model_dump()))
    order = (Relation.CONTRADICTS, Relation.REPLACES, Relation.AGREES)
    return tuple(sorted(pairs, key=lambda pair: (order.index(pair.relation), -pair.chance, pair.newer)))


def _when(note: Payload) -> tuple[float, int, str]:
    said = note.evidence[0].start if note.evidence else 0
    return note.said_at.timestamp() if note.said_at else 0.0, said, note.ref


def values_of(pairs: Sequence[JudgedPair], overlap: float) -> dict[str, float]:
    """What the chance goes by, by name, as the weights name it."""

    def most(relation: Relation) -> float:
        return max((pair.chance for pair in pairs if pair.relation is relation), default=0.0)

    def many(relation: Relation) -> float:
        return log1p(sum(pair.relation is relation for pair in pairs))

    return {
        "contradicts": most(Relation.CONTRADICTS),
        "contradictions": many(Relation.CONTRADICTS),
        "replaces": most(Relation.REPLACES),
        "agrees": many(Relation.AGREES),
        "overlap": overlap,
    }


class DivergenceWeights(Noun):
    """What was learned, and from which run (`benchmarks/calibration/divergence_bound.py`)."""

    weights: dict[str, float]
    """Of each value by its name, `bias` among them."""
    bound: float
    """A chance from which on a prompt counts as contested."""
    one_sided: float
    """A share of the main neighbourhood from which on a prompt that is not contested counts as one-sided."""
    run: str

    def chance(self, values: dict[str, float]) -> float:
        """0-1: that a reader would call the prompt contested."""
        total = self.weights["bias"] + sum(self.weights.get(name, 0.0) * one for name, one in values.items())
        return 1 / (1 + exp(-max(min(total, 50.0), -50.0)))


@cache
def weighed() -> DivergenceWeights:
    """The weights in use."""
    stored = resources.files("retrieval").joinpath("data/divergence.json").read_text(encoding="utf-8")
    return DivergenceWeights.model_validate_json(stored)
