"""The sweep `clean-superseded`: a newer note takes an older one's place, where a judge says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from curation.pairs.candidate_pairs import CandidatePair, changes
from curation.pairs.pair import JudgedNote, NotePair, PairVerdict, Ruling
from curation.pairs.small_judge import JUDGE, load_judge
from curation.swept_note import SweptNote
from flows.engines.engine_choice import BY_RULES, EngineChoice, asked_of
from flows.sweeps.sweep import (
    Corpus,
    Pass,
    SweepPlan,
    SweepRequest,
    SweepSummary,
    archived,
    relation_of,
    sweep,
)
from inference.provider_choice import open_model
from schemas.deferred import deferred
from schemas.judgement import Effect, Judgement, texts_hash
from schemas.relation import RelationKind
from vault.judgements import judged_pairs
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.relations import standing_relations

if TYPE_CHECKING:
    from curation.pairs import model_judge
else:
    model_judge = deferred("curation.pairs.model_judge")


NAME = "clean-superseded"

IN_CONVERSATION = "extraction"
"""Who judges where the conversation itself takes something back."""

Judge = Callable[[Sequence[NotePair]], Sequence[Ruling | None]]
"""One ruling a pair; None where there is no verdict, and the pair is tried again by the next sweep."""


def clean_superseded(request: SweepRequest, engine: EngineChoice = BY_RULES) -> SweepSummary:
    """Retire what newer notes took the place of; see `flows.sweeps.sweep.sweep` for what is raised.

    With a language model also UsageError without a price, ServiceRefused, ServiceUnavailable, BudgetReached:
    then nothing was written, and what was answered is not paid for again.
    """
    with opened_judge(engine, VaultLayout(request.vault)) as (name, decide):
        return sweep(NAME, partial(plan_superseded, decide=decide, name=name), request)


@contextmanager
def opened_judge(engine: EngineChoice, layout: VaultLayout) -> Iterator[tuple[str, Judge]]:
    """The judge that was chosen, with its name."""
    if engine.name == "offline":
        yield JUDGE, by_small_judge
        return

    with open_model(asked_of(engine), layout.cache) as model:
        yield model_judge.judge_name(model), partial(model_judge.judge_with, model)


def by_small_judge(pairs: Sequence[NotePair]) -> list[Ruling | None]:
    """The offline judge's rulings."""
    judge = load_judge()
    return [judge.ruling(pair) for pair in pairs]


def plan_superseded(
    ledger: Ledger, corpus: Corpus, this: Pass, *, decide: Judge = by_small_judge, name: str = JUDGE
) -> SweepPlan:
    """Every pair that the new notes bring, judged and not yet written."""
    plan = SweepPlan(corpus.account)
    notes = {note.id: note for note in corpus.notes}
    known = judged_pairs(ledger, corpus.account, NAME, [name, IN_CONVERSATION])
    retired: set[str] = set()
    for link in standing_relations(ledger, corpus.account, [RelationKind.SUPERSEDES]):
        newer, older = notes.get(link.unit_id), notes.get(link.other_id)
        if link.actor.startswith("extract:") and newer and older:
            ruling = Ruling(PairVerdict.SUPERSEDE, link.reason)
            _take_in(plan, newer, older, ruling, IN_CONVERSATION, this, known, retired)
    pairs = [pair for pair in changes(corpus.notes, corpus.new) if _key(pair) not in known]
    for pair, said in zip(pairs, decide([pair_of(pair) for pair in pairs]), strict=True):
        if said is None:
            plan.unanswered.append(pair.newer.event)
        else:
            _take_in(plan, pair.newer, pair.older, said, name, this, known, retired)
    return plan


def _key(pair: CandidatePair) -> tuple[str, str, str]:
    return pair.newer.id, pair.older.id, texts_hash(pair.newer.text, pair.older.text)


def pair_of(candidate: CandidatePair) -> NotePair:
    """The pair as a judge sees it."""
    return NotePair(_judged(candidate.older), _judged(candidate.newer))


def _judged(note: SweptNote) -> JudgedNote:
    return JudgedNote(note.text, note.category, note.speaker, note.said_at)


def _take_in(
    plan: SweepPlan, newer: SweptNote, older: SweptNote, ruling: Ruling, judged_by: str, this: Pass,
    known: set[tuple[str, str, str]], retired: set[str],
) -> None:  # fmt: skip
    texts = texts_hash(newer.text, older.text)
    # a note that was just retired retires nothing, and is retired once
    if (newer.id, older.id, texts) in known or older.id in retired or newer.id in retired:
        return
    known.add((newer.id, older.id, texts))
    effect = _effect(ruling, older, judged_by, this)
    plan.judgements.append(
        Judgement(
            account=older.account, sweep=NAME, unit_id=newer.id, other_id=older.id, texts=texts,
            verdict=ruling.verdict.value, reason=ruling.reason, judge=judged_by, effect=effect,
            at=this.at, run=this.run,
        )
    )  # fmt: skip
    if effect is Effect.NONE:
        return
    plan.texts |= {newer.id: newer.text, older.id: older.text}
    kind = RelationKind.CONTRADICTS if ruling.verdict is PairVerdict.CONTRADICT else RelationKind.SUPERSEDES
    plan.relations.append(relation_of(this, older.account, newer.id, kind, older.id, ruling.reason))
    plan.touched |= {newer.id, older.id}
    if effect is Effect.APPLIED:
        retired.add(older.id)
        plan.events.append(archived(this, older.id, f"superseded by {newer.id}"))


def _effect(ruling: Ruling, older: SweptNote, judged_by: str, this: Pass) -> Effect:
    if ruling.verdict is PairVerdict.CONTRADICT:
        return Effect.LINKED
    if ruling.verdict is PairVerdict.KEEP_BOTH:
        return Effect.NONE
    sure = judged_by != JUDGE or this.archive
    return Effect.APPLIED if sure and (this.act_on_kept or not older.kept) else Effect.PROPOSED
