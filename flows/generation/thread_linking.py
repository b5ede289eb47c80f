"""Threads after a load: accounts that the run touched are linked anew, and the maps that change are written.

A thread whose conversations are the same, and were not touched, stays as it is: a night that brings one
conversation touches the thread that it joins, and seldom another.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from curation.pairs.reversals import reversals
from extract.engine import Charted, by_rules
from extract.retell.thread_map import MAP_VERSION, SessionNotes, ThreadNotes
from extract.threads.likeness import Matrix, Talk
from extract.threads.linking import LINKING_VERSION, Group, link
from extract.threads.thread_labels import label_of
from flows.batches.batch_stages import OFFLINE, embed_points, windows_for
from flows.batches.search_points import THREAD_POINTS_VERSION, thread_point
from flows.generation.loading import apply_changes, point_changes
from inference.embedder import Embedder
from inference.secret_cover import without_secrets
from inference.secrets import mask_secrets
from schemas.fallback import MAP_REASON, Fallback
from schemas.ids import point_id
from schemas.relation import RelationKind
from schemas.thread import Profile, Thread, ThreadMap
from schemas.unit import Category, State, Unit
from vault.generations import Building
from vault.index import Index
from vault.ledger import Ledger
from vault.model_calls import UNANSWERED, replace_map_fallbacks
from vault.points import PointKind
from vault.relations import relations_of
from vault.threads import (
    Session,
    conversations_touched,
    mapped_by_rules,
    profiles_of,
    sessions_of,
    term_counts,
    thread_maps_of,
    threads_of,
    units_told,
    write_threads,
)

LINKED_BY = "linked_by"
"""The setting that says which version linked the ledger's conversations; where it is another, or none, all
accounts are linked anew."""
MAPPED_BY = "mapped_by"
"""And this one which version of the offline engine wrote its maps."""
POINTED_BY = "threads_pointed_by"
"""And this one how their points were composed: points of another version are composed again."""
Chart = Callable[[Sequence[ThreadNotes]], list[Charted]]
"""Writes the maps of threads, in order."""
_UNDATED = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Linked:
    """An account's threads that are to be written anew, and those that are gone."""

    account: str
    threads: Sequence[ThreadNotes]
    gone: Collection[str]


def link_threads(
    building: Building,
    embedder: Embedder,
    run: str,
    chart: Chart = OFFLINE.chart,
    waiting: Collection[str] = (),
) -> None:
    """Link the conversations of accounts that the run touched, and write the threads and maps that change.

    A ledger whose conversations were never linked, or by another version, has all of them linked. `waiting`
    names the conversations whose threads' maps a model now has answers for. Maps that an older version wrote
    by rules are written anew.
    """
    ledger = building.ledger
    version = ledger.setting(LINKED_BY)
    touched = None if version is None else conversations_touched(ledger, run)
    outdated = ledger.setting(MAPPED_BY) != MAP_VERSION
    redone = {*waiting, *(mapped_by_rules(ledger) if outdated else ())}
    linked = [
        _link_account(building, account, touched, redone, version != LINKING_VERSION)
        for account in ledger.accounts()
    ]
    changed = [one for one in linked if one.threads or one.gone]
    charted = iter(chart([notes for one in changed for notes in one.threads]))
    for one in changed:
        _write(building, embedder, one, [next(charted) for _ in one.threads], run)
    if ledger.setting(POINTED_BY) != THREAD_POINTS_VERSION:
        for account in ledger.accounts():
            maps = thread_maps_of(ledger, account)
            mapped = [(one, maps[one.id]) for one in threads_of(ledger, account) if one.id in maps]
            _point(building, embedder, account, mapped, (), run)
    ledger.settle(POINTED_BY, THREAD_POINTS_VERSION)
    ledger.settle(LINKED_BY, LINKING_VERSION)
    ledger.settle(MAPPED_BY, MAP_VERSION)


def _link_account(
    building: Building, account: str, touched: set[str] | None, redone: set[str], anew: bool
) -> _Linked:
    ledger = building.ledger
    sessions = sessions_of(ledger, account)
    own = {one.conversation_id for one in sessions}
    fresh = own if touched is None else own & touched
    before = {thread.id: thread for thread in threads_of(ledger, account)}
    if not fresh and not (anew and own):
        again = [_as_group(one) for one in before.values() if not redone.isdisjoint(one.conversation_ids)]
        return _Linked(account, _told(ledger, account, again, sessions), ())
    talks, vectors = likened(ledger, building.index, sessions)
    groups = link(account, talks, vectors, list(before.values()))
    changed = [
        group
        for group in groups
        if _is_changed(group, before, fresh) or not redone.isdisjoint(group.conversation_ids)
    ]
    gone = before.keys() - {group.id for group in groups}
    return _Linked(account, _told(ledger, account, changed, sessions), gone)


def likened(ledger: Ledger, index: Index, sessions: Sequence[Session]) -> tuple[list[Talk], Matrix]:
    """What the threads of an account are found by: its conversations, and a row of their vectors for each."""
    ids = [one.conversation_id for one in sessions]
    points = [point_id(PointKind.CONVERSATION, one) for one in ids]
    vectors, profiles = index.vectors(points), profiles_of(ledger, ids)
    talks = [Talk(one.conversation_id, one.began, profiles.get(one.conversation_id)) for one in sessions]
    return talks, np.stack([vectors[one] for one in points])


def _as_group(thread: Thread) -> Group:
    return Group(thread.id, thread.conversation_ids, thread.aliases)


def _write(
    building: Building, embedder: Embedder, linked: _Linked, charted: Sequence[Charted], run: str
) -> None:
    """Write threads, maps, their points, and where the offline engine mapped in a model's place."""
    ledger = building.ledger
    threads = [
        notes.thread.model_copy(update={"label": one.label}) if one.label else notes.thread
        for notes, one in zip(linked.threads, charted, strict=True)
    ]
    maps, before = [one.made for one in charted], thread_maps_of(ledger, linked.account)
    gone = [one for one in threads_of(ledger, linked.account) if one.id in linked.gone]
    write_threads(ledger, threads, maps, linked.gone, run)
    found = [found for one in charted for found in one.fallbacks]
    for thread, made in zip(threads, maps, strict=True):
        old = _map_before(thread, before)
        if old is not None and made.writer == MAP_VERSION and not by_rules(old.writer):
            found.append(_outwritten(made, old))
    members = [member for thread in (*threads, *gone) for member in thread.conversation_ids]
    replace_map_fallbacks(ledger, members, found, run)
    _point(building, embedder, linked.account, list(zip(threads, maps, strict=True)), linked.gone, run)


def _point(
    building: Building,
    embedder: Embedder,
    account: str,
    mapped: Sequence[tuple[Thread, ThreadMap]],
    gone: Collection[str],
    run: str,
) -> None:
    """Write the points of threads that differ, and remove those of the threads that are gone."""
    ledger, windows = building.ledger, windows_for(embedder)
    sessions = {one.conversation_id: one for one in sessions_of(ledger, account)}
    drafts = [thread_point(thread, made, sessions, windows) for thread, made in mapped]
    existing = ledger.points_of([*(thread.id for thread, _ in mapped), *gone])
    new = [one for one in drafts if existing.get(one.id, ("", ""))[0] != one.payload.content_hash]
    made_vectors = embed_points(new, embedder) if new else {}
    apply_changes(building, point_changes(drafts, existing, made_vectors, replaces=True), run)


def _map_before(thread: Thread, before: Mapping[str, ThreadMap]) -> ThreadMap | None:
    """The map that the thread had, if only under an earlier id."""
    return next((before[one] for one in (thread.id, *thread.aliases) if one in before), None)


def _outwritten(made: ThreadMap, old: ThreadMap) -> Fallback:
    """A note that rules alone wrote a map that was a model's: the next run that has one asks it again."""
    return Fallback(
        account=made.account,
        conversation_id=made.arc[0].conversation_id,
        engine=old.writer,
        key="",
        reason=f"{MAP_REASON}{UNANSWERED}",
        sentences=0,
        whole=False,
    )


def notes_on(ledger: Ledger, threads: Sequence[Thread]) -> list[ThreadNotes]:
    """What the maps of threads on record are written from."""
    found = []
    for thread in threads:
        profiles = profiles_of(ledger, thread.conversation_ids)
        sessions = {one.conversation_id: one for one in sessions_of(ledger, thread.account)}
        own = [sessions[one] for one in thread.conversation_ids]
        found.append(_notes(ledger, thread, own, profiles))
    return found


def _is_changed(group: Group, before: Mapping[str, Thread], fresh: set[str]) -> bool:
    old = before.get(group.id)
    if old is not None and (old.conversation_ids, old.aliases) == (group.conversation_ids, group.aliases):
        return bool(fresh & set(group.conversation_ids))
    return True


def _title(session: Session) -> str | None:
    return session.title and mask_secrets(session.title)


def _told(
    ledger: Ledger, account: str, groups: Sequence[Group], sessions: Sequence[Session]
) -> list[ThreadNotes]:
    """The threads with their labels, and what their maps are written from."""
    by_id = {one.conversation_id: one for one in sessions}
    titles: dict[str, int] = {}
    for one in sessions:
        if title := _title(one):
            titles[title] = titles.get(title, 0) + 1
    everywhere = term_counts(ledger, account)
    told = []
    for group in groups:
        profiles = profiles_of(ledger, group.conversation_ids)
        own = [by_id[one] for one in group.conversation_ids]
        label = label_of(
            list(profiles.values()), [_title(one) for one in own], everywhere, len(sessions), titles
        )
        thread = Thread(
            id=group.id,
            account=account,
            label=label,
            conversation_ids=group.conversation_ids,
            aliases=group.aliases,
        )
        told.append(_notes(ledger, thread, own, profiles))
    return told


def _notes(
    ledger: Ledger, thread: Thread, sessions: Sequence[Session], profiles: Mapping[str, Profile]
) -> ThreadNotes:
    told = [(without_secrets(unit), state) for unit, state in units_told(ledger, thread.conversation_ids)]
    units = {unit.id: unit for unit, _ in told}
    by = {
        one.other_id: one.unit_id
        for one in relations_of(ledger, list(units), (RelationKind.SUPERSEDES,))
        if one.other_id in units
    }
    by |= _taken_back_later([unit for unit, _ in told if unit.id not in by])
    standing: dict[str, list[Unit]] = {}
    for unit, state in told:
        if state is not State.ARCHIVED:
            standing.setdefault(unit.conversation_id, []).append(unit)
    notes = [
        SessionNotes(
            conversation_id=one.conversation_id,
            title=_title(one),
            began=one.began,
            ended=one.ended,
            last_message=one.last_message,
            units=tuple(standing.get(one.conversation_id, ())),
            profile=profiles.get(one.conversation_id),
        )
        for one in sessions
    ]
    return ThreadNotes(thread, notes, {older: units[older] for older in by}, by)


def _taken_back_later(units: Sequence[Unit]) -> dict[str, str]:
    """The newer statement by the older decision, where a later session takes back what one before settled.

    The links of one conversation are on record; here the sessions of a thread are read together. Nothing is
    linked by it: the map alone follows, and the sweep asks.
    """
    if len({unit.conversation_id for unit in units}) < 2:
        return {}
    dated = sorted(units, key=lambda unit: (unit.said_at is None, unit.said_at or _UNDATED))
    own = {unit.id: unit for unit in dated}
    return {
        one.other_id: one.unit_id
        for one in reversals(dated)
        if own[one.other_id].conversation_id != own[one.unit_id].conversation_id
        and own[one.other_id].category is Category.DECISION
    }
