"""Conversations as evaluation sets write them: one branch, in order."""

from __future__ import annotations

from typing import Literal

from schemas.base import Instant, Noun
from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.ids import conversation_id, message_id

ACCOUNT = "evaluation"
_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "other": Origin.OTHER}


class EvalMessage(Noun):
    """A message as an evaluation row writes it."""

    id: str
    role: Literal["user", "assistant", "other"]
    """`other`: another person, in a chat between people."""
    created_at: Instant | None
    text: str
    name: str | None = None
    """Of another person."""


class EvalConversation(Noun):
    """A conversation as an evaluation row writes it: one branch, in order."""

    id: str
    title: str | None
    created_at: Instant | None
    messages: tuple[EvalMessage, ...]


def as_conversation(source: EvalConversation) -> Conversation:
    """The conversation as a reader would hand it over; `native_id` of a message is the evaluation's id."""
    own_id = conversation_id(ACCOUNT, "evaluation", source.id)
    messages: list[Message] = []
    parent: str | None = None
    for message in source.messages:
        messages.append(
            Message(
                id=message_id(own_id, message.id),
                native_id=message.id,
                parent=parent,
                role="assistant" if message.role == "assistant" else "user",
                author=message.name,
                created_at=message.created_at,
                text=message.text,
                segments=(Segment(start=0, end=len(message.text), origin=_ORIGINS[message.role]),)
                if message.text
                else (),
            )
        )
        parent = messages[-1].id
    return Conversation(
        id=own_id,
        account=ACCOUNT,
        provider="evaluation",
        native_id=source.id,
        title=source.title,
        created_at=source.created_at,
        updated_at=None,
        messages=tuple(messages),
        active_leaf=parent,
        active_leaf_stated=True,
    )
