"""Threads after a load: conversations that the run touched are linked, and the maps they change are written.

Everything else stays as it is: a night that brings one conversation touches the thread that it joins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from extract.labels import label_of
from extract.linking import LINKING_VERSION, Group, link
from extract.thread_map import SessionNotes, thread_map
from flows.loading import apply_changes, point_changes
from flows.working import embed_points, windows_for
from inference.embedder import Embedder
from retrieval.points import thread_point
from schemas.ids import point_id
from schemas.relation import RelationKind
from schemas.thread import Profile, Thread, ThreadMap
from schemas.unit import State, Unit
from vault.generations import Building
from vault.ledger import Ledger
from vault.points import PointKind
from vault.relations import relations_of
from vault.threads import (
    Session,
    conversations_touched,
    profiles_of,
    sessions_of,
    term_counts,
    threads_of,
    units_told,
    write_threads,
)

LINKED_BY = "linked_by"
"""The setting that says which version linked the ledger's conversations; without it all are linked anew."""


def link_threads(building: Building, embedder: Embedder, run: str) -> None:
    """Link the run's conversations into threads, and write the threads and maps that change.

    A ledger whose conversations were never linked has all of them linked.
    """
    ledger = building.ledger
    touched = None if ledger.setting(LINKED_BY) is None else conversations_touched(ledger, run)
    for account in ledger.accounts():
        _link_account(building, embedder, account, touched, run)
    ledger.settle(LINKED_BY, LINKING_VERSION)


def _link_account(
    building: Building, embedder: Embedder, account: str, touched: set[str] | None, run: str
) -> None:
    ledger = building.ledger
    sessions = sessions_of(ledger, account)
    own = {one.conversation_id for one in sessions}
    fresh = own if touched is None else own & touched
    if not fresh:
        return
    before = {thread.id: thread for thread in threads_of(ledger, account)}
    order = [one.conversation_id for one in sessions]
    points = [point_id(PointKind.CONVERSATION, one) for one in order]
    vectors = building.index.vectors(points)
    matrix = np.stack([vectors[one] for one in points])
    groups = link(account, order, matrix, list(before.values()), fresh)
    changed = [group for group in groups if _is_changed(group, before, fresh)]
    gone = before.keys() - {group.id for group in groups}
    if not changed and not gone:
        return
    threads, maps = _told(ledger, account, changed, sessions)
    write_threads(ledger, threads, maps, gone, run)
    windows, providers = windows_for(embedder), {one.conversation_id: one.provider for one in sessions}
    drafts = [
        thread_point(thread, made, min(providers[one] for one in thread.conversation_ids), windows)
        for thread, made in zip(threads, maps, strict=True)
    ]
    existing = ledger.points_of([*(thread.id for thread in threads), *gone])
    new = [one for one in drafts if existing.get(one.id, ("", ""))[0] != one.payload.content_hash]
    made_vectors = embed_points(new, embedder) if new else {}
    apply_changes(building, point_changes(drafts, existing, made_vectors, replaces=True), run)


def _is_changed(group: Group, before: Mapping[str, Thread], fresh: set[str]) -> bool:
    old = before.get(group.id)
    if old is not None and (old.conversation_ids, old.aliases) == (group.conversation_ids, group.aliases):
        return bool(fresh & set(group.conversation_ids))
    return True


def _told(
    ledger: Ledger, account: str, groups: Sequence[Group], sessions: Sequence[Session]
) -> tuple[list[Thread], list[ThreadMap]]:
    """The threads with their labels, and their maps."""
    by_id = {one.conversation_id: one for one in sessions}
    titles: dict[str, int] = {}
    for one in sessions:
        if one.title:
            titles[one.title] = titles.get(one.title, 0) + 1
    everywhere = term_counts(ledger, account)
    threads, maps = [], []
    for group in groups:
        profiles = profiles_of(ledger, group.conversation_ids)
        own = [by_id[one] for one in group.conversation_ids]
        label = label_of(
            list(profiles.values()), [one.title for one in own], everywhere, len(sessions), titles
        )
        threads.append(
            Thread(
                id=group.id,
                account=account,
                label=label,
                conversation_ids=group.conversation_ids,
                aliases=group.aliases,
            )
        )
        maps.append(_map(ledger, threads[-1], own, profiles))
    return threads, maps


def _map(
    ledger: Ledger, thread: Thread, sessions: Sequence[Session], profiles: Mapping[str, Profile]
) -> ThreadMap:
    told = units_told(ledger, thread.conversation_ids)
    units = {unit.id: unit for unit, _ in told}
    by = {
        one.other_id: one.unit_id
        for one in relations_of(ledger, list(units), (RelationKind.SUPERSEDES,))
        if one.other_id in units
    }
    standing: dict[str, list[Unit]] = {}
    for unit, state in told:
        if state is not State.ARCHIVED:
            standing.setdefault(unit.conversation_id, []).append(unit)
    notes = [
        SessionNotes(
            conversation_id=one.conversation_id,
            title=one.title,
            began=one.began,
            ended=one.ended,
            last_message=one.last_message,
            units=tuple(standing.get(one.conversation_id, ())),
            profile=profiles.get(one.conversation_id),
        )
        for one in sessions
    ]
    return thread_map(thread, notes, {older: units[older] for older in by}, by)
