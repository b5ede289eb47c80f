"""Gemini CLI sessions: `~/.gemini/tmp/<hash>/chats/session-*.json`, since 0.40 JSON Lines with patches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece, result_text
from archives.formats.injected import typed_apart
from archives.formats.rows import last_key, message_rows
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_SPOKEN = {"gemini": Origin.ASSISTANT, "model": Origin.ASSISTANT, "assistant": Origin.ASSISTANT}


def _is_session(value: object) -> bool:
    record = mapping(value)
    return "sessionId" in record and "projectHash" in record


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.OBJECT, Kind.LINES) and any(map(_is_session, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _from_lines(part, reading) if part.glimpse.kind is Kind.LINES else _from_object(part, reading)


def _from_object(part: Part, reading: Reading) -> Conversation:
    about: Mapping[str, object] = {}
    drafts: list[MessageDraft] = []
    for where, record in reading.records(part, plausible=_is_session):
        about = mapping(record)
        for number, row in message_rows(about.get("messages"), where, reading):
            drafts.append(_message(row, number, last_key(drafts), reading))
    return _conversation(about, drafts, part, reading)


def _from_lines(part: Part, reading: Reading) -> Conversation:
    """A line with a known id is a newer state of that message; `$set` lines patch the header."""
    about: dict[str, object] = {}
    drafts: dict[str, MessageDraft] = {}
    for number, (where, line) in enumerate(reading.lines(part)):
        row = mapping(line)
        if "$set" in row:
            about.update(mapping(row["$set"]))
        elif _is_session(row):
            about.update(row)
        elif "type" in row:
            before = next(reversed(drafts), None)
            draft = _message(row, number, before, reading)
            earlier = drafts.get(draft.key)
            if earlier is not None:
                draft.parent = earlier.parent
                reading.tally.records += 1
                reading.tally.skip("an earlier state of a message", where)
                earlier.told(reading.tally.kept)
            drafts[draft.key] = draft
            continue
        else:
            reading.reject(line, "a line that is neither message nor header", where)
            continue
        reading.tally.records += 1
        reading.tally.skip("a line about the session", where)
    return _conversation(about, list(drafts.values()), part, reading)


def _conversation(
    about: Mapping[str, object], drafts: list[MessageDraft], part: Part, reading: Reading
) -> Conversation:
    head = Head(
        account=reading.account,
        provider="gemini_cli",
        native_id=identifier(about.get("sessionId")),
        where=part.name,
        title=string(about.get("summary")),
        created=reading.moment(about.get("startTime")),
        updated=reading.moment(about.get("lastUpdated")),
        project=string(about.get("projectHash")),
    )
    return assemble(head, drafts, reading.tally)


def _message(row: Mapping[str, object], number: int, before: str | None, reading: Reading) -> MessageDraft:
    kind = string(row.get("type")) or "unknown"
    own = identifier(row.get("id"))
    draft = MessageDraft(
        own or f"#{number}",
        before,
        kind,
        own,
        author=string(row.get("model")),
        when=reading.moment(row.get("timestamp")),
        empty_because=f"a message without words ({kind})",
    )
    for thought in objects(row.get("thoughts")):
        words = "\n".join(filter(None, (string(thought.get("subject")), string(thought.get("description")))))
        draft.pieces.append(Piece(words, Origin.REASONING))
    words = result_text(row.get("content", "")) or result_text(row.get("parts", ""))
    if kind == "user":
        draft.pieces.extend(typed_apart(words))
    else:
        draft.pieces.append(Piece(words, _SPOKEN.get(kind, Origin.RUNTIME_CONTEXT)))
    for part in objects(row.get("parts")):
        data = mapping(part.get("inlineData"))
        if data:
            media_type = string(data.get("mimeType"))
            draft.attachments.append(
                Attachment(name="inline file", media_type=well_formed(media_type)[0] if media_type else None)
            )
    for call in objects(row.get("toolCalls")):
        name = string(call.get("name"))
        draft.pieces.append(call_piece(call.get("args"), name))
        draft.pieces.append(Piece(_output(call), Origin.TOOL_RESULT, name))
    return draft


def _output(call: Mapping[str, object]) -> str:
    texts = []
    for result in objects(call.get("result")):
        response = mapping(mapping(result.get("functionResponse")).get("response"))
        texts.append(string(response.get("output")) or as_text(response))
    return "\n".join(filter(None, texts)) or as_text(call.get("resultDisplay"))


_KEYS = Keys(
    words="""summary messages content thoughts toolCalls parts model""",
    used="projectHash **.status **.finishReason",
    omitted={
        "names of tools as they are shown": "**.displayName **.renderOutputAsMarkdown",
        "a result as it is shown, where the result itself stands": "**.resultDisplay **.displayContent",
        "bytes of files": "**.inlineData",
        "what a tool says of itself": "toolCalls.description messages.toolCalls.description",
        "settings": "meta directories kind",
    },
)

FORMAT = Format(
    id="gemini_cli",
    version=2,
    title="Gemini CLI sessions",
    reads="session JSON and patch JSON Lines, thoughts, tool calls with results",
    absent="the history[] form of old versions",
    evidence="4 files",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
