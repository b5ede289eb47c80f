"""Two readings of one conversation, from overlapping exports, made one.

The form with the newer update time wins, message by message and for what is said of the conversation as a
whole. A message that only the older form holds was deleted or edited at the service since: it is kept, marked
as gone, and the active branch does not lead through it. The result does not depend on the order in which the
exports came in.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from schemas.conversation import Conversation, Message

_UNDATED = datetime(1, 1, 1, tzinfo=UTC)


def union(known: Conversation, incoming: Conversation) -> Conversation:
    """The conversation as both forms tell it. With equal or unknown update times the incoming form wins."""
    if _is_newer(known, incoming):
        newer, older = known, incoming
    else:
        newer, older = incoming, known
    present = {message.id for message in newer.messages}
    gone = [
        message.model_copy(update={"gone": True}) for message in older.messages if message.id not in present
    ]
    # what the newer form itself knows as gone is sorted in with the rest: the order of imports must not show
    stay = [message for message in newer.messages if not message.gone]
    gone += [message for message in newer.messages if message.gone]
    return newer.model_copy(update={"messages": (*stay, *_parents_first(gone, {one.id for one in stay}))})


def _is_newer(one: Conversation, other: Conversation) -> bool:
    return one.updated_at is not None and other.updated_at is not None and one.updated_at > other.updated_at


def _parents_first(messages: Iterable[Message], before: set[str]) -> list[Message]:
    """By time and id, a parent before its children wherever it is among them."""
    waiting = sorted(messages, key=lambda one: (one.created_at or _UNDATED, one.id))
    ids = {message.id for message in waiting}
    placed, ordered = set(before), list[Message]()
    while waiting:
        ready = [one for one in waiting if one.parent not in ids or one.parent in placed]
        # a cycle among them has no parent to begin with: its first by time opens it
        for message in ready or waiting[:1]:
            ordered.append(message)
            placed.add(message.id)
        waiting = [one for one in waiting if one.id not in placed]
    return ordered
