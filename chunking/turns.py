"""Turns: the chunks of a message and those of its answer, linked to each other and never mixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemas.chunk import Chunk


def link_turns(cut: Mapping[str, Sequence[Chunk]], parents: Mapping[str, str | None]) -> list[Chunk]:
    """All chunks, in the order given, with `replies_to` and `replies` set.

    `cut` has a message's chunks by its id, `parents` the message that each one of the conversation follows
    (None for the first). A message that has no chunks (a tool's output, an empty one) is passed through: its
    answers answer the one before it. What follows a loop of parents answers nothing. Linear in the messages.
    """
    asked: dict[str, Chunk] = {}
    replies: dict[str, list[str]] = {}
    known: dict[str, Chunk | None] = {}
    for message, chunks in cut.items():
        before = _last_said(parents.get(message), cut, parents, known) if chunks else None
        if before is not None and before is not chunks[-1]:
            asked[chunks[0].id] = before
            replies.setdefault(before.id, []).append(chunks[0].id)
    return [
        chunk.model_copy(
            update={
                "replies_to": asked[chunk.id].id if chunk.id in asked else None,
                "replies": tuple(replies.get(chunk.id, ())),
            }
        )
        for chunks in cut.values()
        for chunk in chunks
    ]


def _last_said(
    message: str | None,
    cut: Mapping[str, Sequence[Chunk]],
    parents: Mapping[str, str | None],
    known: dict[str, Chunk | None],
) -> Chunk | None:
    """The last chunk of the message, or of the nearest above that has any; `known` grows with the walk."""
    passed: list[str] = []
    found: Chunk | None = None
    while message is not None:
        if chunks := cut.get(message):
            found = chunks[-1]
            break
        if message in known:
            found = known[message]
            break
        known[message] = None  # a loop ends here
        passed.append(message)
        message = parents.get(message)
    known.update(dict.fromkeys(passed, found))
    return found
