"""The sweep `clean-duplicates`: notes that say the same become one that stands for all."""

from __future__ import annotations

from curation.pairs.near_duplicates import RULES, Merge, duplicate_groups, merges_of
from curation.pairs.small_judge import load_judge
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
from schemas.judgement import Effect, Judgement, texts_hash
from schemas.relation import Relation, RelationKind
from vault.judgements import judged_pairs
from vault.ledger import Ledger
from vault.relations import parted_units, standing_relations

NAME = "clean-duplicates"


def clean_duplicates(request: SweepRequest) -> SweepSummary:
    """Collapse near-duplicates; see `flows.sweeps.sweep.sweep` for what is raised."""
    return sweep(NAME, plan_duplicates, request)


def plan_duplicates(ledger: Ledger, corpus: Corpus, this: Pass) -> SweepPlan:
    """Every merge that the new notes bring, judged and not yet written."""
    plan = SweepPlan(corpus.account)
    known = judged_pairs(ledger, corpus.account, NAME, [RULES])
    refused = {frozenset((unit, other)) for unit, other, _ in known}
    parted = parted_units(ledger, corpus.account)
    stood_for: dict[str, list[str]] = {}
    earlier = {}
    for one in standing_relations(ledger, corpus.account, [RelationKind.DUPLICATE_OF]):
        stood_for.setdefault(one.other_id, []).append(one.unit_id)
        earlier[one.unit_id] = one
    for group in duplicate_groups(corpus.notes, corpus.new, load_judge()):
        for merge in merges_of(group):
            # what the owner parted stays apart, and a pair that was judged does not come up again
            if merge.duplicate.id in parted or frozenset((merge.canonical.id, merge.duplicate.id)) in refused:
                continue
            _take_in(plan, merge, this)
            if merge.proposed and not this.act_on_kept:
                continue
            for unit in stood_for.get(merge.duplicate.id, ()):
                plan.withdrawn.append(earlier[unit])
                plan.relations.append(_duplicate_of(this, merge, unit))
    return plan


def _take_in(plan: SweepPlan, merge: Merge, this: Pass) -> None:
    account, canonical, duplicate = merge.canonical.account, merge.canonical, merge.duplicate
    effect = Effect.PROPOSED if merge.proposed and not this.act_on_kept else Effect.APPLIED
    plan.judgements.append(
        Judgement(
            account=account, sweep=NAME, unit_id=canonical.id, other_id=duplicate.id,
            texts=texts_hash(canonical.text, duplicate.text), verdict="duplicate", reason=merge.reason,
            judge=RULES, effect=effect, at=this.at, run=this.run,
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
