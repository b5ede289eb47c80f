"""The Cursor CLI's `store.db`: content-addressed blobs, and a head (hex JSON in `meta`) that names the root.

A message is a blob of JSON, `{role, content}`. What holds them together is protobuf: its fields number 1 of
32 bytes are the SHA-256 names of blobs, in order. Nothing else in it is read.
"""

from __future__ import annotations

from collections.abc import Iterator

from archives.contract import Part, Reading
from archives.drafts import Head, MessageDraft, assemble
from archives.formats.blocks import plain_as, take_blocks
from archives.formats.cursor_lines import typed_in_query
from archives.formats.rows import last_key
from archives.record_bounds import bounded_json
from archives.shapes import identifier, mapping, string
from archives.sqlite_copy import Database
from schemas.conversation import Conversation, Origin

_ORIGINS = {
    "assistant": Origin.ASSISTANT,
    "system": Origin.RUNTIME_CONTEXT,
    "tool": Origin.TOOL_RESULT,
}
_NAME_BYTES = 32
_LENGTH_DELIMITED = 2
_SKIPPED_BYTES = {1: 8, 5: 4}
"""Bytes of a field by its wire type; see protobuf's encoding guide."""


def store_conversation(database: Database, part: Part, reading: Reading) -> Conversation:
    """The chat of one store, as its latest root tells it."""
    about = _head(database)
    root = identifier(about.get("latestRootBlobId"))
    drafts: list[MessageDraft] = []
    read: set[str] = set()
    if root is not None and _blob(database, root) is None:
        reading.tally.hole("the conversation that the store names is missing", f"{part.name}, {root}")
    for name in _in_order(database, root):
        message = _message(_blob(database, name))
        if message is not None and name not in read:
            read.add(name)
            reading.takes(message, f"{part.name}, blob {name}")
            drafts.append(_draft(message, name, last_key(drafts), f"{part.name}, blob {name}", reading))
    _account_for_the_rest(database, part, reading, read)
    head = Head(
        account=reading.account,
        provider="cursor",
        native_id=identifier(about.get("agentId")),
        where=part.name,
        title=string(about.get("name")),
        created=reading.moment(about.get("createdAt")),
        leaf=last_key(drafts),
        model=string(about.get("lastUsedModel")),
    )
    return assemble(head, drafts, reading.tally)


def _head(database: Database) -> dict[str, object]:
    held = next((row["value"] for row in database.rows("SELECT value FROM meta WHERE key = '0'")), None)
    try:
        return mapping(bounded_json(bytes.fromhex(held))) if isinstance(held, str) else {}
    except (ValueError, RecursionError):
        return {}


def _blob(database: Database, name: str) -> bytes | None:
    for row in database.rows("SELECT data FROM blobs WHERE id = ?", (name,)):
        data = row["data"]
        return data if isinstance(data, bytes) else str(data).encode(errors="surrogateescape")
    return None


def _message(blob: bytes | None) -> dict[str, object] | None:
    if blob is None or not blob.lstrip().startswith(b"{"):
        return None
    try:
        record = mapping(bounded_json(blob))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record.get("role"), str) and "content" in record else None


def _in_order(database: Database, root: str | None) -> Iterator[str]:
    """Names of the blobs below the root, depth first, each once; the tree may be as deep as it likes."""
    waiting = [root] if root else []
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        blob = None if name in seen else _blob(database, name)
        seen.add(name)
        if blob is None:
            continue
        yield name
        if _message(blob) is None:
            waiting.extend(reversed(_named_in(blob)))


def _named_in(blob: bytes) -> list[str]:
    """The blobs that a protobuf message names; what comes before damage is kept."""
    names: list[str] = []
    at = 0
    while at < len(blob):
        tag, at = _varint(blob, at)
        wire = tag & 7
        if wire == 0:
            _, at = _varint(blob, at)
        elif wire in _SKIPPED_BYTES:
            at += _SKIPPED_BYTES[wire]
        elif wire == _LENGTH_DELIMITED:
            length, at = _varint(blob, at)
            if tag >> 3 == 1 and length == _NAME_BYTES and at + length <= len(blob):
                names.append(blob[at : at + length].hex())
            at += length
        else:
            break
    return names


def _varint(blob: bytes, at: int) -> tuple[int, int]:
    """The number at the place, of at most ten bytes, and the place after it."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(blob):
            break
        byte = blob[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    return value, at


def _draft(
    message: dict[str, object], name: str, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    role = str(message["role"])
    draft = MessageDraft(name, before, role, identifier(message.get("id")) or name)
    draft.hidden = role == "system"
    plain = typed_in_query if role == "user" else plain_as(_ORIGINS.get(role, Origin.UNKNOWN))
    take_blocks(message.get("content"), draft, plain, reading.tally, where)
    return draft


def _account_for_the_rest(database: Database, part: Part, reading: Reading, read: set[str]) -> None:
    """Earlier states of the chat, and blobs of another form."""
    for row in list(database.rows("SELECT id FROM blobs ORDER BY rowid")):
        name = str(row["id"])
        if name in read:
            continue
        blob = _blob(database, name)
        if _message(blob) is not None:
            reading.tally.records += 1
            reading.tally.skip("a message that the chat's latest state does not hold", f"{part.name}, {name}")
        elif not _named_in(blob or b""):
            reading.tally.records += 1
            reading.tally.skip("a blob whose form is not known", f"{part.name}, blob {name}")
