"""Cursor: the editor's `state.vscdb`, the CLI's `store.db`, and the CLI's transcript lines.

`cursorDiskKV` holds `composerData:<id>` (a conversation and the order of its bubbles) and
`bubbleId:<composer>:<bubble>` (type 1 user, 2 assistant). Times of single bubbles are not to be relied on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text
from archives.formats.cursor_lines import claims_lines, conversation_of_lines
from archives.formats.cursor_store import store_conversation
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.record_bounds import bounded_json
from archives.shapes import identifier, mapping, objects, string
from archives.sqlite_copy import Database, opened
from schemas.conversation import Conversation, Origin

_ROLES = {1: ("user", Origin.TYPED), 2: ("assistant", Origin.ASSISTANT)}


def _claims(seen: Glimpse) -> bool:
    if seen.kind is Kind.SQLITE:
        return "cursorDiskKV" in seen.text or ("TABLE blobs" in seen.text and "TABLE meta" in seen.text)
    return claims_lines(seen)


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        if part.glimpse.kind is not Kind.SQLITE:
            yield conversation_of_lines(part, reading)
            continue
        with opened(part, reading) as database:
            if database is None:
                continue
            held = database.tables({"cursorDiskKV", "meta", "blobs"})
            if "cursorDiskKV" in held:
                yield from _composers(database, part, reading)
            elif {"meta", "blobs"} <= held:
                yield store_conversation(database, part, reading)


def _json(value: object) -> dict[str, object]:
    text = value.decode(errors="surrogateescape") if isinstance(value, bytes) else value
    try:
        return mapping(bounded_json(text)) if isinstance(text, str) else {}
    except (ValueError, RecursionError):
        return {}


def _composers(database: Database, part: Part, reading: Reading) -> Iterator[Conversation]:
    query = "SELECT key, value FROM cursorDiskKV WHERE key LIKE 'composerData:%' ORDER BY rowid"
    for row in database.rows(query):
        value, native = row["value"], str(row["key"]).partition(":")[2]
        where = f"{part.name}, composer {native}"
        composer = _json(value)
        if not composer:
            reading.reject(str(value)[:2_000], "a composer that is no JSON object", where, alone=True)
            continue
        drafts: list[MessageDraft] = []
        headers = list(objects(composer.get("fullConversationHeadersOnly")))
        for header in headers:
            bubble_id = identifier(header.get("bubbleId")) or "?"
            key = f"bubbleId:{native}:{bubble_id}"
            found = next(database.rows("SELECT value FROM cursorDiskKV WHERE key = ?", (key,)), None)
            if found is None:
                reading.tally.hole("a bubble that its composer names is missing", f"{where}, {bubble_id}")
                continue
            bubble = _json(found["value"]) or dict(header)
            drafts.append(_bubble(bubble, bubble_id, len(drafts), last_key(drafts), reading))
        if not headers:
            for bubble in objects(composer.get("conversation")):
                own = identifier(bubble.get("bubbleId"))
                drafts.append(_bubble(bubble, own, len(drafts), last_key(drafts), reading))
        head = Head(
            account=reading.account,
            provider="cursor",
            native_id=native,
            where=where,
            title=string(composer.get("name")),
            created=reading.moment(composer.get("createdAt")),
            updated=reading.moment(composer.get("lastUpdatedAt")),
            leaf=last_key(drafts),
        )
        yield assemble(head, drafts, reading.tally)


def _bubble(
    bubble: Mapping[str, object], own: str | None, number: int, before: str | None, reading: Reading
) -> MessageDraft:
    kind = bubble.get("type")
    role, spoken = _ROLES.get(kind if isinstance(kind, int) else 0, ("unknown", Origin.UNKNOWN))
    draft = MessageDraft(f"#{number}", before, role, own, when=reading.moment(bubble.get("createdAt")))
    thinking = bubble.get("thinking")
    words = string(thinking) or string(mapping(thinking).get("text")) or ""
    draft.pieces.append(Piece(words, Origin.REASONING))
    draft.pieces.append(Piece(string(bubble.get("text")) or "", spoken))
    call = mapping(bubble.get("toolFormerData"))
    name = string(call.get("name"))
    draft.pieces.append(Piece(as_text(call.get("rawArgs") or call.get("params")), Origin.TOOL_CALL, name))
    draft.pieces.append(Piece(as_text(call.get("result")), Origin.TOOL_RESULT, name))
    return draft


FORMAT = Format(
    id="cursor",
    version=2,
    title="Cursor (editor and CLI)",
    reads="editor database, CLI transcript lines, the CLI's store.db",
    absent="reliable times of bubbles; times of the CLI; chats of the old ItemTable (counted)",
    evidence="3 files, the store.db of them empty; the databases from their field lists only",
    claims=_claims,
    read=_read,
)
