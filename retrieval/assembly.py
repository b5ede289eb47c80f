"""From ranked candidates to the package: parts, cuts, and a budget that is never exceeded."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from chunking import estimate_tokens
from inference.secrets import mask_secrets
from retrieval.package import Dropped, Hit, Package, PackagePart
from retrieval.question import Question
from retrieval.rendering import LAYOUTS, Layout
from retrieval.search.hybrid import Candidate
from schemas.ids import short_id
from vault.index import named
from vault.points import OVERVIEWS, PointKind, PointSpan

CORE_SHARE = 0.75
"""A note scoring at least this share of the best one's score is core."""

STRUCTURAL_SHARE = 0.5
"""A note between this share and the core's carries the core; below it, it is peripheral."""

ITEM_SHARE = 0.07
"""A passage takes at most this share of the budget while others wait, so that one long answer does not push
them out; what room is left in the end goes to the passages that were cut."""

LEAST_ITEM_TOKENS = 70
"""The least that a passage may take, however small the budget: its frame alone is about forty."""

NOTICE_SHARE = 0.25
"""What was said before the hits were known has its place, unless it takes more than this of the budget."""

LEAST_TEXT_TOKENS = 12
"""A passage of which less than this would remain is left out rather than cut."""

CUT_KINDS = (PointKind.CHUNK, *OVERVIEWS)

AROUND = (PointKind.CONVERSATION, *OVERVIEWS)
"""Peripheral whatever they score: they say what is around the notes."""

LEAST_OVERVIEW_TOKENS = 40
"""Of a summary or a map, less says hardly more than its title."""

SHOWN_OF_DROPPED = 300
"""Characters of a note that was dropped: enough to see what it was."""

CUT_MARK = " […]"

_NOTICE = "For lack of room: {}."
_LONGEST_NOTICE = _NOTICE.format("100 cut short, 100 left out")

_BREAKS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"(?<=[.!?。！？…])\s*"), re.compile(r"\s+"))
"""Where a passage may end, best first: after a paragraph, a line, a sentence, a word."""


@dataclass(frozen=True, slots=True)
class DroppedCandidate:
    """A candidate that leaves the funnel, where and why."""

    candidate: Candidate
    stage: str
    reason: str


def assemble(
    question: Question,
    candidates: Sequence[Candidate],
    drops: Sequence[DroppedCandidate],
    confidence: float,
    overviews: Sequence[Candidate] = (),
) -> Package:
    """The package of the candidates that came through, in order; core before structural before peripheral.

    `overviews` come after them in the room that they leave, before passages that were cut are lengthened; one
    that finds none is no loss to be told of.
    """
    options, budget = question.options, question.options.room
    layout = LAYOUTS[options.format]
    hits = _with_parts(candidates, layout, question)
    room = budget - layout.frame_tokens
    opening = options.notices
    if options.tells_confidence and candidates:
        opening = (*opening, confidence_notice(confidence))
    said = sum(estimate_tokens(layout.notice(one)) for one in opening)
    if said <= NOTICE_SHARE * room:
        room -= said
    if sum(hit.tokens for hit in hits) > room:
        room -= estimate_tokens(layout.notice(_LONGEST_NOTICE))
    filling = _Filling(room, layout)
    filling.add(hits, _share(room), room)
    late = list(filling.late)
    filling.add(_with_parts(overviews, layout, question), _share(room), room)
    filling.lengthen()
    told = filling.chosen[: len(hits) - len(late)]
    by_ref = {one.payload.ref: one for one in (*candidates, *overviews)}
    drops = [*drops, *(DroppedCandidate(by_ref[hit.id], "budget", reason) for hit, reason in filling.late)]
    package = Package(
        query=question.text,
        account=", ".join(named(question.where.account)),
        as_of=question.as_of,
        format=options.format,
        budget=budget,
        tokens=0,
        confidence=round(confidence, 4),
        hits=tuple(filling.chosen),
        left_out=len(late),
        notices=(*opening, *_notices(hits, told, len(late), confidence)),
        dropped=tuple(_dropped(one) for one in drops) if options.explained else (),
    )
    return package.model_copy(update={"tokens": estimate_tokens(package.render())})


def _with_parts(candidates: Sequence[Candidate], layout: Layout, question: Question) -> list[Hit]:
    best = max((one.score for one in candidates), default=0.0)
    hits = [_hit(one, _part(one, best), layout, question.options.shared_ids) for one in candidates]
    # what is never cut must not push the others out
    fitting = [
        hit.model_copy(update={"part": PackagePart.STRUCTURAL})
        if hit.part is PackagePart.CORE
        and hit.tokens > _most_of_core(question.options.room, first=place == 0)
        else hit
        for place, hit in enumerate(hits)
    ]
    order = list(PackagePart)
    return sorted(fitting, key=lambda hit: order.index(hit.part))


def _most_of_core(budget: int, *, first: bool) -> int:
    return budget // 2 if first else _share(budget)


def _part(candidate: Candidate, best: float) -> PackagePart:
    if candidate.payload.kind in AROUND or candidate.score < STRUCTURAL_SHARE * best:
        return PackagePart.PERIPHERAL
    return PackagePart.CORE if candidate.score >= CORE_SHARE * best else PackagePart.STRUCTURAL


def _hit(candidate: Candidate, part: PackagePart, layout: Layout, shared_ids: Collection[str]) -> Hit:
    payload = candidate.payload
    hit = Hit(
        id=payload.ref,
        short=short_id(payload.ref, shared_ids),
        kind=payload.kind,
        part=part,
        text=mask_secrets(payload.text),
        tokens=0,
        category=payload.category,
        tier=payload.tier,
        state=payload.state,
        speaker=payload.speaker,
        speaker_name=payload.speaker_name,
        said_at=payload.said_at,
        conversation_id=payload.conversation_id,
        conversation_title=payload.conversation_title and mask_secrets(payload.conversation_title),
        provider=payload.provider,
        message_id=payload.message_id,
        heading_path=tuple(mask_secrets(one) for one in payload.heading_path),
        superseded_by=candidate.superseded_by,
        successor=candidate.superseded_by and short_id(candidate.superseded_by, shared_ids),
        answers=mask_secrets(payload.answers),
        evidence=tuple(
            dict.fromkeys(_masked(said) for one in (payload, *candidate.duplicates) for said in one.evidence)
        ),
        also=tuple(one.ref for one in candidate.duplicates),
        similarity=round(candidate.similarity, 4),
        relevance=round(candidate.relevance, 4),
        recency=round(candidate.recency, 4),
        weight=payload.weight,
        novelty=round(candidate.novelty, 4),
        score=round(candidate.score, 4),
        found_by=candidate.found_by,
    )
    return _counted(hit, layout)


def _masked(said: PointSpan) -> PointSpan:
    quote = mask_secrets(said.quote)
    return said if quote == said.quote else said.model_copy(update={"quote": quote})


def _counted(hit: Hit, layout: Layout) -> Hit:
    return hit.model_copy(update={"tokens": estimate_tokens(layout.hit(hit))})


@dataclass(slots=True)
class _Filling:
    """Hits as they stand in a package, whole or cut, and the room that is left."""

    room: int
    layout: Layout
    chosen: list[Hit] = field(default_factory=list)
    wholes: list[Hit] = field(default_factory=list)
    late: list[tuple[Hit, str]] = field(default_factory=list)
    """What has no room, each with the reason."""

    def add(self, hits: Sequence[Hit], share: int, budget: int) -> None:
        """Take as many of the hits as there is room for; a passage that is not core takes at most a share."""
        for hit in hits:
            shared = hit.kind in CUT_KINDS and hit.part is not PackagePart.CORE
            fitting = _fitted(hit, min(self.room, share) if shared else self.room, self.layout)
            if fitting is None:
                reason = f"{hit.tokens} tokens do not fit into the {self.room} that were left of {budget}"
                self.late.append((hit, reason))
            else:
                self.chosen.append(fitting)
                self.wholes.append(hit)
                self.room -= fitting.tokens

    def lengthen(self) -> None:
        """Give what room is left to the passages that were cut, in order."""
        for place, whole in enumerate(self.wholes):
            here = self.chosen[place].tokens
            longer = _fitted(whole, here + self.room, self.layout) or self.chosen[place]
            if longer.tokens > here:
                self.room -= longer.tokens - here
                self.chosen[place] = longer


def _share(budget: int) -> int:
    return max(int(budget * ITEM_SHARE), LEAST_ITEM_TOKENS)


def _fitted(hit: Hit, tokens: int, layout: Layout) -> Hit | None:
    """The hit in at most so many tokens: whole, cut, or not at all."""
    return hit if hit.tokens <= tokens else _shortened(hit, tokens, layout)


def _shortened(hit: Hit, tokens: int, layout: Layout) -> Hit | None:
    """A passage cut at its structure to at most so many tokens; None where too little would remain.

    Only passages and overviews are cut: a unit is one sentence, and half a sentence says something else.
    """
    if hit.kind not in CUT_KINDS:
        return None
    frame = _counted(hit.model_copy(update={"text": CUT_MARK, "cut": True}), layout).tokens
    room = tokens - frame
    least = LEAST_OVERVIEW_TOKENS if hit.kind in OVERVIEWS else LEAST_TEXT_TOKENS
    if room < least:
        return None
    for breaks in _BREAKS:
        ends = [found.start() for found in breaks.finditer(hit.text)]
        fitting = bisect_right(ends, room, key=lambda end: estimate_tokens(hit.text[:end]))
        text = hit.text[: ends[fitting - 1]].rstrip() if fitting else ""
        if estimate_tokens(text) >= max(least, room // 2):
            shorter = _counted(hit.model_copy(update={"text": text + CUT_MARK, "cut": True}), layout)
            if shorter.tokens <= tokens:
                return shorter
    return None


def _notices(hits: Sequence[Hit], chosen: Sequence[Hit], late: int, confidence: float) -> list[str]:
    if not hits:
        return [f"Nothing in this memory answers the query (confidence {confidence:.2f})."]
    said = _lack_of_room(sum(hit.cut for hit in chosen), late)
    return [said] if said else []


def confidence_notice(confidence: float) -> str:
    """How a package tells its confidence."""
    return f"Confidence {confidence:.2f}."


def room_notice(package: Package) -> str:
    """How a package tells what had no room in it; "" where all had."""
    notes = [hit for hit in package.hits if hit.kind not in OVERVIEWS]
    return _lack_of_room(sum(hit.cut for hit in notes), package.left_out)


def _lack_of_room(cut: int, late: int) -> str:
    parts = [f"{cut} cut short"] * bool(cut) + [f"{late} left out"] * bool(late)
    return _NOTICE.format(", ".join(parts)) if parts else ""


def _dropped(drop: DroppedCandidate) -> Dropped:
    payload = drop.candidate.payload
    return Dropped(
        id=payload.ref,
        kind=payload.kind,
        text=mask_secrets(payload.text[:SHOWN_OF_DROPPED]),
        stage=drop.stage,
        reason=drop.reason,
        similarity=round(drop.candidate.similarity, 4),
        relevance=round(drop.candidate.relevance, 4),
    )
