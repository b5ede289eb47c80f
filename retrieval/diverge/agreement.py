"""How far two packages agree: shared evidence, and what their notes are to one another.

evidence     each hit stands on a message; which messages both packages stand on, and in which order
             (rank-biased overlap: Webber, Moffat & Zobel 2010, the extrapolated form)
judgements   each note of the one beside each of the other that another conversation said and that shares a
             word: whether both say the same, the newer takes the older's place, both cannot hold, or they are
             worded alike but for what stands in one place. Who judges is handed in; a judgement counts as
             much as the two notes are about the prompt
standing     *contested* where the chance that a reader would call it that is above the bound; else
             *one-sided* where no other conversation comes near, else *settled*

Only hits that are near are judged: those at least NEAR as relevant as their package's best. What fills the
rest of a package is of other things, and contradicts nothing that was asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from math import exp, log1p
from typing import TypeAlias

import numpy as np

from chunking.language import content_stems
from inference.sparse import terms_in
from retrieval.package import Hit, Package
from retrieval.relevance.word_rarity import learned_rarity
from schemas.base import Noun
from schemas.ids import point_id
from vault.index import Index
from vault.points import OVERVIEWS, Payload, PointKind

PERSISTENCE = 0.9
"""Of rank-biased overlap: the first ten ranks have 86 % of the weight."""

NEAR = 0.6
"""Of the relevance of its package's best, what a hit has to have to be compared."""

JUDGED_NOTES = 16
"""Of each package so many notes are judged, the best first."""


class PairRelation(StrEnum):
    """What two notes are to one another."""

    AGREES = "agrees"
    REPLACES = "replaces"
    """The newer takes the older's place."""
    CONTRADICTS = "contradicts"
    """Both cannot hold."""
    CONTRASTS = "contrasts"
    """Worded alike but for a number, a name or a denial; whether both hold is not known."""


class NotesVerdict(Noun):
    """What a judge says of two notes."""

    relation: PairRelation
    chance: float
    """0-1, as the judge has it."""
    form: float = 0.0
    """0-1: how much both say alike, where each says something else in one place."""
    reason: str = ""


Judge: TypeAlias = Callable[[Payload, Payload], NotesVerdict | None]
"""An older and a newer note to what they are to one another; None: nothing of note."""


class MemoryStanding(StrEnum):
    """How the memory stands to a prompt."""

    ONE_SIDED = "one-sided"
    """The evidence is of one conversation, and no other comes near it."""
    CONTESTED = "contested"
    """The packages contradict each other."""
    SETTLED = "settled"
    """Several conversations, and they do not contradict each other."""


class JudgedPair(Noun):
    """Two notes of the two packages, in the order of time, and what they are to one another."""

    older: str
    newer: str
    relation: PairRelation
    chance: float
    form: float
    about: float
    """0-1: the share of the prompt's content that both notes have."""
    reason: str


class Agreement(Noun):
    """What the comparison came to."""

    shared: tuple[str, ...]
    """Messages, or documents, that both packages stand on, the best first."""
    depth_only: tuple[str, ...]
    breadth_only: tuple[str, ...]
    overlap: float
    """0-1: rank-biased overlap of what they stand on."""
    conversations: int
    """Conversations and documents that they stand in."""
    second: float
    """0-1: how near the nearest evidence of a second conversation is, beside the nearest of all."""
    pairs: tuple[JudgedPair, ...]
    """Contradictions first, then contrasts, what replaces, and what agrees; each by its chance."""
    standing: MemoryStanding
    diverged: bool
    """Whether the packages contradict each other: `contested`."""
    chance: float
    """0-1: that a reader would call the prompt contested."""
    bound: float
    """`diverged` is a chance of at least this."""


@dataclass(frozen=True, slots=True)
class Side:
    """What a package is compared by."""

    evidence: Mapping[str, Hit]
    """The first hit on each message or document, in the package's order."""
    notes: tuple[Payload, ...]


def side_of(package: Package, index: Index) -> Side:
    """The evidence of a package that is near, and its notes: units, and those that passages of it say."""
    hits = [hit for hit in package.hits if hit.kind not in OVERVIEWS]
    least = NEAR * max((hit.relevance for hit in hits), default=0.0)
    evidence: dict[str, Hit] = {}
    units: list[str] = []
    for hit in hits:
        if hit.relevance >= least:
            evidence.setdefault(hit.message_id or hit.conversation_id, hit)
            units += (hit.id,) if hit.kind is PointKind.UNIT else hit.also
    found = index.payloads([point_id(PointKind.UNIT, one) for one in dict.fromkeys(units)])
    return Side(evidence, tuple(found.values())[:JUDGED_NOTES])


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
    pairs = judged(depth.query, first.notes, second.notes, judge)
    nearness = nearest(depth.query, (*depth.hits, *breadth.hits))
    second_best = nearness[1] / nearness[0] if len(nearness) > 1 and nearness[0] else 0.0
    overlap = rank_biased_overlap(list(first.evidence), list(second.evidence))
    weights = weighed()
    chance = weights.chance(values_of(pairs))
    diverged = chance >= weights.bound
    sided = MemoryStanding.ONE_SIDED if second_best < weights.one_sided else MemoryStanding.SETTLED
    return Agreement(
        shared=tuple(one for one in first.evidence if one in second.evidence),
        depth_only=tuple(one for one in first.evidence if one not in second.evidence),
        breadth_only=tuple(one for one in second.evidence if one not in first.evidence),
        overlap=round(overlap, 4),
        conversations=len(nearness),
        second=round(second_best, 4),
        pairs=pairs,
        standing=MemoryStanding.CONTESTED if diverged else sided,
        diverged=diverged,
        chance=round(chance, 4),
        bound=weights.bound,
    )


@dataclass(frozen=True, slots=True)
class PromptTerms:
    """The terms of a prompt, each as rare as it is in talk (`retrieval.relevance.word_rarity`): that a note
    has the name of a thing says more than that it has a word such as `plan`."""

    rarity: Mapping[int, float]

    @classmethod
    def of(cls, prompt: str) -> PromptTerms:
        """From the prompt's text."""
        terms = sorted(terms_in(prompt))
        return cls(dict(zip(terms, learned_rarity().of(np.array(terms, np.int64)).tolist(), strict=True)))

    def share(self, terms: Collection[int]) -> float:
        """0-1: how much of the prompt these terms are; 1 of a prompt without a term."""
        whole = sum(self.rarity.values())
        return sum(one for term, one in self.rarity.items() if term in terms) / whole if whole else 1.0


def nearest(prompt: str, hits: Sequence[Hit]) -> list[float]:
    """How near the nearest evidence of each conversation is to the prompt, the nearest first: its cosine
    times the share of the prompt's content that it has. Where nothing has any of that, the cosine alone."""
    asked = PromptTerms.of(prompt)
    plain: dict[str, float] = defaultdict(float)
    about: dict[str, float] = defaultdict(float)
    for hit in hits:
        if hit.kind not in OVERVIEWS:
            home, cosine = hit.conversation_id, max(hit.similarity, 0.0)
            plain[home] = max(plain[home], cosine)
            about[home] = max(about[home], cosine * asked.share(terms_in(hit.text)))
    return sorted((about if any(about.values()) else plain).values(), reverse=True)


def judged(
    prompt: str, first: Sequence[Payload], second: Sequence[Payload], judge: Judge
) -> tuple[JudgedPair, ...]:
    """Every pair of notes of the two sides and of two conversations that share a content word, each once."""
    seen: set[frozenset[str]] = set()
    asked = PromptTerms.of(prompt)
    pairs = []
    for one in first:
        for other in second:
            both = frozenset((one.ref, other.ref))
            if one.conversation_id == other.conversation_id or both in seen:
                continue
            seen.add(both)
            shared = content_stems(one.text) & content_stems(other.text)
            older, newer = sorted((one, other), key=_when)
            if shared and (said := judge(older, newer)) is not None:
                about = round(asked.share(terms_in(one.text) & terms_in(other.text)), 4)
                pairs.append(JudgedPair(older=older.ref, newer=newer.ref, about=about, **said.model_dump()))
    order = (PairRelation.CONTRADICTS, PairRelation.CONTRASTS, PairRelation.REPLACES, PairRelation.AGREES)
    return tuple(
        sorted(pairs, key=lambda one: (order.index(one.relation), -one.chance * one.about, one.newer))
    )


def _when(note: Payload) -> tuple[float, int, str]:
    said = note.evidence[0].start if note.evidence else 0
    return note.said_at.timestamp() if note.said_at else 0.0, said, note.ref


def values_of(pairs: Sequence[JudgedPair]) -> dict[str, float]:
    """What the chance goes by, by name, as the weights name it."""

    def most(relation: PairRelation) -> float:
        return max((one.chance * one.about for one in pairs if one.relation is relation), default=0.0)

    unlike = [one for one in pairs if one.relation is not PairRelation.AGREES]
    return {
        "contradicts": most(PairRelation.CONTRADICTS),
        "contrasts": max((one.form * one.about for one in unlike), default=0.0),
        "replaces": most(PairRelation.REPLACES),
        "agrees": log1p(sum(one.relation is PairRelation.AGREES for one in pairs)),
    }


class DivergenceWeights(Noun):
    """What was learned, and from which run (`benchmarks/calibration/divergence_bound.py`)."""

    weights: dict[str, float]
    """Of each value by its name, `bias` among them."""
    bound: float
    """A chance from which on a prompt counts as contested."""
    one_sided: float
    """A prompt that is not contested counts as one-sided where `second` is below this."""
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
