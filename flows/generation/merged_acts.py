"""The owner's acts on a branch, as they come to the main line.

They become true with the generation that a merge publishes, all at once, and come to the journal after
that, under numbers that it set aside. Where the merge was killed in between, the next writer brings them
there from the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from uuid import NAMESPACE_OID, uuid4, uuid5

from flows.generation.act_matters import Matter, Matters
from schemas.act import Act, ActKind
from schemas.base import Noun
from vault.generations import published_ledger
from vault.journal import USER, Journal, live
from vault.layout import VaultLayout

Strategy = Literal["ours", "theirs", "skip"]
MERGE = "merge"
"""Command of the runs that merge branches."""


class Conflict(Noun):
    """A matter in which the owner acted on both lines since the branch began, with different outcomes: a
    note's state, its words or its place, a policy, a path of one account, or an account."""

    subject: str
    """Id of a note, name of a policy, a path, or the name of an account."""
    ours: tuple[str, ...]
    """What stands on the main line: kinds of act, oldest first, with a correction's text and the like."""
    theirs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActReplay:
    """What the acts of a branch come to on the main line."""

    acts: tuple[Act, ...]
    """To do, in order; each `seq` is still the branch's, or 0."""
    conflicts: tuple[Conflict, ...]


def replay(main: Journal, branch: Journal, since: int, strategy: Strategy, name: str) -> ActReplay:
    """The acts of the branch after `since` that the main line lacks, conflicts decided by `strategy`.

    Each keeps its id, author, time and lot, so that a second merge finds it done. `ours` and `skip` leave
    out what was done in matters in conflict; `theirs` first gives such a matter the acts that stood when the
    branch began.
    """
    done = branch.after(since)
    known = {act.id for act in main.named(act.id for act in done)}
    fresh = [act for act in done if act.id not in known]
    elsewhere = {act.id for act in done}
    newer = [act for act in main.after(since) if act.id not in elsewhere]
    matters = Matters(main, branch, newer, fresh)
    both = sorted({matters.of(act) for act in fresh} & {matters.of(act) for act in newer})
    subjects = {act.subject for act in (*newer, *fresh) if matters.of(act) in both}
    ours, theirs = (_by_matter(live(line.about(subjects)), matters) for line in (main, branch))
    told = {
        one: tuple(tuple(map(matters.told, line.get(one, ()))) for line in (ours, theirs)) for one in both
    }
    conflicts = [one for one in both if told[one][0] != told[one][1]]
    left_out = set(both).difference(conflicts) if strategy == "theirs" else set(both)
    before: list[Act] = []
    if strategy == "theirs":
        for one in conflicts:
            before.extend(_as_it_stood(ours.get(one, []), theirs.get(one, []), fresh, name))
    return ActReplay(
        (*before, *(act for act in fresh if matters.of(act) not in left_out)),
        tuple(Conflict(subject=one[-1], ours=told[one][0], theirs=told[one][1]) for one in conflicts),
    )


def _by_matter(acts: Iterable[Act], matters: Matters) -> dict[Matter, list[Act]]:
    found: dict[Matter, list[Act]] = {}
    for act in acts:
        found.setdefault(matters.of(act), []).append(act)
    return found


def _as_it_stood(ours: Sequence[Act], theirs: Sequence[Act], fresh: Sequence[Act], name: str) -> list[Act]:
    """Undos of what stands on the main line alone, and again what only there was taken back."""
    at, lot, reason = datetime.now(UTC), str(uuid4()), f"merged from branch {name}"
    new, there, here = {act.id for act in fresh}, {act.id for act in theirs}, {act.id for act in ours}
    undos = [
        Act(seq=0, id=str(uuid4()), lot=lot, kind=ActKind.UNDO, subject=act.subject, actor=USER,
        reason=reason,
            at=at, detail=act.id)
        for act in ours if act.id not in there
    ]  # fmt: skip
    # an undo cannot be taken back: what it took back is done again
    again = [
        act.model_copy(
            update={"seq": 0, "id": str(uuid5(NAMESPACE_OID, f"{lot} {act.id}")), "lot": lot, "at": at}
        )
        for act in theirs
        if act.id not in here and act.id not in new
    ]
    return undos + again


def numbered(journal: Journal, acts: Sequence[Act]) -> tuple[Act, ...]:
    """The acts under numbers that the journal sets aside for them; it does not hold them yet."""
    if not acts:
        return ()
    last = journal.reserve(len(acts))
    return tuple(act.model_copy(update={"seq": last + place}) for place, act in enumerate(acts, 1))


def restore_merged(layout: VaultLayout) -> None:
    """Bring merged acts of the published generation to the journal, where that lacks them. Hold the writer's
    lock."""
    with published_ledger(layout) as ledger:
        if ledger is None:
            return
        rows = ledger.rows(
            """SELECT a.* EXCLUDE (run) FROM acts a JOIN runs r ON r.run = a.run
               WHERE r.command = ? ORDER BY a.seq""",
            [MERGE],
        )
    if not rows:
        return
    acts = [Act.model_validate(row, strict=False) for row in rows]
    with Journal(layout.journal) as journal:
        have = {act.id for act in journal.named(act.id for act in acts)}
        if lacking := [act for act in acts if act.id not in have]:
            journal.restore(lacking)
