"""`mnemic diverge` and `recall_pair`: two packages, and how far they agree, as one object or as text."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from chunking import estimate_tokens
from curation.pairs.contrast import contrast
from curation.pairs.guards import protected
from curation.pairs.pair import JudgedNote, NotePair
from curation.pairs.small_judge import PairJudge, load_judge
from inference.embedder import Embedder
from inference.secrets import mask_secrets
from retrieval import Package, Question
from retrieval.diverge.agreement import Agreement, Judge, JudgedPair, NotesVerdict, PairRelation, compared
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


def report_of(found: Divergence) -> str:
    """What the comparison came to, in lines."""
    told = found.agreement
    verdict = "DIVERGED" if told.diverged else "CONVERGED"
    lines = [
        f"{verdict}: {told.standing} (chance of a contradiction {told.chance:.2f}, bound {told.bound:.2f})",
        f"evidence: {len(told.shared)} shared, {len(told.depth_only)} of depth alone, "
        f"{len(told.breadth_only)} of breadth alone; overlap {told.overlap:.2f}; "
        f"{amount(told.conversations, 'conversation')}, the second is {told.second:.2f} as near as the first",
    ]
    if found.altitude is not None:
        lines.append(f"altitude: {found.altitude.domain} ({found.altitude.by})")
    for pair in told.pairs[:TOLD_PAIRS]:
        older, newer = (" ".join(found.texts.get(one, one).split()) for one in (pair.older, pair.newer))
        lines.append(f"{pair.relation} ({pair.chance:.2f}): “{newer}” and, older, “{older}”")
    if len(told.pairs) > TOLD_PAIRS:
        lines.append(f"and {len(told.pairs) - TOLD_PAIRS} more pairs")
    return "".join(f"{line}\n" for line in lines)


def text_of(found: Divergence, handed: Handed, budget: int | None = None) -> str:
    """Report and packages as text for an assistant, each package inside its own budget, all of it inside
    `budget`: hits of the least score go first, then lines of the report from its end."""
    both = [("Depth", found.depth), ("Breadth", found.breadth)]
    parts = both if handed is Handed.BOTH else union_of(found)
    lines = report_of(found).splitlines(keepends=True)
    text = _laid_out(lines, parts)
    verdict, left_out = lines[0].partition(":")[0], 0
    while budget is not None and estimate_tokens(text) > budget:
        hits = [(hit.score, place) for place, (_, package) in enumerate(parts) for hit in package.hits]
        if hits:
            left_out += 1
            _, place = min(hits)
            name, package = parts[place]
            least = min(package.hits, key=lambda hit: hit.score)
            parts[place] = (
                name,
                _with(package, [hit for hit in package.hits if hit is not least], package.notices),
            )
        elif parts:
            parts = []
        elif len(lines) > 1:
            lines.pop()
        else:
            return verdict
        said = [f"\n{amount(left_out, 'hit')} left out\n"] if left_out else []
        text = _laid_out([*lines, *said], parts)
    return text


def _laid_out(lines: Sequence[str], parts: Sequence[tuple[str, Package]]) -> str:
    return "".join([*lines, *(f"\n# {name}\n{package.render()}" for name, package in parts)])


def union_of(found: Divergence) -> list[tuple[str, Package]]:
    """Each hit once, under the mark of who found it: both, depth or breadth. Takes at most both budgets."""
    deep = {hit.id for hit in found.depth.hits}
    wide = {hit.id for hit in found.breadth.hits}
    fresh = [one for one in found.breadth.notices if one not in found.depth.notices]
    parts = (
        ("Both", found.depth, [hit for hit in found.depth.hits if hit.id in wide], found.depth.notices),
        ("Depth alone", found.depth, [hit for hit in found.depth.hits if hit.id not in wide], ()),
        ("Breadth alone", found.breadth, [hit for hit in found.breadth.hits if hit.id not in deep], fresh),
    )
    return [
        (name, _with(package, hits, notices)) for name, package, hits, notices in parts if hits or notices
    ]


def _with(package: Package, hits: Sequence[Hit], notices: Sequence[str]) -> Package:
    changed = package.model_copy(update={"hits": tuple(hits), "notices": tuple(notices)})
    return changed.model_copy(update={"tokens": estimate_tokens(changed.render())})
