"""The owner's word on what a sweep did or proposed: undo it, or accept a proposal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from flows.generation.account_moves import settle_accounts
from flows.generation.loading import fold_journal, refresh_points
from flows.generation.note_filing import file_notes
from flows.generation.summary_rewrites import restate_summaries
from flows.generation.thread_linking import link_threads
from flows.ingest.steps import prepare
from inference import load_embedder
from inference.embedder import Embedder
from schemas.base import Noun
from schemas.errors import UnknownId
from schemas.judgement import Effect
from schemas.relation import Relation, RelationKind
from schemas.unit import RECALLED_STATES, State, UnitEvent
from vault.generations import Building, building, require_published
from vault.judgements import judgements_log, states_before
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.relations import add_relations, relations_of, run_relations, withdraw_relations

USER = "user"
DECIDED = (RelationKind.DUPLICATE_OF, RelationKind.SUPERSEDES, RelationKind.CONTRADICTS)


@dataclass(frozen=True, slots=True)
class Decision:
    """Which notes, or which run of a sweep, the owner speaks of; with an account, of that one alone."""

    vault: Path
    units: tuple[str, ...] = ()
    run: str | None = None
    reason: str = ""
    account: str | None = None


class DecisionSummary(Noun):
    """What the owner's word changed."""

    restored: tuple[str, ...]
    """Notes that recall shows again."""
    archived: tuple[str, ...]
    relations: int
    """Relations taken back, or added."""
    generation: int


def undo(decision: Decision) -> DecisionSummary:
    """Take back what sweeps did to these notes, or in this run; the pairs do not come up again.

    Raises UnknownId where there is nothing to take back.
    """
    with _writing(decision) as (following, embedder, run, at):
        ledger = following.ledger
        found = run_relations(ledger, decision.run, DECIDED) if decision.run else []
        found += relations_of(ledger, decision.units, DECIDED)
        found = [one for one in found if decision.account in (None, one.account)]
        if not found:
            raise UnknownId(
                "no sweep did anything to these notes", remedy="`mnemic clean log` shows what was done"
            )
        reason = decision.reason or "undone by the owner"
        withdraw_relations(ledger, found, actor=USER, reason=reason, at=at)
        hidden = sorted({_hidden(one) for one in found})
        states, before = ledger.states(hidden), states_before(ledger, hidden)
        restored = [unit for unit in hidden if states.get(unit) is State.ARCHIVED and unit in before]
        ledger.add_events(_events([(unit, before[unit]) for unit in restored], reason, run, at))
        touched = sorted({unit for one in found for unit in (one.unit_id, one.other_id)})
        refresh_points(following, touched, run)
        return _publish(following, embedder, run, at, restored, [], len(found))


def accept(decision: Decision) -> DecisionSummary:
    """Let what was proposed for these notes come true: they are archived.

    Raises UnknownId where nothing is proposed for one of them.
    """
    with _writing(decision) as (following, embedder, run, at):
        ledger = following.ledger
        proposals = {
            str(row["other_id"]): row
            for row in judgements_log(ledger, decision.account, [Effect.PROPOSED.value], limit=1_000_000)
            if row["other_id"] in decision.units and row["other_state"] in RECALLED_STATES
        }
        for unit in decision.units:
            if unit not in proposals:
                raise UnknownId(
                    "nothing is proposed for it",
                    where=unit,
                    remedy="`mnemic clean log --proposed` shows what is",
                )
        staying = ledger.states([str(row["unit_id"]) for row in proposals.values()])
        for unit, row in proposals.items():
            if staying.get(str(row["unit_id"])) not in RECALLED_STATES:
                raise UnknownId("what would stay in its place is out of recall itself", where=unit)
        relations = [
            Relation(
                account=str(row["account"]), unit_id=unit, kind=RelationKind.DUPLICATE_OF,
                other_id=str(row["unit_id"]), reason=str(row["reason"]), actor=USER, at=at, run=run,
            )
            for unit, row in proposals.items() if row["verdict"] == "duplicate"
        ]  # fmt: skip
        add_relations(ledger, relations)
        reason = decision.reason or "a sweep proposed it and the owner agreed"
        ledger.add_events(_events([(unit, State.ARCHIVED) for unit in proposals], reason, run, at))
        touched = sorted({str(row[side]) for row in proposals.values() for side in ("unit_id", "other_id")})
        refresh_points(following, touched, run)
        return _publish(following, embedder, run, at, [], sorted(proposals), len(relations))


def _hidden(one: Relation) -> str:
    """The side of a relation that it takes out of sight."""
    return one.unit_id if one.kind is RelationKind.DUPLICATE_OF else one.other_id


def _events(states: Sequence[tuple[str, State]], reason: str, run: str, at: datetime) -> list[UnitEvent]:
    return [
        UnitEvent(unit_id=unit, state=state, actor=USER, reason=reason, at=at, run=run)
        for unit, state in states
    ]


@contextmanager
def _writing(decision: Decision) -> Iterator[tuple[Building, Embedder, str, datetime]]:
    """The next generation, with the owner's acts folded; what raises leaves the published one as it is."""
    layout = VaultLayout(decision.vault)
    require_published(layout)
    with writer_lock(layout):
        prepare(layout)
        embedder = load_embedder()
        run, at = str(uuid4()), datetime.now(UTC)
        with building(layout, embedder.binding) as following:
            following.ledger.add_run(run, at, "clean", {})
            fold_journal(following, embedder, run)
            settle_accounts(following, run)
            yield following, embedder, run, at


def _publish(
    following: Building,
    embedder: Embedder,
    run: str,
    at: datetime,
    restored: Sequence[str],
    archived: Sequence[str],
    relations: int,
) -> DecisionSummary:
    restate_summaries(following, embedder, run)
    link_threads(following, embedder, run)
    file_notes(following, embedder, run)
    following.ledger.finish_run(run, datetime.now(UTC))
    manifest = following.publish(run, at)
    return DecisionSummary(
        restored=tuple(restored), archived=tuple(archived), relations=relations, generation=manifest.number
    )
