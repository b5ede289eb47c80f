"""OpenCode's storage folder: `session/<project>/`, `message/<session>/`, `part/<message>/`, a file a record;
since 1.4 its database, which `opencode_database` reads; and what `opencode export` prints, `{info,
messages}`. Kilo's CLI is a fork: its `kilo.db` and its exports are the same.

Parts may name neither message nor session: the folder they lie in does. `synthetic` text is not the user's.

Facts: `packages/opencode/src/cli/cmd/export.ts` and `storage/` of github.com/anomalyco/opencode, and public
forks of Kilo; two real storage folders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece, keep_unknown
from archives.formats.injected import typed_apart
from archives.formats.opencode_database import claims_database, sessions_of
from archives.formats.rows import last_key, message_rows
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_CHROME = frozenset({"step-start", "step-finish", "compaction", "patch", "snapshot", "agent", "retry"})
_KINDS = _CHROME | {"text", "reasoning", "tool", "file", "subtask"}


def _is_session(record: Mapping[str, object]) -> bool:
    return "projectID" in record and isinstance(record.get("time"), dict)


def _is_message(record: Mapping[str, object]) -> bool:
    return "sessionID" in record and "role" in record and "id" in record


def _is_part(record: Mapping[str, object]) -> bool:
    known = string(record.get("type")) in _KINDS and identifier(record.get("id")) is not None
    return known and not {"message", "payload", "data", "role", "content"} & set(record)


def _is_export(record: Mapping[str, object]) -> bool:
    info = mapping(record.get("info"))
    return isinstance(record.get("messages"), list) and "id" in info and "time" in info


def _claims(seen: Glimpse) -> bool:
    if seen.kind is Kind.SQLITE:
        return claims_database(seen)
    record = next(seen.objects(), {})
    kinds = (_is_session, _is_message, _is_part, _is_export)
    return seen.kind is Kind.OBJECT and any(known(record) for known in kinds)


def _read(reading: Reading) -> Iterator[Conversation]:
    sessions: list[Part] = []
    messages: dict[str, list[Part]] = {}
    parts: dict[str, list[Part]] = {}
    for part in reading.parts:
        if part.glimpse.kind is Kind.SQLITE:
            for session, told_rows in sessions_of(part, reading):
                yield _conversation(session, told_rows, part.name, reading)
            continue
        record = next(part.glimpse.objects(), {})
        folder = PurePosixPath(part.name).parent.name
        if _is_export(record):
            yield from _exported(part, reading)
        elif _is_session(record):
            sessions.append(part)
        elif _is_message(record):
            messages.setdefault(identifier(record.get("sessionID")) or folder, []).append(part)
        else:
            parts.setdefault(identifier(record.get("messageID")) or folder, []).append(part)
    told = {identifier(next(part.glimpse.objects(), {}).get("id")) for part in sessions}
    for part in sessions:
        native = identifier(next(part.glimpse.objects(), {}).get("id")) or part.name
        session = {**_object(part, reading), "id": native}
        yield _conversation(
            session, _from_files(messages.get(native, []), parts, reading), part.name, reading
        )
    for native, rows in messages.items():
        if native not in told:
            reading.tally.hole("a session without its own file", rows[0].name)
            found = _from_files(rows, parts, reading)
            yield _conversation({"id": native}, found, rows[0].name, reading)
    for rows in parts.values():
        for part in rows:
            reading.tally.records += 1
            reading.tally.skip("a part whose message is missing", part.name)


def _exported(part: Part, reading: Reading) -> Iterator[Conversation]:
    """The sessions of an export's file: one, unless somebody put several one after another."""
    for where, record in reading.records(part, plausible=lambda value: _is_export(mapping(value))):
        held = mapping(record)
        if not _is_export(held):
            reading.reject(record, "a record that is no exported session", where, alone=True)
            continue
        rows: list[Row] = []
        for number, row in message_rows(held.get("messages"), where, reading):
            message = mapping(row.get("info"))
            if message:
                parts = list(objects(row.get("parts")))
                rows.append((dict(message), parts, f"{where}, message {number}"))
            else:
                reading.reject(row, "a message without its info", f"{where}, message {number}")
        yield _conversation(mapping(held.get("info")), rows, where, reading)


def _object(part: Part, reading: Reading) -> dict[str, object]:
    rows = [row for _, row in reading.records(part, plausible=lambda value: isinstance(value, dict))]
    return mapping(rows[0]) if rows else {}


Row = tuple[dict[str, object], list[dict[str, object]], str]
"""A message, its parts, and where it stands."""


def _from_files(rows: list[Part], parts: dict[str, list[Part]], reading: Reading) -> Iterator[Row]:
    for row in rows:
        message = _object(row, reading)
        if message:
            key = identifier(message.get("id")) or row.name
            own = [_object(part, reading) for part in parts.pop(key, [])]
            yield {**message, "id": key}, own, row.name


def _conversation(
    session: Mapping[str, object], rows: Iterable[Row], where: str, reading: Reading
) -> Conversation:
    time = mapping(session.get("time"))
    drafts: list[MessageDraft] = []
    for message, parts, place in rows:
        drafts.append(_message(message, parts, last_key(drafts), place, reading))
    head = Head(
        account=reading.account,
        provider="opencode",
        native_id=identifier(session.get("id")),
        where=where,
        title=string(session.get("title")),
        created=reading.moment(time.get("created")),
        updated=reading.moment(time.get("updated")),
        project=string(session.get("directory")),
    )
    return assemble(head, drafts, reading.tally)


def _message(
    message: Mapping[str, object],
    parts: list[dict[str, object]],
    before: str | None,
    where: str,
    reading: Reading,
) -> MessageDraft:
    key = identifier(message.get("id")) or where
    role = string(message.get("role")) or "unknown"
    draft = MessageDraft(
        key,
        identifier(message.get("parentID")) or before,
        role,
        key,
        author=string(message.get("modelID")) or string(mapping(message.get("model")).get("modelID")),
        when=reading.moment(mapping(message.get("time")).get("created")),
    )
    for part in parts:
        _take_part(part, draft, role, where, reading)
    error = mapping(message.get("error"))
    told = string(mapping(error.get("data")).get("message")) or string(error.get("name")) or ""
    draft.pieces.append(Piece(told, Origin.RUNTIME_CONTEXT, "error"))
    if role == "user" and not parts:
        # Old versions keep a user's words in the summary alone.
        summary = mapping(message.get("summary"))
        draft.pieces.extend(typed_apart(string(summary.get("body")) or string(summary.get("title")) or ""))
    return draft


def _take_part(part: dict[str, object], draft: MessageDraft, role: str, where: str, reading: Reading) -> None:
    words = string(part.get("text")) or ""
    match string(part.get("type")):
        case "text" if part.get("synthetic") is True:
            draft.pieces.append(Piece(words, Origin.RUNTIME_CONTEXT, "synthetic"))
        case "text" if role == "user":
            draft.pieces.extend(typed_apart(words))
        case "text":
            draft.pieces.append(Piece(words, Origin.ASSISTANT if role == "assistant" else Origin.UNKNOWN))
        case "reasoning":
            draft.pieces.append(Piece(words, Origin.REASONING))
        case "tool":
            state = mapping(part.get("state"))
            name = string(part.get("tool"))
            draft.pieces.append(call_piece(state.get("input"), name))
            output = state.get("output") or state.get("error")
            draft.pieces.append(Piece(as_text(output), Origin.TOOL_RESULT, name))
        case "file":
            media_type = string(part.get("mime"))
            draft.attachments.append(
                Attachment(
                    name=well_formed(string(part.get("filename")) or "unnamed")[0],
                    media_type=well_formed(media_type)[0] if media_type else None,
                )
            )
        case "subtask":
            told = (string(part.get("description")), string(part.get("prompt")))
            label = "task that an agent gave its subagent"
            draft.pieces.append(Piece("\n".join(filter(None, told)), Origin.UNKNOWN, label))
        case kind if kind not in _CHROME:
            keep_unknown(str(kind), part, draft, reading.tally, where)


_KEYS = Keys(
    words="""title text directory state error prompt description filename tool summary""",
    whole="state.input",
    used="""error.name agent mode finish slug variant state.status providerID modelID model system reason
        synthetic cost projectID **.slug""",
    omitted={
        "settings and places of a session": "path version share permission tools",
        "changes to files": "snapshot files hash summary.diffs state.metadata revert",
        "a title for a tool's call": "state.title",
        "addresses and sources of files": "url source state.attachments",
        "a summary that repeats the words": "summary.body summary.title",
    },
)

FORMAT = Format(
    id="opencode",
    version=3,
    title="OpenCode sessions",
    reads="storage folder, opencode.db, Kilo's kilo.db and exported sessions: sessions, messages, parts",
    absent="snapshots and patches",
    evidence="2 folders; the database and the export from their source only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
