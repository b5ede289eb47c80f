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

from schemas.act import Act, ActKind
from schemas.base import Noun
from vault.generations import published_ledger
from vault.journal import USER, Journal, live
from vault.layout import VaultLayout

Strategy = Literal["ours", "theirs", "skip"]
MERGE = "merge"
"""Command of the runs that merge branches."""


class Conflict(Noun):
    """A subject on which the owner acted on both lines since the branch began, with different outcomes."""

    subject: str
    """Id of a note, name of a policy, or a path."""
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
    out what was done on subjects in conflict; `theirs` first gives such a subject the acts that stood when
    the branch began.
    """
    done = branch.after(since)
    known = {act.id for act in main.named(act.id for act in done)}
    fresh = [act for act in done if act.id not in known]
    elsewhere = {act.id for act in done}
    acted_on = {act.subject for act in main.after(since) if act.id not in elsewhere}
    both = sorted({act.subject for act in fresh} & acted_on)
    ours, theirs = _by_subject(live(main.about(both))), _by_subject(live(branch.about(both)))
    agreed = {one for one in both if _told(ours.get(one, ())) == _told(theirs.get(one, ()))}
    conflicts = [one for one in both if one not in agreed]
    left_out = agreed if strategy == "theirs" else set(both)
    before: list[Act] = []
    if strategy == "theirs":
        for subject in conflicts:
            before.extend(_as_it_stood(ours.get(subject, []), theirs.get(subject, []), fresh, name))
    return ActReplay(
        (*before, *(act for act in fresh if act.subject not in left_out)),
        tuple(
            Conflict(subject=one, ours=_told(ours.get(one, ())), theirs=_told(theirs.get(one, ())))
            for one in conflicts
        ),
    )


def _by_subject(acts: Iterable[Act]) -> dict[str, list[Act]]:
    found: dict[str, list[Act]] = {}
    for act in acts:
        found.setdefault(act.subject, []).append(act)
    return found


def _told(acts: Iterable[Act]) -> tuple[str, ...]:
    return tuple(f"{act.kind.value} {act.detail}".strip() for act in acts)


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
