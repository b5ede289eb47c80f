"""The sweep `clean-duplicates`: notes that say the same become one that stands for all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from curation.pairs.near_duplicates import RULES, Merge, SameJudge, duplicate_groups, merges_of
from curation.pairs.small_judge import load_judge
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
from schemas.relation import Relation, RelationKind
from vault.judgements import judged_pairs
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.relations import parted_units, standing_relations

if TYPE_CHECKING:
    from curation.pairs import model_sameness
else:
    model_sameness = deferred("curation.pairs.model_sameness")


NAME = "clean-duplicates"

Judging = Callable[[Sequence[SweptNote], Collection[str] | None], tuple[SameJudge, Sequence[SweptNote]]]
"""The judge of these notes, and those on which there is no verdict: the next sweep tries them again."""


def clean_duplicates(request: SweepRequest, engine: EngineChoice = BY_RULES) -> SweepSummary:
    """Collapse near-duplicates; see `flows.sweeps.sweep.sweep` for what is raised.

    A language model is asked where the small judge is in doubt; what else is raised then is told at
    `clean_superseded`.
    """
    with opened_judging(engine, VaultLayout(request.vault)) as (name, judging):
        return sweep(NAME, partial(plan_duplicates, judging=judging, name=name), request)


@contextmanager
def opened_judging(engine: EngineChoice, layout: VaultLayout) -> Iterator[tuple[str, Judging]]:
    """Who judges, with its name."""
    if engine.name == "offline":
        yield RULES, by_small_judge
        return

    with open_model(asked_of(engine), layout.cache) as model:
        name = f"{RULES}+{model_sameness.sameness_name(model)}"
        yield name, partial(model_sameness.ask_in_doubt, model, load_judge())


def by_small_judge(
    _: Sequence[SweptNote], __: Collection[str] | None
) -> tuple[SameJudge, Sequence[SweptNote]]:
    """The offline judge, which always has a verdict."""
    return load_judge(), ()


def plan_duplicates(
    ledger: Ledger, corpus: Corpus, this: Pass, *, judging: Judging = by_small_judge, name: str = RULES
) -> SweepPlan:
    """Every merge that the new notes bring, judged and not yet written."""
    plan = SweepPlan(corpus.account)
    judge, silent = judging(corpus.notes, corpus.new)
    plan.unanswered.extend(note.event for note in silent)
    known = judged_pairs(ledger, corpus.account, NAME, list(dict.fromkeys((RULES, name))))
    refused = {frozenset((unit, other)) for unit, other, _ in known}
    parted = parted_units(ledger, corpus.account)
    stood_for: dict[str, list[str]] = {}
    earlier = {}
    for one in standing_relations(ledger, corpus.account, [RelationKind.DUPLICATE_OF]):
        stood_for.setdefault(one.other_id, []).append(one.unit_id)
        earlier[one.unit_id] = one
    for group in duplicate_groups(corpus.notes, corpus.new, judge):
        for merge in merges_of(group):
            # what the owner parted stays apart, and a pair that was judged does not come up again
            if merge.duplicate.id in parted or frozenset((merge.canonical.id, merge.duplicate.id)) in refused:
                continue
            _take_in(plan, merge, name, this)
            if merge.proposed and not this.act_on_kept:
                continue
            for unit in stood_for.get(merge.duplicate.id, ()):
                plan.withdrawn.append(earlier[unit])
                plan.relations.append(_duplicate_of(this, merge, unit))
    return plan


def _take_in(plan: SweepPlan, merge: Merge, judged_by: str, this: Pass) -> None:
    account, canonical, duplicate = merge.canonical.account, merge.canonical, merge.duplicate
    effect = Effect.PROPOSED if merge.proposed and not this.act_on_kept else Effect.APPLIED
    plan.judgements.append(
        Judgement(
            account=account, sweep=NAME, unit_id=canonical.id, other_id=duplicate.id,
            texts=texts_hash(canonical.text, duplicate.text), verdict="duplicate", reason=merge.reason,
            judge=judged_by, effect=effect, at=this.at, run=this.run,
        )
    )  # fmt: skip
    plan.texts |= {canonical.id: canonical.text, duplicate.id: duplicate.text}
    if effect is Effect.APPLIED:
        plan.relations.append(_duplicate_of(this, merge, duplicate.id))
        plan.events.append(archived(this, duplicate.id, f"duplicate of {canonical.id}: {merge.reason}"))
        plan.touched |= {canonical.id, duplicate.id}


def _duplicate_of(this: Pass, merge: Merge, unit: str) -> Relation:
    return relation_of(
        this, merge.canonical.account, unit, RelationKind.DUPLICATE_OF, merge.canonical.id, merge.reason
    )
