"""Content-derived ids.

Every id is `uuid5(NAMESPACE, kind + "\\n" + parts joined by "\\n")`, so the same content has the same id on
every machine and in every run, and no id depends on a position in a file:

| id           | parts                                                        |
|--------------|--------------------------------------------------------------|
| conversation | account, provider, the provider's own id (else a content hash) |
| message      | conversation id, the provider's own id (else a content hash)  |
| unit         | message id, start and end of the first evidence, the unit's text |
| chunk        | source id (message or resource), start, end, content hash    |
| resource     | account, content hash                                        |
| point        | kind, the id of what the point stands for                    |
| act          | random (uuid4): two equal acts of the owner are two acts     |

A unit's category is not part of its id: a better classifier must not orphan the owner's keeping of a note.
"""

from __future__ import annotations

from uuid import UUID, uuid5

NAMESPACE = UUID("6d6e656d-6963-5e00-8000-6d656d6f7279")


def _derive(kind: str, *parts: str) -> str:
    return str(uuid5(NAMESPACE, "\n".join((kind, *parts))))


def conversation_id(account: str, provider: str, native_id: str) -> str:
    """Id of a conversation; `native_id` is the provider's, or a content hash where it has none."""
    return _derive("conversation", account, provider, native_id)


def message_id(conversation: str, native_id: str) -> str:
    """Id of a message inside its conversation."""
    return _derive("message", conversation, native_id)


def unit_id(message: str, start: int, end: int, text: str) -> str:
    """Id of a unit, from its first evidence and its text: later repetitions do not change it."""
    return _derive("unit", message, str(start), str(end), text)


def chunk_id(source: str, start: int, end: int, content_hash: str) -> str:
    """Id of a chunk of a message or resource."""
    return _derive("chunk", source, str(start), str(end), content_hash)


def resource_id(account: str, content_hash: str) -> str:
    """Id of a document that was ingested as source material."""
    return _derive("resource", account, content_hash)


def point_id(kind: str, ref: str) -> str:
    """Id of the index point that stands for a unit, chunk or conversation."""
    return _derive("point", kind, ref)
