"""Recall: the funnel as a list, in the order in which candidates meet its steps.

gather            candidates by relevance alone, filters inside the engine
web               beside them, where it is on: pages that were saved, and the live web (`retrieval.web_lane`)
given before      in a session, what it was handed before goes, and what says nothing more
confidence        how likely the answer is among what came through the floor; everything goes where that is
                  too little
similarity floor  a backstop against noise, and the abstention where nothing comes close
fit-gate          what only shares words with the query goes, whatever its tier
rerank            a second look at the best, where one is asked for
rank              relevance x tier weight x recency, and a share of the best of the same thread
exact dedup       notes that say the same become one that keeps all their evidence
spread            further notes of one conversation count for less and less
successors        what another note takes the place of comes after it
beside the best   what is less than half as relevant as the best goes
limit             as many as were asked for
overviews         after the notes, at most a map and a summary that they come from
assemble          the package, within its budget
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import TypeAlias

from inference.embedder import Embedder
from inference.query_vectors import RememberedQueries
from inference.secrets import mask_secrets
from retrieval.assembly import DroppedCandidate, assemble
from retrieval.deep.comparison import Compared
from retrieval.deep.escalation import Primary, escalated
from retrieval.deep.expansion import Neighbour
from retrieval.deep.merging import ANSWERS, blended, steps_after
from retrieval.funnel_step import Step
from retrieval.package import Package, StepTime
from retrieval.question import NOW, Mode, Question
from retrieval.rank.overviews import beside
from retrieval.rank.redundancy import Said
from retrieval.rank.reranking import second_look
from retrieval.rank.scoring import novelty, recency, score, voiced
from retrieval.rank.thresholds import above_floor, beside_best
from retrieval.relevance.abstention import doubt
from retrieval.relevance.confidence import confidence_of
from retrieval.relevance.filter_verdict import FilterVerdict
from retrieval.relevance.relevance_filter import PlacedNote
from retrieval.search.decomposition import gather_decomposed
from retrieval.search.hybrid import Candidate, gather
from retrieval.search.query_spelling import corrected
from retrieval.supplement import RecallSession, supplied, ungiven
from retrieval.thread_order import lent
from retrieval.web_lane import WebFound
from schemas.provenance import CONVERSATIONAL_TIERS, DOCUMENTS, Tier
from vault.index import Index
from vault.points import OVERVIEWS

BESIDE_TALK = 0.55
"""A document has to be so relevant beside the best of the talk. It stands in no conversation that would speak
against it, and its weight and that it does not fade would put a page on the owner before every answer."""

BESIDE_REASON = "a document, and what was said is much nearer"

JUDGED_BY_ITS_LANE = FilterVerdict(True, "judged by its lane")

Around: TypeAlias = Callable[[Question, Sequence[Candidate]], list[Candidate]]
"""What comes after the notes that are left; see `retrieval.rank.overviews`."""


def fitting(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """Drop what only shares words with the query, judged by where it comes from and by what else it says.

    What comes from the web was judged by its lane, which keeps nothing in doubt.
    """
    if not question.judged:
        return list(candidates), []
    own = [one for one in candidates if one.payload.tier is not Tier.WEB]
    verdicts = iter(question.judge(question.text, question.intent, [_placed(one) for one in own]))
    said = max((one.relevance for one in candidates if one.payload.tier not in DOCUMENTS), default=0.0)
    kept: list[Candidate] = []
    drops: list[DroppedCandidate] = []
    for one in candidates:
        verdict = JUDGED_BY_ITS_LANE if one.payload.tier is Tier.WEB else next(verdicts)
        beside = one.payload.tier is Tier.RESOURCE and one.relevance < BESIDE_TALK * said
        if verdict.kept and not beside:
            kept.append(one)
        else:
            drops.append(
                DroppedCandidate(one, "fit-gate", verdict.reason if not verdict.kept else BESIDE_REASON)
            )
    return _with_their_successors(kept, drops)


def _with_their_successors(
    kept: list[Candidate], drops: list[DroppedCandidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """What is about the question is not shown without the note that takes its place."""
    wanted = {one.superseded_by for one in kept if one.superseded_by}
    back = [drop.candidate for drop in drops if drop.candidate.payload.ref in wanted]
    if not back:
        return kept, drops
    rest = [drop for drop in drops if drop.candidate.payload.ref not in wanted]
    return _with_their_successors([*kept, *back], rest)


def _placed(candidate: Candidate) -> PlacedNote:
    payload = candidate.payload
    place = "\n".join((candidate.home, *payload.heading_path))
    # what retells a conversation is no further voice in it
    company = payload.ref if payload.kind in OVERVIEWS else payload.conversation_id
    return PlacedNote(payload.text, place, company, candidate.at_home)


def reranked(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """Relevance as a second look has it, where the question has one."""
    if question.reranker is None:
        return list(candidates), []
    return second_look(question.text, candidates, question.reranker), []


def ranked(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """Order by relevance x weight x recency and what the thread lends, best first; ties by id."""
    fresh = _fresh(question, candidates)
    own = [
        score(one.relevance, one.payload.weight, recent)
        for one, recent in zip(candidates, fresh, strict=True)
    ]
    conversations = [one.payload.conversation_id for one in candidates]
    own = voiced(
        [
            (where, one.payload.speaker if one.payload.tier in CONVERSATIONAL_TIERS else None, total)
            for one, where, total in zip(candidates, conversations, own, strict=True)
        ]
    )
    gifts = lent(
        [(one.thread, where, total) for one, where, total in zip(candidates, conversations, own, strict=True)]
    )
    scored = [
        one.scored(total + gifts.get(where, 0.0), recent, one.novelty)
        for one, where, total, recent in zip(candidates, conversations, own, fresh, strict=True)
    ]
    scored.sort(key=lambda one: (-one.score, one.id))
    return scored, []


def _fresh(question: Question, candidates: Sequence[Candidate]) -> list[float]:
    """The recency of each. A document has none of its own; where talk is nearer by relevance x weight, it is
    as fresh as the best of that talk: what was said fades, and no page comes before it by its fading."""
    fresh = [recency(one.payload.tier, one.payload.said_at, question.as_of, one.newer) for one in candidates]
    near = [one.relevance * one.payload.weight for one in candidates]
    talk = [place for place, one in enumerate(candidates) if one.payload.tier in CONVERSATIONAL_TIERS]
    talk.sort(key=lambda place: near[place] * fresh[place], reverse=True)
    for place, one in enumerate(candidates):
        if one.payload.tier in DOCUMENTS:
            nearer = (fresh[other] for other in talk if near[other] >= near[place])
            fresh[place] = min(fresh[place], next(nearer, 1.0))
    return fresh


def deduplicated(
    _: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """What says nothing more than an earlier note becomes one with it, which keeps its evidence and id. A
    unit that says an earlier one's words and more takes its place, unless that one weighs more."""
    kept: list[Candidate] = []
    drops: list[DroppedCandidate] = []
    said = Said()
    for one in candidates:
        place = said.already(one.payload)
        if place is not None:
            kept[place], drop = _as_one(kept[place], one)
        elif (shorter := said.shortened(one.payload)) is not None and kept[
            shorter
        ].payload.weight <= one.payload.weight:
            fuller = one.scored(kept[shorter].score, one.recency, one.novelty)
            kept[shorter], drop = _as_one(fuller, kept[shorter])
            said.note(one.payload, shorter)
        else:
            said.note(one.payload, len(kept))
            kept.append(one)
            continue
        drops.append(drop)
    return kept, drops


def _as_one(stays: Candidate, goes: Candidate) -> tuple[Candidate, DroppedCandidate]:
    together = replace(stays, duplicates=(*stays.duplicates, goes.payload, *goes.duplicates))
    return together, DroppedCandidate(goes, "exact dedup", f"said by {stays.payload.ref}")


def spread(_: Question, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """Let other conversations speak before one has said everything; ties by id."""
    said = Counter[str]()
    spaced = []
    for one in candidates:
        new = novelty(said[one.payload.conversation_id])
        spaced.append(one.scored(one.score * new, one.recency, new))
        said[one.payload.conversation_id] += 1
    spaced.sort(key=lambda one: (-one.score, one.id))
    return spaced, []


def behind_successors(
    _: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """A note that another takes the place of comes right after that one, if it came before it."""
    ordered = list(candidates)
    for one in candidates:
        newer = one.superseded_by
        if newer is None:
            continue
        place = next((at for at, other in enumerate(ordered) if newer in _refs(other)), None)
        if place is not None and ordered.index(one) < place:
            ordered.remove(one)
            # the successor has moved up by one
            ordered.insert(place, replace(one, score=min(one.score, ordered[place - 1].score)))
    return ordered, []


def _refs(candidate: Candidate) -> list[str]:
    return [one.ref for one in (candidate.payload, *candidate.duplicates)]


def first_few(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """As many as were asked for."""
    kept = list(candidates[: question.limit])
    reason = f"ranked below the first {question.limit}"
    return kept, [DroppedCandidate(one, "limit", reason) for one in candidates[question.limit :]]


FUNNEL: tuple[tuple[str, Step], ...] = (
    ("similarity floor", above_floor),
    ("fit-gate", fitting),
    ("rerank", reranked),
    ("rank", ranked),
    ("exact dedup", deduplicated),
    ("spread", spread),
    ("behind successors", behind_successors),
    ("beside the best", beside_best),
    ("limit", first_few),
)


def recall(
    question: Question, index: Index, embedder: Embedder | None, session: RecallSession | None = None
) -> Package:
    """The notes that answer a question, ranked, inside the budget of its options.

    Unless it names kinds, at most one thread map and one summary come after the notes beyond its limit, but
    not beyond its `most` (`retrieval.rank.overviews`). BM25 alone needs no `embedder`. In a `session` only
    what it was not handed before, inside what is left of its budget.
    """
    if session is not None:
        return supplied(session, question, index, lambda asked: recall(asked, index, embedder))
    return escalated(primary_of(question, index, embedder), index)


def primary_of(question: Question, index: Index, embedder: Embedder | None) -> Primary:
    """What recall comes to before it looks further."""
    if question.as_of == NOW:
        question = replace(question, as_of=datetime.now(UTC))
    watch = Stopwatch()
    embedder = None if question.mode is Mode.BM25 or embedder is None else RememberedQueries(embedder)
    find = gather_decomposed if question.decomposed or question.writer else gather
    candidates = find(question, index, embedder)
    text = corrected(question.text, (said for one in candidates for said in (one.home, one.payload.text)))
    if text != question.text:
        question = read_as(text, question)
        candidates = find(question, index, embedder)
    watch.lap("gather", len(candidates))
    around = partial(beside, index=index, embedder=embedder)
    web = WebFound() if question.web is None else question.web(question, candidates, embedder)
    if question.web is not None:
        watch.lap("web", len(web.candidates))
    question = _telling_of(web, question)
    package = package_of(question, candidates, watch, around=around, web=web)
    merge = partial(_with_pool, question, candidates, around, web)
    return Primary(question, candidates, package, embedder, merge)


def _with_pool(
    question: Question,
    candidates: Sequence[Candidate],
    around: Around,
    web: WebFound,
    pool: Sequence[Neighbour],
    compared: Compared,
) -> Package:
    """The package of what was gathered and of a deep search's pool. A note that holds a part of the answer
    shows that the memory answers; without anybody's word that is asked of the candidates as ever."""
    answers = compared.judged and max(compared.scores.values(), default=0.0) >= ANSWERS
    return package_of(
        question,
        blended(candidates, pool, compared),
        steps=steps_after(FUNNEL, compared),
        around=around,
        web=web,
        abstains=not answers,
    )


def _telling_of(web: WebFound, question: Question) -> Question:
    """With a notice of what left the machine, where anything did."""
    if web.report is None or not web.report.live:
        return question
    sent = "; ".join(web.report.sent) or "nothing"
    notice = f"Live web ({web.report.provider}) asked: {sent}"
    return replace(question, options=replace(question.options, notices=(*question.options.notices, notice)))


def read_as(text: str, question: Question) -> Question:
    """The question with its spelling corrected, which its package says."""
    notices = (*question.options.notices, f"Read as: {mask_secrets(text)}")
    return replace(question, text=text, options=replace(question.options, notices=notices))


NOTHING_BESIDE = WebFound()


def nothing_around(_: Question, __: Sequence[Candidate]) -> list[Candidate]:
    """The notes alone."""
    return []


def package_of(
    question: Question,
    candidates: Sequence[Candidate],
    watch: Stopwatch | None = None,
    steps: Sequence[tuple[str, Step]] = FUNNEL,
    around: Around = nothing_around,
    *,
    web: WebFound = NOTHING_BESIDE,
    abstains: bool = True,
) -> Package:
    """What the funnel makes of the candidates: whether they answer at all, each step in order, what stands
    around the notes that came through, then the package. Without `abstains` they always answer.

    The web's candidates change neither the confidence nor the abstention: those are the memory's own.
    """
    watch = watch or Stopwatch()
    candidates, repeated = ungiven(question, candidates)
    if question.given:
        watch.lap("given before", len(candidates))
    came, drops = above_floor(question, candidates)
    confidence = confidence_of(question, came)
    reason = doubt(question, came, confidence) if abstains and came else None
    if reason is None:
        kept, drops = (list(came), drops) if web.candidates else (list(candidates), [])
    else:
        kept, drops = [], [*drops, *(DroppedCandidate(one, "abstention", reason) for one in came)]
    found, known = ungiven(question, web.candidates)
    kept, drops = [*kept, *found], [*repeated, *known, *web.dropped, *drops]
    watch.lap("confidence", len(kept))
    for name, step in steps:
        kept, dropped = step(question, kept)
        drops += dropped
        watch.lap(name, len(kept))
    overviews, _ = ungiven(question, around(question, kept))
    if question.most is not None:
        overviews = overviews[: max(question.most - len(kept), 0)]
    watch.lap("overviews", len(overviews))
    package = assemble(question, kept, drops, confidence, overviews)
    watch.lap("assemble", len(package.hits))
    if web.report is not None:
        package = package.model_copy(update={"web": web.report})
    return package.model_copy(update={"steps": tuple(watch.laps)}) if question.options.explained else package


class Stopwatch:
    """How long each step took."""

    def __init__(self) -> None:
        self.laps: list[StepTime] = []
        self._began = perf_counter()

    def lap(self, step: str, kept: int) -> None:
        """The step is over; the next one begins."""
        now = perf_counter()
        self.laps.append(StepTime(step=step, milliseconds=round(1000 * (now - self._began), 2), kept=kept))
        self._began = now
