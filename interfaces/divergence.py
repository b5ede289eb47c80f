"""`mnemic diverge` and `recall_pair`: two packages, and how far they agree, as one object or as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from chunking import estimate_tokens
from curation.pairs.contrast import contrast
from curation.pairs.guards import protected
from curation.pairs.pair import JudgedNote, NotePair
from curation.pairs.small_judge import PairJudge, load_judge
from inference.embedder import Embedder
from inference.secrets import mask_secrets
from retrieval import QUOTED, Package, Question
from retrieval.assembly import confidence_notice, room_notice
from retrieval.diverge.agreement import (
    Agreement,
    Judge,
    JudgedPair,
    MemoryStanding,
    NotesVerdict,
    PairRelation,
    compared,
)
from retrieval.diverge.analysts import pair_of
from retrieval.package import Altitude, Hit
from schemas.base import Noun
from schemas.ids import point_id
from schemas.unit import Category
from schemas.words import amount
from vault.index import Index
from vault.points import Payload, PointKind
from vault.reader import VaultReader

SURE = 0.5
"""Chance of the judge's, or contrast, from which on a relation of two notes is told."""

REASONS = {
    PairRelation.AGREES: "both say the same",
    PairRelation.REPLACES: "the newer says otherwise of the same thing",
    PairRelation.CONTRADICTS: "both cannot hold",
    PairRelation.CONTRASTS: "worded alike but for a number, a name or a denial",
}

TOLD_PAIRS = 6
"""Judged pairs that the text names; the object has all."""


class Handed(StrEnum):
    """What whoever asks is handed."""

    BOTH = "both"
    """Two packages, one after the other."""
    UNION = "union"
    """Each hit once, marked with who found it."""


class Divergence(Noun):
    """The answer of both analysts."""

    query: str
    account: str
    ways: tuple[str, ...]
    """How the breadth analyst put the prompt, each as `aim: words`."""
    depth: Package
    breadth: Package
    aims: dict[str, str]
    """Of each hit of breadth, by its id, the way that found it best."""
    agreement: Agreement
    altitude: Altitude | None = None
    """The subject domain that the prompt belongs to, where anybody can say."""
    texts: dict[str, str]
    """Of the judged notes, by their ids, secrets masked."""


def judge_of(judge: PairJudge) -> Judge:
    """The pair judge as the comparison asks it: what form alone settles comes first."""

    def said(older: Payload, newer: Payload) -> NotesVerdict | None:
        form = round(contrast(older.text, newer.text), 4)
        if judge.same(older.text, newer.text):
            chance = judge.opinion(older.text, newer.text).relation["dup"]
            return _judgement(PairRelation.AGREES, chance, form)
        pair = _pair(older, newer)
        if pair is not None and protected(pair) is None:
            found = judge.opinion(older.text, newer.text)
            chances = {
                PairRelation.CONTRADICTS: min(found.relation["con"], found.attribute),
                PairRelation.REPLACES: min(found.relation["sup"], found.subject),
            }
            best = max(chances, key=lambda one: chances[one])
            if chances[best] >= SURE:
                return _judgement(best, chances[best], form)
        # form has no direction: it needs no order in time, and says nothing of who may retire whose words
        asked = Category.OPEN_QUESTION in (older.category, newer.category)
        return _judgement(PairRelation.CONTRASTS, form, form) if form >= SURE and not asked else None

    return said


def _judgement(relation: PairRelation, chance: float, form: float) -> NotesVerdict:
    return NotesVerdict(relation=relation, chance=round(chance, 4), form=form, reason=REASONS[relation])


def _pair(older: Payload, newer: Payload) -> NotePair | None:
    if older.category is None or newer.category is None or older.speaker is None or newer.speaker is None:
        return None
    return NotePair(
        JudgedNote(older.text, older.category, older.speaker, older.said_at),
        JudgedNote(newer.text, newer.category, newer.speaker, newer.said_at),
    )


def diverged(reader: VaultReader, question: Question, embedder: Embedder | None) -> Divergence:
    """Both packages of a question, and how far they agree."""
    index = reader.index
    depth, breadth = pair_of(question, index, embedder)
    agreement = compared(depth, breadth.package, index, judge_of(load_judge()))
    return Divergence(
        query=question.text,
        account=question.where.account,
        ways=tuple(f"{one.aim}: {one.text}" for one in breadth.ways),
        depth=depth,
        breadth=breadth.package,
        aims=dict(breadth.aims),
        agreement=agreement,
        texts=_texts(agreement.pairs, index),
    )


def _texts(pairs: Sequence[JudgedPair], index: Index) -> dict[str, str]:
    refs = sorted({one for pair in pairs for one in (pair.older, pair.newer)})
    found = index.payloads([point_id(PointKind.UNIT, one) for one in refs])
    return {one.ref: mask_secrets(one.text) for one in found.values()}


DEPTH, BREADTH = "depth", "breadth"

STANDINGS = {
    MemoryStanding.ONE_SIDED: "what was found is of one conversation, and no other comes near it",
    MemoryStanding.CONTESTED: "the two packages contradict each other",
    MemoryStanding.SETTLED: "several conversations, and they do not contradict each other",
}


def verdict_of(found: Divergence) -> str:
    """The verdict in a word."""
    return "DIVERGED" if found.agreement.diverged else "CONVERGED"


def report_of(found: Divergence) -> list[str]:
    """What the comparison came to, in lines, the most important first."""
    told = found.agreement
    chance = f"chance of a contradiction {told.chance:.2f}, told from {told.bound:.2f} on"
    lines = [
        f"{verdict_of(found)}: {STANDINGS[told.standing]} ({chance})",
        f"evidence: {amount(len(told.shared), 'message')} in both, {len(told.depth_only)} in depth alone, "
        f"{len(told.breadth_only)} in breadth alone, of {amount(told.conversations, 'conversation')}",
    ]
    if found.altitude is not None:
        lines.append(f"altitude: {found.altitude.domain} ({found.altitude.by})")
    for pair in told.pairs[:TOLD_PAIRS]:
        older, newer = (" ".join(found.texts.get(one, one).split()) for one in (pair.older, pair.newer))
        lines.append(f"{pair.relation} ({pair.chance:.2f}): “{newer}” and, older, “{older}”")
    if len(told.pairs) > TOLD_PAIRS:
        lines.append(f"and {len(told.pairs) - TOLD_PAIRS} more pairs")
    return lines


def text_of(found: Divergence, handed: Handed, budget: int | None = None) -> str:
    """Report and packages as text for an assistant, each package inside its own budget, all of it inside
    `budget`: hits of the least score go first, then lines of the report from its end, and at last the verdict
    alone is left, or that it was cut."""
    parts = sections_of(found, handed)
    report = report_of(found)
    text = _laid_out(found, report, parts)
    if budget is None:
        return text
    while estimate_tokens(text) > budget and any(one.hits for one in parts):
        least = min((hit.score, hit.id, place) for place, one in enumerate(parts) for hit in one.hits)
        parts[least[2]] = parts[least[2]].without(least[1])
        text = _laid_out(found, report, parts)
    while estimate_tokens(text) > budget and len(report) > 1:
        report, parts = report[:-1], []
        text = _laid_out(found, report, parts)
    found_in_all = sum(len(one.hits) + one.left_out for one in (found.depth, found.breadth))
    shorter = (f"{verdict_of(found)}; {found_in_all} hits left out", verdict_of(found), "cut")
    return next(one for one in (text, *shorter) if estimate_tokens(one) <= budget)


@dataclass(frozen=True, slots=True)
class HitSection:
    """Hits of the answer under one heading."""

    heading: str
    whose: tuple[str, ...]
    """The analysts that found them: depth, breadth, or both."""
    package: Package
    hits: tuple[Hit, ...]
    notices: tuple[str, ...]
    """What is to be said of how its question was read; that it is quoted, and what has no room, is said once
    for all sections."""

    def without(self, hit: str) -> HitSection:
        """The section without a hit."""
        return replace(self, hits=tuple(one for one in self.hits if one.id != hit))

    def written(self) -> str:
        """It as text."""
        told = self.package.model_copy(update={"hits": self.hits, "notices": self.notices})
        return f"\n# {self.heading}\n{told.render() if told.hits or told.notices else ''}"


def sections_of(found: Divergence, handed: Handed) -> list[HitSection]:
    """The two packages one after the other, or each hit once, under the mark of who found it."""
    depth, breadth = found.depth, found.breadth
    of_depth, of_breadth = (_notices_of_reading(one) for one in (depth, breadth))
    if handed is Handed.BOTH:
        return [
            HitSection(f"{name.title()} (confidence {one.confidence:.2f})", (name,), one, one.hits, notices)
            for name, one, notices in ((DEPTH, depth, of_depth), (BREADTH, breadth, of_breadth))
        ]
    deep, wide = ({hit.id for hit in one.hits} for one in (depth, breadth))
    shared = tuple(hit for hit in depth.hits if hit.id in wide)
    deep_alone = tuple(hit for hit in depth.hits if hit.id not in wide)
    wide_alone = tuple(hit for hit in breadth.hits if hit.id not in deep)
    fresh = tuple(one for one in of_breadth if one not in of_depth)
    sections = (
        HitSection("Both", (DEPTH, BREADTH), depth, shared, of_depth),
        HitSection("Depth alone", (DEPTH,), depth, deep_alone, ()),
        HitSection("Breadth alone", (BREADTH,), breadth, wide_alone, fresh),
    )
    return [one for one in sections if one.hits or one.notices]


def _notices_of_reading(package: Package) -> tuple[str, ...]:
    """The notices but those that the text says once for both packages; that nothing was found stays."""
    said_once = {QUOTED, confidence_notice(package.confidence), room_notice(package)}
    return tuple(one for one in package.notices if one not in said_once)


def _laid_out(found: Divergence, report: Sequence[str], parts: Sequence[HitSection]) -> str:
    """The verdict, how much of what was found is shown where that is not all, the rest of the report, the
    sections."""
    lines = [*report[:1], *_shown_of(found, parts), *report[1:]]
    if any(one.hits for one in parts):
        lines.append(QUOTED)
    return "".join((*(f"{line}\n" for line in lines), *(one.written() for one in parts)))


def _shown_of(found: Divergence, parts: Sequence[HitSection]) -> list[str]:
    told: list[tuple[str, bool]] = []
    for name, package in ((DEPTH, found.depth), (BREADTH, found.breadth)):
        shown = sum(len(one.hits) for one in parts if name in one.whose)
        of = len(package.hits) + package.left_out
        told.append(
            (f"{shown} of {of} hits of {name}" if not told else f"{shown} of {of} of {name}", shown < of)
        )
    if not any(less for _, less in told):
        return []
    return [f"shown: {', '.join(said for said, _ in told)}; a larger budget has room for more"]
