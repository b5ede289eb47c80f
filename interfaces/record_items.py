"""Records in full by id or path, whatever they are, their secrets masked: for `get`, `recall` and MCP."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TypeAlias

from chunking import estimate_tokens
from inference.secret_cover import concealed, masked_throughout
from interfaces.path_survey import at_keys, milliseconds_since
from interfaces.ways_back import way_back_of
from retrieval.rendering import QUOTED
from schemas.errors import UsageError
from vault.queries import (
    NAMED,
    SHORTEST_PREFIX,
    Row,
    chunk_in_full,
    conversation_in_full,
    note_in_full,
    resolve_records,
    resource_in_full,
    summary_in_full,
)
from vault.reader import VaultReader
from vault.threads import merged_into, thread_in_full

KINDS = (
    ("unit", note_in_full),
    ("chunk", chunk_in_full),
    ("conversation", conversation_in_full),
    ("summary", summary_in_full),
    ("thread", thread_in_full),
    ("resource", resource_in_full),
)
"""What each of `vault.queries.NAMED` holds, and how it is read in full."""

Said: TypeAlias = Callable[[str], Mapping[str, str]]
"""By a conversation's id: the texts of its messages by theirs, secrets masked."""

NOTHING_NAMED = "nothing has this id, and no note lies at such a path"
"""Why a record is not found."""

CONVERSATIONS_AT_HAND = 8
"""A get of many records masks a conversation once, where its records stand near one another."""


def got(items: Sequence[Row], start: float) -> Row:
    """What a get comes to, as one object; `start` is of `time.perf_counter`."""
    return {
        "mode": "[mode=get]",
        "success": True,
        "notices": [QUOTED],
        "items": list(items),
        "count": len(items),
        "found_count": sum(bool(item["found"]) for item in items),
        "timing_ms": milliseconds_since(start),
        "error": None,
    }


def items_of(reader: VaultReader, named: Sequence[str], account: str | None = None) -> list[Row]:
    """An item for each of the ids and paths, in their order; paths are looked up at once.

    Raises AccountNeeded for a path where it has to be said of which account.
    """
    keys = at_keys(reader, named, account)
    said = lru_cache(CONVERSATIONS_AT_HAND)(partial(_texts_said, reader))
    return [keys[one] if one in keys else _item_or_why(reader, one, account, said) for one in named]


def _item_or_why(reader: VaultReader, named: str, account: str | None, said: Said) -> Row:
    """As `item_of`; a name too short for an id is not found, and takes no other item along."""
    try:
        return item_of(reader, named, account, said)
    except UsageError as error:
        if len(named) >= SHORTEST_PREFIX:  # the beginning of several ids
            raise
        return not_found(reader, named, error.what)


def not_found(reader: VaultReader, named: str, why: str) -> Row:
    """The item of what is not there."""
    return record_item(reader, named, None, None) | {"why": why}


def item_of(reader: VaultReader, named: str, account: str | None = None, said: Said | None = None) -> Row:
    """The record that was named, whatever it is; `account`: as if nothing of other accounts existed.

    Raises UsageError where the beginning of an id names several records.
    """
    readers = {table: how for how, (table, _) in zip(KINDS, NAMED, strict=True)}
    found = [(*readers[table], one) for table, one in resolve_records(reader.ledger, named, account)] or [
        ("thread", thread_in_full, one) for one in merged_into(reader.ledger, named, account)
    ]
    if len(found) > 1:
        raise UsageError(
            f"several records begin with {named}", why=", ".join(f"{kind} {one}" for kind, _, one in found)
        )
    for kind, in_full, one in found:
        return record_item(reader, named, kind, _linked(reader, in_full(reader.ledger, one)), said)
    return record_item(reader, named, None, None)


def _linked(reader: VaultReader, record: Row) -> Row:
    """The record with the way back to where it was said; None where there is none."""
    return {**record, "source_link": way_back_of(reader.ledger, record)}


def record_item(
    reader: VaultReader, named: str, kind: str | None, record: Row | None, said: Said | None = None
) -> Row:
    """The same keys, whether the record was found or not, with `why` where it was not; secrets are masked."""
    said = said or partial(_texts_said, reader)
    told = _masked(record, said) if record is not None else None
    tokens = estimate_tokens(json.dumps(told, ensure_ascii=False, default=str)) if told else 0
    whose = told.get("account") if told else None
    return {
        "id": named, "key": named, "namespace": whose, "full_key": f"{whose}:{named}" if whose else named,
        "found": told is not None, "kind": kind, "tokens": tokens, "record": told, "value": None,
        "why": None if told else NOTHING_NAMED,
    }  # fmt: skip


def _masked(record: Row, said: Said) -> Row:
    """The record with its secrets masked. Messages and quotes are masked as they stand in their conversation:
    what tells that a value is a secret may have been said before."""
    cited = [name for name in _CITING if _members(record, name)]
    home = record.get("conversation_id")
    texts = said(str(home)) if home and cited else {}
    told = {**record, **{name: [_covered(one, texts) for one in _members(record, name)] for name in cited}}
    masked: Row = masked_throughout(told)
    return masked


def _texts_said(reader: VaultReader, home: str) -> Mapping[str, str]:
    conversation = reader.ledger.conversation(home)
    return {one.id: one.text for one in concealed(conversation).messages} if conversation else {}


_CITING = ("evidence", "context", "around", "message_list")
"""Lists of a record whose members are messages, or stand in one."""


def _members(record: Row, name: str) -> list[Row]:
    value = record.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list | tuple) else []


def _covered(one: Row, texts: Mapping[str, str]) -> Row:
    """A message, or what is quoted of it, as it stands in these texts."""
    text = texts.get(str(one.get("message_id") or one.get("id")))
    if text is None:
        return one
    start, end = one.get("start"), one.get("end")
    if isinstance(start, int) and isinstance(end, int):
        return {**one, "quote": text[start:end]}
    return {**one, "text": text}
