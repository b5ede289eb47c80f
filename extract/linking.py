"""Threads: the conversations of one account that carry one line of thinking.

Conversations are likened by the mean of their passages' vectors, after what is common to the whole account is
taken off: to somebody who only talks about bread, bread says nothing. Groups are merged, the two most alike
first, by the mean likeness between their conversations (average linkage), as long as that stands out from
the likeness of any two conversations of the account, and no group grows beyond its bound.

Threads that exist are groups to begin with, and are never taken apart. Only a merge that a new conversation
brings about is considered, so a nightly run touches the threads that it adds to and no other.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.ids import thread_id
from schemas.thread import Thread

LINKING_VERSION = "1"

STANDS_OUT = 1.6
"""Standard deviations by which a merge's likeness exceeds that of any two conversations. Between 1.5 and 1.75
precision rises and recall falls; where in between was chosen by looking at two sets (`docs/threads.md`)."""

LARGEST_SHARE, SMALL_THREAD = 10, 12
"""A thread holds at most one in so many of its account's conversations; in a small archive, so many."""

_USUAL_CONVERSATIONS = 30
_USUAL_SPREAD = 0.12
"""A handful of conversations cannot tell what is usual: so many unseen ones are counted beside them, whose
vectors average to nothing and whose likeness to one another spreads so far."""

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Group:
    """The conversations of a thread before it has a label."""

    id: str
    conversation_ids: tuple[str, ...]
    aliases: tuple[str, ...]


def link(
    account: str,
    conversations: Sequence[str],
    vectors: Matrix,
    threads: Sequence[Thread],
    fresh: Collection[str],
) -> list[Group]:
    """The account's threads: those there are, as `fresh` conversations join them, and new ones.

    `conversations` are all of the account's, in the order of time; `vectors` has a row of unit length for
    each. A thread's id is that of the conversation that founded it. Of two that merge the one whose first
    conversation is earlier keeps its id, and the other's becomes an alias.
    """
    if not conversations:
        return []
    groups = _Groups(conversations, centred(vectors), threads, fresh)
    groups.merge(least_likeness(groups.sums[: len(conversations)]))
    return sorted(groups.found(account, conversations), key=lambda group: group.id)


def centred(vectors: Matrix) -> Matrix:
    """Vectors of unit length without the mean of all of them. One that is the mean itself becomes zero."""
    rest = vectors - vectors.sum(axis=0) / (len(vectors) + _USUAL_CONVERSATIONS)
    lengths = np.linalg.norm(rest, axis=1, keepdims=True)
    return np.asarray(np.divide(rest, lengths, out=np.zeros_like(rest), where=lengths > 0), dtype=np.float32)


def least_likeness(vectors: Matrix) -> float:
    """The mean likeness that two groups must have to be one thread, from that of all pairs of vectors.

    Mean and spread come from sums over dimensions, so no pair is ever looked at.
    """
    number = len(vectors)
    pairs = number * (number - 1) / 2
    total = (float(np.square(vectors.sum(axis=0)).sum()) - number) / 2
    squares = (float(np.square(vectors.T @ vectors).sum()) - number) / 2
    usual = _USUAL_CONVERSATIONS * (_USUAL_CONVERSATIONS - 1) / 2
    mean = total / (pairs + usual)
    square = (squares + usual * _USUAL_SPREAD**2) / (pairs + usual)
    return mean + STANDS_OUT * math.sqrt(max(square - mean**2, 0.0))


class _Groups:
    """Groups while they are merged. A group is known by the place of its earliest conversation."""

    def __init__(
        self,
        conversations: Sequence[str],
        vectors: Matrix,
        threads: Sequence[Thread],
        fresh: Collection[str],
    ) -> None:
        places = {one: place for place, one in enumerate(conversations)}
        self.sums = vectors.copy()
        self._sizes = np.ones(len(vectors))
        self._members = {place: [place] for place in range(len(vectors))}
        self._threads: dict[int, tuple[Thread, ...]] = {}
        self._fresh = np.array([one in fresh for one in conversations])
        self._changes = [0] * len(vectors)
        self._most = max(SMALL_THREAD, len(conversations) // LARGEST_SHARE)
        for thread in threads:
            own = sorted(places[one] for one in thread.conversation_ids if one in places)
            for other in own[1:]:
                self._join(own[0], other)
            if own:
                self._threads[own[0]] = (thread,)
                self._fresh[own[0]] = False

    def merge(self, least: float) -> None:
        """Merge the two groups that are most alike until none are at least so alike."""
        queue: list[tuple[float, int, int, int, int]] = []

        def consider(group: int) -> None:
            other, likeness = self._nearest(group)
            if likeness >= least:
                entry = (-likeness, group, other, self._changes[group], self._changes[other])
                heapq.heappush(queue, entry)

        for place in np.flatnonzero(self._fresh & (self._sizes > 0)).tolist():
            consider(place)
        while queue:
            _, group, other, then, other_then = heapq.heappop(queue)
            if self._changes[group] != then:
                continue
            if self._changes[other] != other_then:
                # what another group became is at most as like as the liker of its parts
                consider(group)
                continue
            first, second = min(group, other), max(group, other)
            self._join(first, second)
            self._fresh[first] = True
            consider(first)

    def _nearest(self, group: int) -> tuple[int, float]:
        """The group that may join this one and is most like it; likeness is below any where there is none."""
        likeness = self.sums @ self.sums[group] / (np.maximum(self._sizes, 1) * self._sizes[group])
        barred = (self._sizes == 0) | (self._sizes + self._sizes[group] > self._most)
        if not self._fresh[group]:
            barred |= ~self._fresh
        barred[group] = True
        likeness[barred] = -np.inf
        other = int(likeness.argmax())
        return other, float(likeness[other])

    def _join(self, first: int, second: int) -> None:
        self.sums[first] += self.sums[second]
        self._sizes[first] += self._sizes[second]
        self._members[first] += self._members.pop(second)
        self._threads[first] = self._threads.get(first, ()) + self._threads.pop(second, ())
        self.sums[second] = 0
        self._sizes[second] = 0
        self._changes[first] += 1
        self._changes[second] += 1

    def found(self, account: str, conversations: Sequence[str]) -> Iterator[Group]:
        """The groups of several conversations, and the threads that were there before."""
        for place, members in self._members.items():
            threads = self._threads.get(place, ())
            if len(members) < 2 and not threads:
                continue
            own = tuple(conversations[member] for member in sorted(members))
            identity = threads[0].id if threads else thread_id(account, own[0])
            others = {one.id for one in threads[1:]}.union(*(one.aliases for one in threads))
            yield Group(identity, own, tuple(sorted(others)))
