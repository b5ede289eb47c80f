"""Content-derived ids.

Every id is `uuid5(NAMESPACE, kind + "\\n" + parts joined by "\\n")`, so the same content has the same id on
every machine and in every run, and no id depends on a position in a file:

| id           | parts                                                        |
|--------------|--------------------------------------------------------------|
| conversation | account, provider, the provider's own id (else a content hash) |
| message      | conversation id, the provider's own id (else a content hash)  |
| unit         | message id, start and end of the first evidence, the unit's text |
| chunk        | source id (message or resource), start, end, content hash    |
| resource     | account, provider, the provider's own id or the file's name    |
| summary      | conversation id                                              |
| thread       | account, the conversation that founded it                     |
| thread map   | thread id                                                    |
| web passage  | account, address of the page, the passage's text               |
| point        | kind, the id of what the point stands for                    |
| act          | random (uuid4): two equal acts of the owner are two acts     |

A unit's category is not part of its id: a better classifier must not orphan the owner's keeping of a note.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from uuid import UUID

NAMESPACE = UUID("6d6e656d-6963-5e00-8000-6d656d6f7279")
_PREFIX = NAMESPACE.bytes
_VARIANT = dict(zip("0123456789abcdef", "89ab" * 4, strict=True))
"""The 17th digit of a UUID, by that of the hash: its two high bits are 10 (RFC 9562, 4.1)."""

SHORT_ID = 8
"""Characters of a shortened id: of a hundred thousand records about two share theirs."""
_DIGITS = re.compile(r"[0-9a-f]{1,32}")
_HYPHENS = (8, 12, 16, 20)


def short_id(identity: str, shared: Collection[str] = ()) -> str:
    """What to call a record: the beginning of its id, or all of it where it is one of the `shared` ones."""
    return identity if identity[:SHORT_ID] in shared else identity[:SHORT_ID]


def stored_form(named: str) -> str:
    """An id, or the beginning of one, as it is stored: small letters, hyphens where a UUID has them.

    Names of files have it without hyphens. What is no part of a UUID stays as it is.
    """
    digits = named.strip().lower().replace("-", "")
    if not _DIGITS.fullmatch(digits):
        return named
    edges = (0, *_HYPHENS, 32)
    return "-".join(digits[start:end] for start, end in pairwise(edges) if digits[start:end])


def _derive(kind: str, *parts: str) -> str:
    # what uuid.uuid5 gives, without its UUID object: a reader makes one id a message
    name = "\n".join((kind, *parts)).encode()
    digest = hashlib.sha1(_PREFIX + name, usedforsecurity=False).hexdigest()
    variant = _VARIANT[digest[16]]
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"


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


def resource_id(account: str, provider: str, native_id: str) -> str:
    """Id of a document: a newer form of it keeps the id."""
    return _derive("resource", account, provider, native_id)


def web_passage_id(account: str, url: str, text: str) -> str:
    """Id of a passage of a page of the web."""
    return _derive("web passage", account, url, text)


def summary_id(conversation: str) -> str:
    """Id of a conversation's summary, whichever engine writes it."""
    return _derive("summary", conversation)


def thread_id(account: str, founder: str) -> str:
    """Id of a thread, from its earliest conversation: one that joins later does not change it."""
    return _derive("thread", account, founder)


def thread_map_id(thread: str) -> str:
    """Id of a thread's map, whichever engine writes it."""
    return _derive("thread map", thread)


@lru_cache(maxsize=20_000)
def point_id(kind: str, ref: str) -> str:
    """Id of the index point that stands for a unit, chunk, conversation, summary or thread."""
    return _derive("point", kind, ref)
