"""Conversations and their messages as Arrow tables, column by column: a batch is mostly this.

A row at a time, through dictionaries, the same tables cost several times as much
(`benchmarks/speed/export_reading.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
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
    counts = [len(one.messages) for one in conversations]
    home = pa.array(np.repeat(np.arange(len(counts)), counts))
    # encoded once, for the hash and for the column
    encoded = [message.text.encode() for message in messages]
    told = {
        "message_id": _column("id", messages),
        "conversation_id": pa.array([one.id for one in conversations], pa.string()).take(home),
        "account": pa.array([one.account for one in conversations], pa.string()).take(home),
        "position": [position for count in counts for position in range(count)],
        "text": _texts(encoded),
        "text_hash": [hashlib.sha256(text).hexdigest() for text in encoded],
        "on_active_branch": [
            message.id in active
            for active, one in ((one.active_ids, one) for one in conversations)
            for message in one.messages
        ],
        **{name: _nested(name, _column(name, messages)) for name in _NESTED},
    }
    return _table(MESSAGES, messages, told)


def _texts(encoded: Sequence[bytes]) -> pa.Array:
    """A column of texts from their UTF-8: one copy of the bytes, where Arrow's own way makes several."""
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum(list(map(len, encoded)), out=offsets[1:])
    if offsets[-1] > _MOST_BYTES:
        return pa.array(encoded, pa.binary()).view(pa.string())
    places, texts = pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(b"".join(encoded))
    return pa.StringArray.from_buffers(len(encoded), places, texts)


_MOST_BYTES = 2**31 - 1
"""What the offsets of a column of texts can count."""
_NESTED = ("attachments", "raw", "segments")


def _column(name: str, nouns: Sequence[object]) -> list[Any]:
    return list(map(attrgetter(name), nouns))


def _nested(name: str, held: Sequence[Sequence[object]]) -> pa.Array:
    """A column of lists of records: the records' fields one after the other, and where each list begins."""
    kind = MESSAGES.field(name).type
    flat = [one for some in held for one in some]
    offsets = np.zeros(len(held) + 1, dtype=np.int32)
    np.cumsum(list(map(len, held)), out=offsets[1:])
    columns = [pa.array(_column(field.name, flat), field.type) for field in kind.value_type]
    records = pa.StructArray.from_arrays(columns, fields=list(kind.value_type))
    return pa.ListArray.from_arrays(pa.array(offsets), records, type=kind)


def _table(
    schema: pa.Schema, nouns: Sequence[Conversation] | Sequence[Message], told: Mapping[str, object]
) -> pa.Table:
    """A table whose columns are `told`, or else the field of that name."""
    columns = []
    for field in schema:
        column = told.get(field.name)
        if column is None:
            column = _column(field.name, nouns)
        columns.append(column if isinstance(column, pa.Array) else pa.array(column, field.type))
    return pa.Table.from_arrays(columns, schema=schema)
