"""Conversations for the extraction tests, built as a reader would hand them over."""

from __future__ import annotations

from datetime import UTC, datetime

from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.ids import conversation_id, message_id

ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT}


def build(*turns: tuple[str, str], owner: str | None = None, title: str | None = None) -> Conversation:
    """Turns are (role, text); a role that is neither user nor assistant is a person's name in their chat."""
    own = conversation_id("test", "test", "talk")
    messages: list[Message] = []
    for number, (role, text) in enumerate(turns):
        named = role not in ORIGINS
        origin = ORIGINS.get(role, Origin.TYPED if role == owner else Origin.OTHER)
        messages.append(
            Message(
                id=message_id(own, str(number)),
                native_id=str(number),
                parent=messages[-1].id if messages else None,
                role="user" if named else role,
                author=role if named else None,
                created_at=datetime(2026, 1, 1, 12, number % 60, tzinfo=UTC),
                text=text,
                segments=(Segment(start=0, end=len(text), origin=origin),) if text else (),
            )
        )
    return Conversation(
        id=own,
        account="test",
        provider="test",
        native_id="talk",
        title=title,
        created_at=None,
        updated_at=None,
        messages=tuple(messages),
        active_leaf=messages[-1].id if messages else None,
        active_leaf_stated=True,
        owner=owner,
    )
