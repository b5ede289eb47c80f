"""Threads: the conversations of one account that carry one line of thinking.

Every pair of the account's conversations has log-odds of being one thread (`extract/threads/likeness.py`).
Groups are merged, the two most likely first, by the mean log-odds between their conversations (average
linkage), as long as that reaches the model's bound and no group grows beyond its own.

Threads are found anew each time from all of the account's conversations, in the order of their ids, and equal
means go by id: the same conversations give the same threads, whatever order they came in. What was there
before decides only which other ids a thread answers to.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from extract.threads.likeness import Matrix, Pairs, Talk, likely_pairs, load_likeness
from schemas.ids import thread_id
from schemas.thread import Thread

LINKING_VERSION = "2"

LARGEST_SHARE, SMALL_THREAD = 10, 12
"""A thread holds at most one in so many of its account's conversations; in a small archive, so many."""

FLOOR = -4.0
"""Log-odds (1 in 56) below which a pair counts as if it had these: so most pairs of a large account need no
memory, and no single pair can keep two groups apart that all others join."""


@dataclass(frozen=True, slots=True)
class Group:
    """The conversations of a thread before it has a label."""

    id: str
    conversation_ids: tuple[str, ...]
    """In the order of time, undated ones last."""
    aliases: tuple[str, ...]


def link(account: str, talks: Sequence[Talk], vectors: Matrix, threads: Sequence[Thread] = ()) -> list[Group]:
    """The account's threads, in the order of their ids.

    `talks` are all of the account's conversations in any order, `vectors` has a row of unit length for each,
    `threads` are those that were found before. A thread's id comes from its earliest conversation.
    """
    if len(talks) < 2:
        return []
    order = sorted(range(len(talks)), key=lambda place: talks[place].id)
    talks, vectors = [talks[place] for place in order], vectors[order]
    most = max(SMALL_THREAD, len(talks) // LARGEST_SHARE)
    groups = merged(len(talks), likely_pairs(talks, vectors, FLOOR), load_likeness().bound, most)
    dated = [sorted((talks[place] for place in group), key=_time) for group in groups]
    found = {thread_id(account, own[0].id): tuple(one.id for one in own) for own in dated}
    aliases = _aliases(found, threads)
    return [Group(one, found[one], aliases[one]) for one in sorted(found)]


def _time(talk: Talk) -> tuple[bool, float, str]:
    return talk.began is None, talk.began.timestamp() if talk.began else 0.0, talk.id


def _aliases(found: dict[str, tuple[str, ...]], threads: Sequence[Thread]) -> dict[str, tuple[str, ...]]:
    """The ids of earlier threads by the thread that now has most of their conversations.

    Where two have as many, it is the one of the earliest. An id that a thread has of its own names no other.
    """
    homes = {member: thread for thread, members in found.items() for member in members}
    aliases: dict[str, set[str]] = {thread: set() for thread in found}
    for thread in threads:
        now = Counter(homes[one] for one in thread.conversation_ids if one in homes)
        if now:
            ((home, _),) = now.most_common(1)  # of equal counts the first that was met
            aliases[home].update({thread.id, *thread.aliases} - found.keys())
    return {thread: tuple(sorted(names)) for thread, names in aliases.items()}


def merged(number: int, pairs: Pairs, bound: float, most: int) -> list[list[int]]:
    """Groups of several of the places `0..number`, by average linkage over log-odds, each of `most` at most.

    A pair that is not among `pairs` has `FLOOR`.
    """
    groups = _Groups(number, pairs, bound, most)
    while groups.merge_next():
        pass
    return [sorted(members) for members in groups.members.values() if len(members) > 1]


class _Groups:
    """Groups while they are merged. A group is known by its first place."""

    def __init__(self, number: int, pairs: Pairs, bound: float, most: int) -> None:
        self.members = {place: [place] for place in range(number)}
        self._bound, self._most = bound, most
        self._changes = [0] * number
        # by group and other group: the sum, over their pairs, of what the log-odds have above the floor
        self._above: list[dict[int, float]] = [{} for _ in range(number)]
        self._queue: list[tuple[float, int, int, int, int]] = []
        for first, second, odds in zip(
            pairs.first.tolist(), pairs.second.tolist(), pairs.log_odds.tolist(), strict=True
        ):
            self._above[first][second] = self._above[second][first] = odds - FLOOR
            self._consider(first, second)

    def _consider(self, one: int, other: int) -> None:
        """Queue a merge that both bounds allow. One that is too large stays so, since groups only grow."""
        sizes = len(self.members[one]), len(self.members[other])
        mean = FLOOR + self._above[one][other] / (sizes[0] * sizes[1])
        if mean >= self._bound and sum(sizes) <= self._most:
            first, second = min(one, other), max(one, other)
            entry = (-mean, first, second, self._changes[first], self._changes[second])
            heapq.heappush(self._queue, entry)

    def merge_next(self) -> bool:
        """Merge the two groups that are likeliest one; False when there are none."""
        while self._queue:
            _, first, second, then, other_then = heapq.heappop(self._queue)
            if (self._changes[first], self._changes[second]) == (then, other_then):
                self._merge(first, second)
                return True
        return False

    def _merge(self, first: int, second: int) -> None:
        self.members[first] += self.members.pop(second)
        self._changes[first] += 1
        self._changes[second] += 1
        joined = self._above[first]
        for other, above in self._above[second].items():
            del self._above[other][second]
            if other != first:
                joined[other] = self._above[other][first] = joined.get(other, 0.0) + above
        self._above[second] = {}
        for other in joined:
            self._consider(first, other)
