"""LobeChat's export: `{exportType, state: {messages, sessions, topics}, version}`, since pglite `{data:
{messages, …}, mode, schemaHash}`. A conversation is a topic, or what a session holds outside its topics.

The messages of all conversations stand in one list without an order of its own: their times give it.

Facts: `src/types/exportConfig.ts`, `src/types/export.ts` and `src/types/message/chat.ts` of
github.com/lobehub/lobe-chat; no file was at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, keep_unknown
from archives.formats.calls import call_text
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "system": Origin.CUSTOM_INSTRUCTION,
            "tool": Origin.TOOL_RESULT, "function": Origin.TOOL_RESULT}  # fmt: skip


def _state(value: object) -> Mapping[str, object]:
    record = mapping(value)
    if "exportType" in record:
        return mapping(record.get("state"))
    return mapping(record.get("data")) if {"schemaHash", "mode"} <= record.keys() else {}


def _is_record(value: object) -> bool:
    return isinstance(_state(value).get("messages"), list)


def _claims(seen: Glimpse) -> bool:
    return seen.kind is Kind.OBJECT and any(map(_is_record, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        for where, record in reading.records(part, plausible=_is_record):
            if _is_record(record):
                yield from _conversations(_state(record), where, reading)
            else:
                reading.reject(record, "a record without messages", where, alone=True)


def _conversations(state: Mapping[str, object], where: str, reading: Reading) -> Iterator[Conversation]:
    topics = {identifier(topic.get("id")): topic for topic in objects(state.get("topics"))}
    sessions = {identifier(session.get("id")): session for session in objects(state.get("sessions"))}
    talks: dict[tuple[str | None, str | None], list[tuple[int, dict[str, object]]]] = {}
    for number, row in enumerate(sequence(state.get("messages"))):
        if isinstance(row, dict):
            key = identifier(row.get("sessionId")), identifier(row.get("topicId"))
            talks.setdefault(key, []).append((number, row))
        else:
            place = f"{where}, message {number}"
            reading.reject(row, "a message that is no JSON object", place, alone=True)
    for (session, topic), rows in talks.items():
        about = topics.get(topic, {}) if topic else {}
        yield _conversation(about, sessions.get(session, {}), (session, topic), rows, where, reading)


def _conversation(
    topic: Mapping[str, object],
    session: Mapping[str, object],
    names: tuple[str | None, str | None],
    rows: list[tuple[int, dict[str, object]]],
    where: str,
    reading: Reading,
) -> Conversation:
    told = [(reading.moment(row.get("createdAt")), number, row) for number, row in rows]
    if all(when.at is not None for when, _, _ in told):
        told.sort(key=lambda one: (one[0].at, one[1]))
    drafts: list[MessageDraft] = []
    for when, number, row in told:
        drafts.append(_draft(row, number, when, last_key(drafts), f"{where}, message {number}", reading))
    leaf = last_key(drafts)
    instructions = string(mapping(session.get("config")).get("systemRole"))
    if instructions:
        given = MessageDraft("instructions", None, "system", "instructions", hidden=True)
        given.pieces.append(Piece(instructions, Origin.CUSTOM_INSTRUCTION))
        drafts.insert(0, given)
    name = string(mapping(session.get("meta")).get("title")) or string(session.get("title"))
    head = Head(
        account=reading.account,
        provider="lobechat",
        native_id="/".join(name for name in names if name) or None,
        where=f"{where}, topic {names[1]}" if names[1] else f"{where}, session {names[0]}",
        title=string(topic.get("title")) or name,
        created=reading.moment(topic.get("createdAt")) if "createdAt" in topic else told[0][0],
        updated=told[-1][0],
        leaf=leaf,
        project=name,
    )
    return assemble(head, drafts, reading.tally)


def _draft(
    row: Mapping[str, object], number: int, when: Moment, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    role = string(row.get("role")) or "unknown"
    model = string(mapping(row.get("extra")).get("fromModel")) or string(row.get("model"))
    draft = MessageDraft(
        f"#{number}",
        before,
        role,
        identifier(row.get("id")),
        author=model,
        when=when,
        hidden=role == "system",
    )
    plugin = mapping(row.get("plugin"))
    label = string(plugin.get("apiName"))
    draft.pieces.append(Piece(string(mapping(row.get("reasoning")).get("content")) or "", Origin.REASONING))
    draft.pieces.append(Piece(string(row.get("content")) or "", _ORIGINS.get(role, Origin.UNKNOWN), label))
    for call in sequence(row.get("tools")):
        held = mapping(call)
        if held:
            text = call_text(held.get("arguments"))
            draft.pieces.append(Piece(text, Origin.TOOL_CALL, string(held.get("apiName"))))
        else:
            keep_unknown("tool", call, draft, reading.tally, where)
    error = mapping(row.get("error"))
    if error:
        said = string(error.get("message")) or as_text(error.get("body")) or string(error.get("type")) or ""
        draft.pieces.append(Piece(said, Origin.RUNTIME_CONTEXT, "error"))
    for key in ("fileList", "imageList"):
        for file in objects(row.get(key)):
            name = string(file.get("name")) or string(file.get("alt")) or string(file.get("id")) or "file"
            draft.attachments.append(Attachment(name=well_formed(name)[0], size=whole(file.get("size"))))
    for source in objects(mapping(row.get("search")).get("citations")):
        address = string(source.get("url")) or string(source.get("title"))
        if address:
            draft.attachments.append(Attachment(name=well_formed(address)[0], media_type="citation"))
    return draft


_KEYS = Keys(
    words="state messages topics sessions",
    used="**.role **.fromProvider **.provider **.identifier **.fileType exportType",
    omitted={
        "settings and lists beside the talk": "state.settings settings state.sessionGroups sessionGroups",
        "made from the message by the program": "**.translate **.tts",
        "how an answer was made": "**.chunksList **.ragQuery **.pluginState **.traceId **.metadata",
    },
)

FORMAT = Format(
    id="lobechat",
    version=1,
    title="LobeChat export",
    reads=(
        "a conversation a topic, reasoning, tool calls and results, agents' instructions, files by name, "
        "errors"
    ),
    absent="settings; branches",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
