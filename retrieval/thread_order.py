"""Threads in a ranking: a line of thinking goes on, and what was said in it last stands for where it is.

A note ages with the clock, and with every session of its thread that came after it. A conversation of a
thread is more likely to be meant where another one of the thread is. And the newest sessions of the threads
that come first are candidates, whatever words they use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from schemas.ids import point_id
from vault.index import Index, Where
from vault.points import PointKind, ThreadMember, Threads

LENT_SHARE = 0.1
"""Of the score of the best other conversation of its thread, what a note has beside its own. RealMem loses
beyond .15 (`docs/retrieval.md`)."""

FIRST_THREADS = 3
NEWEST_SESSIONS = 2
"""Of the threads that the best candidates come from, so many newest sessions are candidates."""


def thread_of(conversation: str, threads: Threads) -> str:
    """A thread by the first of its conversations; empty where the conversation is in none."""
    members = threads.get(conversation, ())
    return members[0].conversation_id if members else ""


def newer_sessions(conversation: str, threads: Threads, as_of: datetime) -> int:
    """How many conversations of its thread began after this one, and before `as_of`."""
    members = threads.get(conversation, ())
    own = next((one.began for one in members if one.conversation_id == conversation), None)
    if own is None:
        return 0
    return sum(one.began is not None and own < one.began < as_of for one in members)


def newest_sessions(
    conversations: Iterable[str], threads: Threads, as_of: datetime, most: int = FIRST_THREADS
) -> list[str]:
    """The newest conversations, begun before `as_of`, of the threads that these come from: of the first
    `most` threads NEWEST_SESSIONS each."""
    found: dict[str, list[str]] = {}
    for conversation in conversations:
        thread = thread_of(conversation, threads)
        if thread and thread not in found:
            known = [one for one in threads[conversation] if one.began is not None and one.began < as_of]
            found[thread] = [one.conversation_id for one in known[-NEWEST_SESSIONS:]]
        if len(found) == most:
            break
    return [one for newest in found.values() for one in newest]


def lent(scores: Sequence[tuple[str, str, float]]) -> dict[str, float]:
    """What each conversation gets from its thread, by its id: LENT_SHARE of the best score in another one.

    `scores` are (thread, conversation, score) of each note.
    """
    best: dict[str, dict[str, float]] = defaultdict(dict)
    for thread, conversation, score in scores:
        if thread:
            known = best[thread]
            known[conversation] = max(score, known.get(conversation, score))
    gifts = {}
    for known in best.values():
        first, second = ([*sorted(known.values(), reverse=True), 0.0])[:2]
        for conversation, own in known.items():
            # of two equal ones each lends to the other
            gifts[conversation] = LENT_SHARE * (second if own == first else first)
    return gifts


def is_within(where: Where, members: Sequence[ThreadMember]) -> bool:
    """Whether all conversations of a thread are within the bounds: then its map tells of no other."""
    return all(
        (where.conversations is None or one.conversation_id in where.conversations)
        and (where.providers is None or one.provider in where.providers)
        and (where.before is None or (one.began is not None and one.began < where.before))
        and (where.after is None or (one.began is not None and one.began >= where.after))
        for one in members
    )


def maps_within(where: Where | None, index: Index) -> Where | None:
    """The bounds of a search for maps, as the engine can hold them: those of their members, by id.

    None where no map is within them. `before` bounds the newest message too: no map tells of what came later.
    """
    if where is None or not any((where.conversations, where.providers, where.before, where.after)):
        return where
    members = index.members(where.account)
    among = frozenset(
        point_id(PointKind.THREAD, thread) for thread, own in members.items() if is_within(where, own)
    )
    bare = replace(where, conversations=None, providers=None, after=None, among=among)
    return bare if among else None
