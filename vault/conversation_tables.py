"""Conversations and their messages as Arrow tables, column by column: a batch is mostly this.

A row at a time, through dictionaries, the same tables cost three times as much (`benchmarks/read.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import pyarrow as pa

from schemas.conversation import Conversation, Message
from vault.rows import CONVERSATIONS, MESSAGES


def conversations_table(
    conversations: Sequence[Conversation], work_keys: Mapping[str, str], archive_hash: str
) -> pa.Table:
    """One row a conversation; its messages are in a table of their own."""
    told = {
        "conversation_id": [one.id for one in conversations],
        "messages": [len(one.messages) for one in conversations],
        "work_key": [work_keys[one.id] for one in conversations],
        "archive_hash": [archive_hash] * len(conversations),
    }
    return _table(CONVERSATIONS, conversations, told)


def messages_table(conversations: Sequence[Conversation]) -> pa.Table:
    """One row a message, in each conversation's order."""
    messages = [message for one in conversations for message in one.messages]
    homes = [one for one in conversations for _ in one.messages]
    # encoded once, for the hash and for the column: Arrow takes bytes ten times as fast as text
    encoded = [message.text.encode() for message in messages]
    told = {
        "message_id": [message.id for message in messages],
        "conversation_id": [one.id for one in homes],
        "account": [one.account for one in homes],
        "position": [position for one in conversations for position in range(len(one.messages))],
        "text": pa.array(encoded, pa.binary()).view(pa.string()),
        "text_hash": [hashlib.sha256(text).hexdigest() for text in encoded],
        "on_active_branch": [
            message.id in active
            for active, one in ((one.active_ids, one) for one in conversations)
            for message in one.messages
        ],
        "attachments": [[one.model_dump() for one in message.attachments] for message in messages],
        "raw": [[one.model_dump() for one in message.raw] for message in messages],
        "segments": [_segments(message) for message in messages],
    }
    return _table(MESSAGES, messages, told)


def _segments(message: Message) -> list[dict[str, object]]:
    return [
        {"start": one.start, "end": one.end, "origin": one.origin, "label": one.label}
        for one in message.segments
    ]


def _table(
    schema: pa.Schema, nouns: Sequence[Conversation] | Sequence[Message], told: Mapping[str, object]
) -> pa.Table:
    """A table whose columns are `told`, or else the field of that name."""
    columns = []
    for field in schema:
        column = told.get(field.name)
        if column is None:
            column = [getattr(one, field.name) for one in nouns]
        columns.append(column if isinstance(column, pa.Array) else pa.array(column, field.type))
    return pa.Table.from_arrays(columns, schema=schema)
