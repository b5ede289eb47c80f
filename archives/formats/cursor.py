"""Cursor: the editor's `state.vscdb`, the CLI's `store.db`, and the CLI's transcript lines.

`cursorDiskKV` holds `composerData:<id>` (a conversation and the order of its bubbles) and
`bubbleId:<composer>:<bubble>` (type 1 user, 2 assistant). Times of single bubbles are not to be relied on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece
from archives.formats.cursor_items import item_conversations
from archives.formats.cursor_lines import claims_lines, conversation_of_lines
from archives.formats.cursor_store import store_conversation
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.record_bounds import bounded_json
from archives.shapes import identifier, mapping, objects, string
from archives.sqlite_copy import Database, opened
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ROLES = {1: ("user", Origin.TYPED), 2: ("assistant", Origin.ASSISTANT)}


def _claims(seen: Glimpse) -> bool:
    if seen.kind is Kind.SQLITE:
        return (
            "cursorDiskKV" in seen.text
            or "TABLE ItemTable" in seen.text
            or ("TABLE blobs" in seen.text and "TABLE meta" in seen.text)
        )
    return claims_lines(seen)


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        if part.glimpse.kind is not Kind.SQLITE:
            yield conversation_of_lines(part, reading)
            continue
        with opened(part, reading) as database:
            if database is None:
                continue
            held = database.tables({"cursorDiskKV", "ItemTable", "meta", "blobs"})
            if "cursorDiskKV" in held:
                yield from _composers(database, part, reading)
            if "ItemTable" in held:
                yield from item_conversations(database, part, reading, alone="cursorDiskKV" not in held)
            elif {"meta", "blobs"} <= held:
                yield store_conversation(database, part, reading)


def _json(value: object) -> dict[str, object]:
    text = value.decode(errors="surrogateescape") if isinstance(value, bytes) else value
    try:
        return mapping(bounded_json(text)) if isinstance(text, str) else {}
    except (ValueError, RecursionError):
        return {}


def _composers(database: Database, part: Part, reading: Reading) -> Iterator[Conversation]:
    told: set[str] = set()
    query = "SELECT key, value FROM cursorDiskKV WHERE key LIKE 'composerData:%' ORDER BY rowid"
    for row in database.rows(query):
        value, native = row["value"], str(row["key"]).partition(":")[2]
        where = f"{part.name}, composer {native}"
        composer = _json(value)
        if not composer:
            reading.reject(str(value)[:2_000], "a composer that is no JSON object", where, alone=True)
            continue
        reading.takes(composer, where)
        told.add(native)
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
            reading.takes(bubble, f"{where}, bubble {bubble_id}")
            drafts.append(_bubble(bubble, bubble_id, len(drafts), last_key(drafts), reading))
        leaf = last_key(drafts)
        drafts += _orphans(database, native, drafts, where, reading)
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
            leaf=leaf or last_key(drafts),
        )
        yield assemble(head, drafts, reading.tally)
    yield from _without_composer(database, told, part, reading)


def _orphans(
    database: Database, composer: str, listed: list[MessageDraft], where: str, reading: Reading
) -> list[MessageDraft]:
    """Bubbles that stand under the composer and that it does not list: they hang beside its branch."""
    known = {draft.native_id for draft in listed}
    found: list[MessageDraft] = []
    query = "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ? ORDER BY rowid"
    for row in list(database.rows(query, (f"bubbleId:{composer}:", f"bubbleId:{composer};"))):
        own = str(row["key"]).rpartition(":")[2]
        bubble = _json(row["value"])
        if own not in known and bubble:
            reading.takes(bubble, f"{where}, bubble {own}")
            found.append(_bubble(bubble, own, len(listed) + len(found), last_key(found), reading))
    return found


def _without_composer(
    database: Database, told: set[str], part: Part, reading: Reading
) -> Iterator[Conversation]:
    composers: dict[str, None] = {}
    for row in database.rows("SELECT key FROM cursorDiskKV WHERE key LIKE 'bubbleId:%' ORDER BY rowid"):
        composers[str(row["key"]).removeprefix("bubbleId:").rpartition(":")[0]] = None
    for composer in composers:
        where = f"{part.name}, composer {composer}"
        drafts = _orphans(database, composer, [], where, reading) if composer not in told else []
        if drafts:
            reading.tally.hole("a composer that its bubbles name is missing", where)
            head = Head(
                account=reading.account,
                provider="cursor",
                native_id=composer,
                where=where,
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
    text = string(bubble.get("text")) or ""
    draft.pieces.append(Piece(text, spoken))
    for block in (*objects(bubble.get("codeBlocks")), *objects(bubble.get("suggestedCodeBlocks"))):
        code = string(block.get("content")) or string(block.get("code")) or ""
        if code not in text:
            draft.pieces.append(Piece(code, spoken))
    _take_context(bubble, draft)
    call = mapping(bubble.get("toolFormerData"))
    name = string(call.get("name"))
    draft.pieces.append(call_piece(call.get("rawArgs") or call.get("params"), name))
    draft.pieces.append(Piece(as_text(call.get("result")), Origin.TOOL_RESULT, name))
    return draft


def _take_context(bubble: Mapping[str, object], draft: MessageDraft) -> None:
    """What was put beside the words: selections, code, files and pictures."""
    context = mapping(bubble.get("context"))
    for part in (*objects(bubble.get("selections")), *objects(context.get("selections"))):
        words = string(part.get("text")) or string(part.get("rawText")) or ""
        draft.pieces.append(Piece(words, Origin.ATTACHED, _path(part) or "selection"))
    for part in objects(bubble.get("attachedCodeChunks")):
        lines = part.get("lines")
        words = "\n".join(map(str, lines)) if isinstance(lines, list) else string(part.get("contents")) or ""
        draft.pieces.append(Piece(words, Origin.ATTACHED, _path(part) or "code"))
    for kind in ("images", "fileSelections"):
        for file in (*objects(bubble.get(kind)), *objects(context.get(kind))):
            name = _path(file) or identifier(file.get("uuid")) or "image"
            media_type = "image" if kind == "images" else None
            draft.attachments.append(Attachment(name=well_formed(name)[0], media_type=media_type))


def _path(part: Mapping[str, object]) -> str | None:
    uri = mapping(part.get("uri"))
    told = (part.get("relativeWorkspacePath"), part.get("path"), uri.get("fsPath"), uri.get("path"))
    return next(filter(None, map(string, told)), None)


_KEYS = Keys(
    words="""name text thinking content message codeBlocks suggestedCodeBlocks toolFormerData context
        selections attachedCodeChunks images fileSelections conversation tabs modelType""",
    used="""role toolFormerData.status toolFormerData.tool unifiedMode forceMode chatMode""",
    omitted={
        "what the editor needs to show and to undo": """richText codebaseContextChunks
            gitDiffs capabilities capabilityStatuses codeBlockData originalFileStates
            allAttachedFileCodeChunksUris fullConversationHeadersOnly checkpointId
            conversation.richText tokenCount usageData modelConfig latestConversationSummary
            toolFormerData.params toolFormerData.additionalData context.mentions""",
    },
)

FORMAT = Format(
    id="cursor",
    version=3,
    title="Cursor (editor and CLI)",
    reads="editor database with older chats of its ItemTable, CLI transcript lines, the CLI's store.db",
    absent="reliable times of bubbles; times of the CLI and of older chats; bytes of pictures",
    evidence="3 files, the store.db of them empty; the databases from their field lists only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
