"""Two readings of one conversation, from overlapping exports, made one.

The form with the newer update time (else the newer last message) wins, message by message and for what is
said of the conversation as a whole. A message that only the older form holds was deleted or edited at the
service since: it is kept, marked as gone, and the active branch does not lead through it. The result does not
depend on the order in which the exports came in.

Two forms in one export, of one time, are another matter: neither is the newer one, so both are kept whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from schemas.base import sha256_text
from schemas.conversation import Conversation, Message
from schemas.ids import message_id

_UNDATED = datetime(1, 1, 1, tzinfo=UTC)


def union(known: Conversation, incoming: Conversation) -> Conversation:
    """The conversation as both forms tell it. Where no time says which is newer, the incoming form wins."""
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


def beside(one: Conversation, other: Conversation) -> Conversation:
    """Two forms of one time: the one with more messages, and what only the other one says.

    A message that both have with other words stands twice; the second gets an id of its own, from its words.
    The result does not depend on which is `one`.
    """
    main, extra = sorted((one, other), key=_weight, reverse=True)
    ids = _ids_beside(main, extra)
    found = {message.id: message for message in main.messages}
    for message in extra.messages:
        own = ids[message.id]
        if own not in found or (found[own].gone and not message.gone):
            found[own] = message.model_copy(
                update={
                    "id": own,
                    "native_id": message.native_id if own == message.id else _native_beside(message),
                    "parent": ids.get(message.parent, message.parent) if message.parent else None,
                }
            )
    present = [found[message.id] for message in main.messages if not found[message.id].gone]
    placed = {message.id for message in present}
    # an earlier reading gave these words an id beside others that are not in their place any more
    twins = {_native_beside(message) for message in present}
    rest = [
        one for one in found.values() if one.id not in placed and not (one.gone and one.native_id in twins)
    ]
    return main.model_copy(update={"messages": (*present, *_parents_first(rest, placed))})


def _weight(form: Conversation) -> tuple[int, str]:
    """More messages weigh more; of two with as many the words decide: the order of reading must not show."""
    live = [message for message in form.messages if not message.gone]
    return len(live), sha256_text("\n".join(sorted(f"{one.id} {one.text_hash}" for one in live)))


def _ids_beside(main: Conversation, extra: Conversation) -> dict[str, str]:
    """The id of each message of `extra` beside `main`: its own, unless main has other words under it."""
    words = {message.id: message.text for message in main.messages}
    return {
        message.id: message.id
        if words.get(message.id, message.text) == message.text
        else message_id(main.id, _native_beside(message))
        for message in extra.messages
    }


def _native_beside(message: Message) -> str:
    return f"{message.native_id}~{message.text_hash[:12]}"


def _is_newer(one: Conversation, other: Conversation) -> bool:
    """By the time of update; where that says nothing, by the newest message, as in exports of phones."""
    if one.updated_at is not None and other.updated_at is not None and one.updated_at != other.updated_at:
        return one.updated_at > other.updated_at
    return _newest(one) > _newest(other)


def _newest(form: Conversation) -> datetime:
    times = (message.created_at for message in form.messages if message.created_at and not message.gone)
    return max(times, default=_UNDATED)


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
