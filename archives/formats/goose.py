"""Goose: `sessions.db` (tables `sessions` and `messages`), the JSON Lines of versions before 1.10, and
`goose session export --format json`.

All three hold the same messages: content blocks in camelCase. A tool's result comes in a message of the
user's; what `metadata.userVisible` hides was put in by Goose, as was `<turn-context>`.

Facts: `crates/goose/src/session/session_manager.rs` and `conversation/message.rs` of github.com/block/goose;
a real export and a real tool run among the tests of github.com/srjn45/warden
(`internal/agentbackend/backends/testdata/goose/`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, keep_unknown
from archives.formats.calls import call_text, outcome_text
from archives.formats.injected import typed_apart
from archives.formats.rows import last_key, part_title
from archives.formats.stored import stored_json
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, sequence, string
from archives.sqlite_copy import Database, opened
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_TABLES = frozenset({"sessions", "messages"})
_TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?[\"`\[]?(sessions|messages)\b")
_ROLES = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT}
_CONTEXT = re.compile(r"\s*<(turn-context|info-msg)>")


def _is_message(value: object) -> bool:
    row = mapping(value)
    return string(row.get("role")) in _ROLES and "created" in row and isinstance(row.get("content"), list)


def _is_session(value: object) -> bool:
    row = mapping(value)
    return "working_dir" in row and bool({"message_count", "description", "conversation"} & row.keys())


def _claims(seen: Glimpse) -> bool:
    if seen.kind is Kind.SQLITE:
        return set(_TABLE.findall(seen.text)) >= _TABLES and "content_json" in seen.text
    return seen.kind in (Kind.LINES, Kind.OBJECT) and any(map(_is_session, seen.records[:1]))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        if part.glimpse.kind is not Kind.SQLITE:
            yield from _of_lines(part, reading)
            continue
        with opened(part, reading) as database:
            if database is None:
                continue
            if database.tables(_TABLES) >= _TABLES:
                yield from _of_database(database, part, reading)
            else:
                reading.tally.lose("a table of sessions or messages is missing", part.name)


Row = tuple[Mapping[str, object], str]
"""A message and where it stands."""


def _of_lines(part: Part, reading: Reading) -> Iterator[Conversation]:
    """Sessions of a JSON Lines file, or of exports: a head, and the messages in it or after it."""
    head: dict[str, object] = {}
    rows: list[Row] = []
    found = 0
    for where, value in reading.lines(part):
        if isinstance(value, dict) and _is_session(value):
            if head or rows:
                yield _conversation(head, rows, part_title(part), f"{part.name}, session {found}", reading)
            found, head = found + 1, value
            rows = [
                (mapping(row), f"{where}, message {number}")
                for number, row in enumerate(sequence(value.get("conversation")))
            ]
        elif isinstance(value, dict) and _is_message(value):
            rows.append((value, where))
        else:
            reading.reject(value, "a line that is no message", where)
    if head or rows:
        yield _conversation(head, rows, part_title(part), part.name, reading)


def _of_database(database: Database, part: Part, reading: Reading) -> Iterator[Conversation]:
    told = []
    for session in database.rows("SELECT * FROM sessions ORDER BY rowid"):
        native = identifier(session.get("id")) or ""
        told.append(native)
        yield _conversation(
            session, _rows(database, native, part, reading), None, f"{part.name}, session {native}", reading
        )
    for row in list(database.rows("SELECT DISTINCT session_id FROM messages ORDER BY 1")):
        native = identifier(row["session_id"]) or ""
        if native not in told:
            where = f"{part.name}, session {native}"
            reading.tally.hole("a session that its messages name is missing", where)
            yield _conversation({"id": native}, _rows(database, native, part, reading), None, where, reading)


def _rows(database: Database, session: str, part: Part, reading: Reading) -> Iterator[Row]:
    query = "SELECT * FROM messages WHERE session_id = ? ORDER BY rowid"
    for row in database.rows(query, (session,)):
        where = f"{part.name}, session {session}, message {row.get('id')}"
        content = stored_json(row.get("content_json"))
        if not isinstance(content, list):
            reading.reject(str(row.get("content_json"))[:2_000], "a message whose content is no list", where)
            continue
        yield (
            {
                "id": row.get("message_id") or row.get("id"),
                "role": row.get("role"),
                "created": row.get("created_timestamp"),
                "content": content,
                "metadata": stored_json(row.get("metadata_json")),
            },
            where,
        )


def _conversation(
    session: Mapping[str, object], rows: Iterable[Row], stem: str | None, where: str, reading: Reading
) -> Conversation:
    drafts: list[MessageDraft] = []
    for row, place in rows:
        drafts.append(_draft(row, len(drafts), last_key(drafts), place, reading))
    model = mapping(session.get("model_config")).get("model_name")
    model = model or mapping(stored_json(session.get("model_config_json"))).get("model_name")
    head = Head(
        account=reading.account,
        provider="goose",
        native_id=identifier(session.get("id")) or stem,
        where=where,
        title=string(session.get("name")) or string(session.get("description")),
        created=reading.moment(_utc(session.get("created_at"))),
        updated=reading.moment(_utc(session.get("updated_at"))),
        leaf=last_key(drafts),
        model=string(model),
        project=string(session.get("working_dir")),
    )
    return assemble(head, drafts, reading.tally)


def _utc(time: object) -> object:
    """SQLite's CURRENT_TIMESTAMP is UTC and does not say so."""
    text = string(time)
    return f"{text}Z" if text and re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", text) else time


def _draft(
    row: Mapping[str, object], number: int, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    role = string(row.get("role")) or "unknown"
    hidden = mapping(row.get("metadata")).get("userVisible") is False
    draft = MessageDraft(
        f"#{number}",
        before,
        role,
        identifier(row.get("id")),
        when=reading.moment(row.get("created")),
        hidden=hidden,
    )
    for block in sequence(row.get("content")):
        _take(mapping(block), block, draft, role, where, reading)
    if not isinstance(row.get("content"), list) and row:
        keep_unknown("message without a list of blocks", dict(row), draft, reading.tally, where)
    return draft


def _take(
    block: Mapping[str, object], raw: object, draft: MessageDraft, role: str, where: str, reading: Reading
) -> None:
    kind = string(block.get("type"))
    match kind:
        case "text":
            draft.pieces.extend(_words(string(block.get("text")) or "", role, draft.hidden))
        case "thinking":
            draft.pieces.append(Piece(string(block.get("thinking")) or "", Origin.REASONING))
        case "toolRequest" | "frontendToolRequest":
            call = mapping(block.get("toolCall"))
            value = mapping(call.get("value")) or call
            if call.get("status") == "error":
                draft.pieces.append(Piece(as_text(call.get("error")), Origin.TOOL_CALL, "error"))
            else:
                text = call_text(value.get("arguments"))
                draft.pieces.append(Piece(text, Origin.TOOL_CALL, string(value.get("name"))))
        case "toolResponse":
            result = mapping(block.get("toolResult"))
            given = result.get("error") if result.get("status") == "error" else result.get("value")
            draft.pieces.append(Piece(outcome_text(given), Origin.TOOL_RESULT))
        case "toolConfirmationRequest" | "actionRequired":
            held = {key: value for key, value in block.items() if key not in ("type", "id")}
            draft.pieces.append(Piece(as_text(held), Origin.RUNTIME_CONTEXT, kind))
        case (
            "systemNotification"
            | "conversationCompacted"
            | "contextLengthExceeded"
            | "summarizationRequested"
        ):
            words = string(block.get("msg")) or string(block.get("message")) or ""
            draft.pieces.append(Piece(words, Origin.RUNTIME_CONTEXT, kind))
        case "image":
            draft.attachments.append(Attachment(name="image", media_type=_media_type(block)))
        case "redactedThinking":
            pass
        case _:
            keep_unknown(kind or "no type", raw, draft, reading.tally, where)


def _words(text: str, role: str, hidden: bool) -> list[Piece]:
    if role == "user" and (hidden or _CONTEXT.match(text)):
        return [Piece(text, Origin.RUNTIME_CONTEXT, "goose")]
    if role == "user":
        return typed_apart(text)
    return [Piece(text, _ROLES.get(role, Origin.UNKNOWN))]


def _media_type(block: Mapping[str, object]) -> str | None:
    told = string(block.get("mimeType"))
    return well_formed(told)[0] if told else None


_KEYS = Keys(
    words="name description working_dir conversation content messages model_config.model_name",
    used="""role created metadata provider_name notificationType **.notificationType **.status
        session_type user_set_name goose_mode""",
    omitted={
        "what it cost": """total_tokens input_tokens output_tokens usage accumulated_total_tokens
            accumulated_input_tokens accumulated_output_tokens""",
        "the state of extensions": "extension_data",
        "how the session was started": """recipe recipe_json user_recipe_values user_recipe_values_json
            schedule_id""",
        "bytes of pictures": "**.data",
        "encrypted reasoning": "**.signature",
        "hints for the display": "**.annotations **._meta",
    },
)

FORMAT = Format(
    id="goose",
    version=1,
    title="Goose sessions",
    reads="sessions.db, session JSON Lines and exported sessions; thoughts, tool calls and results, notices",
    absent="bytes of pictures; recipes and the state of extensions; what it cost",
    evidence="2 real exports; the database from its schema in the source",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
