"""The sweeps as plain steps: what two notes are to one another is judged, then written, then published.

    fold     the owner's acts and standing instructions come first: a sweep respects what they say
    read     the account's notes that recall may show, and what is new since the last sweep
    judge    every judgement is made before the sweep writes anything
    write    relations, events, judgements and points go into the next generation
    publish  verified like any other

A sweep never changes what the owner kept: there it proposes, unless it is told to act. Nothing is erased:
`undo` takes relations back and gives the notes the state that they had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from uuid import uuid4

from curation.swept_note import SweptNote
from flows.generation.account_moves import settle_accounts
from flows.generation.loading import fold_journal, refresh_points
from flows.generation.note_filing import file_notes
from flows.generation.summary_rewrites import restate_summaries
from flows.generation.thread_linking import link_threads
from flows.ingest.steps import prepare
from inference import load_embedder
from schemas.base import Noun
from schemas.judgement import Effect, Judgement
from schemas.relation import Relation, RelationKind
from schemas.unit import Category, Speaker, State, UnitEvent
from vault.acts import lay_over, overlay_of
from vault.generations import Building, building, read_manifest, require_published
from vault.journal import Journal
from vault.judgements import add_judgements, notes_to_clean
from vault.layout import LEDGER_FILE, VaultLayout
from vault.ledger import Ledger
from vault.lock import writer_lock
from vault.opening import require_whole
from vault.relations import add_relations, withdraw_relations

LIMIT = 200_000
"""New notes that one sweep looks at, unless told otherwise; what is left, the next one takes."""


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What to sweep."""

    vault: Path
    account: str | None = None
    """None: every account, one after the other; nothing crosses."""
    dry_run: bool = False
    limit: int = LIMIT
    act_on_kept: bool = False
    """The owner's policy lets the sweep archive kept notes too."""
    archive: bool = True
    """Archive what the offline rules take for superseded; else propose it, as of what the owner kept."""


class SweepChange(Noun):
    """One change that a sweep made, or would make."""

    account: str
    effect: Effect
    verdict: str
    unit_id: str
    text: str
    other_id: str
    other_text: str
    reason: str


class SweepSummary(Noun):
    """What a sweep did."""

    sweep: str
    run: str
    dry_run: bool
    notes: int
    """Notes that recall may show, in all accounts looked at."""
    new: int
    """Of these, looked at as new since the last sweep."""
    judged: int
    """Pairs judged in this run."""
    effects: dict[str, int]
    changes: tuple[SweepChange, ...]
    remaining: int
    """New notes left for the next sweep."""
    unanswered: int
    """Pairs that got no verdict; the next sweep tries them again."""
    generation: int
    """Published by this run, or the one that stands."""
    seconds: dict[str, float]


@dataclass(slots=True)
class SweepPlan:
    """What a sweep is going to write for one account; made whole before the first write."""

    account: str
    judgements: list[Judgement] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    withdrawn: list[Relation] = field(default_factory=list)
    events: list[UnitEvent] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    """Units whose points change."""
    texts: dict[str, str] = field(default_factory=dict)
    unanswered: list[int] = field(default_factory=list)
    """Event numbers of the new notes of pairs that got no verdict: the next sweep begins with them."""
    cursor: int = 0
    notes: int = 0
    new: int = 0
    remaining: int = 0


@dataclass(frozen=True, slots=True)
class Corpus:
    """One account's notes, and what a sweep may look at as new."""

    account: str
    notes: Sequence[SweptNote]
    new: frozenset[str]
    cursor: int
    remaining: int


@dataclass(frozen=True, slots=True)
class Pass:
    """One run of one sweep."""

    sweep: str
    run: str
    at: datetime
    act_on_kept: bool
    archive: bool

    @property
    def actor(self) -> str:
        """Who archives."""
        return f"policy:{self.sweep}" if self.act_on_kept else f"sweep:{self.sweep}"


Planner = Callable[[Ledger, Corpus, Pass], SweepPlan]
"""Judges one account; reads the ledger and writes nothing."""


def sweep(name: str, planner: Planner, request: SweepRequest) -> SweepSummary:
    """Run one sweep over the accounts, and publish if there was anything new.

    Raises VaultEmpty, VaultLocked, DiskFull; IntegrityError where the next generation does not verify; and
    what the planner's judge raises, with nothing written.
    """
    layout = VaultLayout(request.vault)
    require_published(layout)
    this = Pass(name, str(uuid4()), datetime.now(UTC), request.act_on_kept, request.archive)
    if request.dry_run:
        with _as_published(layout) as ledger:
            plans = plans_of(ledger, planner, request, this)
        return _summarise(request, this, plans, require_published(layout))
    with writer_lock(layout):
        prepare(layout)
        with _as_published(layout) as ledger:
            corpora = corpora_of(ledger, request, this)
        if not any(corpus.new for corpus in corpora):
            idle = [SweepPlan(corpus.account, notes=len(corpus.notes)) for corpus in corpora]
            return _summarise(request, this, idle, require_published(layout))
        embedder = load_embedder()
        with building(layout, embedder.binding) as following:
            following.ledger.add_run(this.run, this.at, this.sweep, {"sweep": this.sweep})
            fold_journal(following, embedder, this.run)
            settle_accounts(following, this.run)
            plans = plans_of(following.ledger, planner, request, this)
            judged = datetime.now(UTC)
            write(following, plans, this)
            restate_summaries(following, embedder, this.run)
            link_threads(following, embedder, this.run)
            file_notes(following, embedder, this.run)
            following.ledger.finish_run(this.run, datetime.now(UTC))
            number = following.publish(this.run, datetime.now(UTC)).number
    ended = datetime.now(UTC)
    seconds = {"judge": (judged - this.at).total_seconds(), "write": (ended - judged).total_seconds()}
    return _summarise(request, this, plans, number, seconds)


@contextmanager
def _as_published(layout: VaultLayout) -> Iterator[Ledger]:
    """A private copy of the published ledger in the present schema, the owner's newest acts laid over it."""
    published = layout.generation(require_published(layout))
    require_whole(layout, read_manifest(published), LEDGER_FILE)
    with TemporaryDirectory(prefix="mnemic-") as folder:
        copy = Path(folder) / LEDGER_FILE
        copyfile(published / LEDGER_FILE, copy)
        with Ledger.open(copy, read_only=False) as ledger:
            if layout.journal.exists():
                with Journal(layout.journal) as journal:
                    folded = read_manifest(published).journal_seq
                    lay_over(ledger, overlay_of(journal, folded, lambda: ledger))
            yield ledger


def plans_of(ledger: Ledger, planner: Planner, request: SweepRequest, this: Pass) -> list[SweepPlan]:
    """What the sweep is going to write, account by account."""
    plans = []
    for corpus in corpora_of(ledger, request, this):
        plan = planner(ledger, corpus, this)
        plan.notes, plan.new, plan.remaining = len(corpus.notes), len(corpus.new), corpus.remaining
        # an error is no verdict: what got none is new for the next sweep too
        plan.cursor = min((event - 1 for event in plan.unanswered), default=corpus.cursor)
        plans.append(plan)
    return plans


def corpora_of(ledger: Ledger, request: SweepRequest, this: Pass) -> list[Corpus]:
    """The corpus of each account that is asked for; together they have no more than `limit` new notes."""
    corpora = []
    left = request.limit
    for account in ledger.accounts():
        if request.account in (None, account):
            corpora.append(read_corpus(ledger, account, this.sweep, left))
            left -= len(corpora[-1].new)
    return corpora


def cursor_name(sweep_name: str, account: str) -> str:
    """Where the ledger keeps how far a sweep has come in an account."""
    return f"swept:{sweep_name}:{account}"


def read_corpus(ledger: Ledger, account: str, name: str, limit: int) -> Corpus:
    """An account's notes in the order of their newest events, the first `limit` after the cursor as new."""
    since = int(ledger.setting(cursor_name(name, account)) or 0)
    notes = [
        SweptNote(
            id=str(identity), account=account, conversation_id=str(conversation), text=str(text),
            category=Category(str(category)), speaker=Speaker(str(speaker)),
            speaker_name=None if name_of is None else str(name_of),
            said_at=said_at if isinstance(said_at, datetime) else None,
            state=State(str(state)), event=int(str(event)),
        )
        for identity, conversation, text, category, speaker, name_of, said_at, state, event
        in notes_to_clean(ledger, account)
    ]  # fmt: skip
    fresh = [note for note in notes if note.event > since]
    taken = fresh[: max(0, limit)]
    cursor = taken[-1].event if taken else since
    return Corpus(account, notes, frozenset(note.id for note in taken), cursor, len(fresh) - len(taken))


def write(following: Building, plans: Sequence[SweepPlan], this: Pass) -> None:
    """Carry the plans out in the generation that is being built."""
    ledger = following.ledger
    for plan in plans:
        withdraw_relations(
            ledger, plan.withdrawn, actor=this.actor, reason="another note stands for both", at=this.at
        )
        add_relations(ledger, plan.relations)
        ledger.add_events(plan.events)
        add_judgements(ledger, plan.judgements)
        ledger.settle(cursor_name(this.sweep, plan.account), str(plan.cursor))
        refresh_points(following, sorted(plan.touched), this.run)


def _summarise(
    request: SweepRequest,
    this: Pass,
    plans: Sequence[SweepPlan],
    number: int,
    seconds: Mapping[str, float] | None = None,
) -> SweepSummary:
    judgements = [one for plan in plans for one in plan.judgements]
    texts = {unit: text for plan in plans for unit, text in plan.texts.items()}
    effects: dict[str, int] = {}
    for one in judgements:
        effects[one.effect.value] = effects.get(one.effect.value, 0) + 1
    return SweepSummary(
        sweep=this.sweep,
        run=this.run,
        dry_run=request.dry_run,
        notes=sum(plan.notes for plan in plans),
        new=sum(plan.new for plan in plans),
        judged=len(judgements),
        effects=dict(sorted(effects.items())),
        changes=tuple(_change(one, texts) for one in judgements if one.effect is not Effect.NONE),
        remaining=sum(plan.remaining for plan in plans),
        unanswered=sum(len(plan.unanswered) for plan in plans),
        generation=number,
        seconds={stage: round(taken, 3) for stage, taken in (seconds or {}).items()},
    )


def _change(one: Judgement, texts: dict[str, str]) -> SweepChange:
    return SweepChange(
        account=one.account, effect=one.effect, verdict=one.verdict, unit_id=one.unit_id,
        text=texts[one.unit_id], other_id=one.other_id, other_text=texts[one.other_id], reason=one.reason,
    )  # fmt: skip


def relation_of(this: Pass, account: str, unit: str, kind: RelationKind, other: str, reason: str) -> Relation:
    """A relation of this run."""
    return Relation(
        account=account, unit_id=unit, kind=kind, other_id=other, reason=reason,
        actor=this.actor, at=this.at, run=this.run,
    )  # fmt: skip


def archived(this: Pass, unit: str, reason: str) -> UnitEvent:
    """The event that archives a note in this run."""
    return UnitEvent(
        unit_id=unit, state=State.ARCHIVED, actor=this.actor, reason=reason, at=this.at, run=this.run
    )
