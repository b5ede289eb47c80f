"""VS Code's Copilot Chat: `workspaceStorage/<h>/chatSessions/<id>.json`, newer versions as a log to replay.

A log line is `{kind: 0, v}` (the whole state), `{kind: 1, k, v}` (set at a path) or `{kind: 2, k, v}`
(append to the list at a path). "Chat: Export Chat…" writes the session without its id, title and times.

Facts: `IExportableChatData` in `src/vs/workbench/contrib/chat/common/chatModel.ts` of
github.com/microsoft/vscode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, keep_unknown, result_text
from archives.formats.rows import last_key, message_rows
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_CHROME = frozenset(
    {
        "textEditGroup",
        "notebookEditGroup",
        "undoStop",
        "codeblockUri",
        "mcpServersStarting",
        "prepareToolInvocation",
        "progressTaskSerialized",
        "confirmation",
        "command",
        "treeData",
    }
)
"""Response items that show buttons, edits or progress, not words."""


def _is_session(value: object) -> bool:
    record = mapping(value)
    named = bool({"sessionId", "responderUsername"} & record.keys())  # an exported chat names no session
    return named and isinstance(record.get("requests"), list)


def _is_log(value: object) -> bool:
    line = mapping(value)
    return line.get("kind") == 0 and _is_session(line.get("v"))


def _claims(seen: Glimpse) -> bool:
    if seen.kind is Kind.OBJECT:
        return any(_is_session(record) or _is_log(record) for record in seen.records)
    return seen.kind is Kind.LINES and any(map(_is_log, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        state = _state(part, reading)
        if _is_session(state):
            yield _conversation(state, part, reading)


def _state(part: Part, reading: Reading) -> dict[str, object]:
    """The session as its file, or its log from the first line to the last, says."""
    state: dict[str, object] = {}
    for where, value in reading.lines(part):
        line = mapping(value)
        if _is_session(line):
            state = line
        elif line.get("kind") == 0:
            state = mapping(line.get("v"))
        elif line.get("kind") in (1, 2):
            if not _patched(state, sequence(line.get("k")), line.get("v"), append=line["kind"] == 2):
                reading.tally.unknown("a log line whose path leads nowhere", where, sample=value)
        else:
            reading.reject(value, "a line that is no state and no change", where)
    return state


def _patched(state: dict[str, object], path: list[object], value: object, *, append: bool) -> bool:
    """Set or append at the path; False if there is no such place."""
    if not path:
        return False
    holder: object = state
    for step in path[:-1]:
        holder = _at(holder, step)
    last = path[-1]
    if append:
        found = _at(holder, last)
        if found is None and isinstance(holder, dict) and isinstance(last, str):
            found = holder[last] = []
        if not isinstance(found, list):
            return False
        found.extend(value if isinstance(value, list) else [value])
        return True
    if isinstance(holder, dict) and isinstance(last, str):
        holder[last] = value
        return True
    if isinstance(holder, list) and isinstance(last, int) and 0 <= last <= len(holder):
        holder[last : last + 1] = [value]
        return True
    return False


def _at(holder: object, step: object) -> object:
    if isinstance(holder, dict) and isinstance(step, str):
        return holder.get(step)
    if isinstance(holder, list) and isinstance(step, int) and -len(holder) <= step < len(holder):
        return holder[step]
    return None


def _conversation(state: Mapping[str, object], part: Part, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, request in message_rows(state.get("requests"), part.name, reading):
        own = identifier(request.get("requestId"))
        when = reading.moment(request.get("timestamp"))
        asked = MessageDraft(f"#{number}", last_key(drafts), "user", own, when=when)
        message = request.get("message")
        words = string(message) or string(mapping(message).get("text")) or ""
        asked.pieces.append(Piece(words, Origin.TYPED))
        for variable in objects(mapping(request.get("variableData")).get("variables")):
            name = string(variable.get("name"))
            if variable.get("kind") == "paste":
                pasted = string(variable.get("code")) or string(variable.get("value")) or ""
                asked.pieces.append(Piece(pasted, Origin.PASTED, name))
            else:
                asked.attachments.append(Attachment(name=well_formed(name or "unnamed")[0]))
        drafts.append(asked)
        native = identifier(request.get("responseId")) or (f"{own}-response" if own else None)
        answer = MessageDraft(f"#{number}a", asked.key, "assistant", native, when=when)
        answer.author = string(request.get("modelId"))
        for item in sequence(request.get("response")):
            _take_item(item, answer, part.name, reading)
        failure = mapping(mapping(request.get("result")).get("errorDetails"))
        answer.pieces.append(Piece(string(failure.get("message")) or "", Origin.RUNTIME_CONTEXT, "error"))
        drafts.append(answer)
    head = Head(
        account=reading.account,
        provider="vscode_chat",
        native_id=identifier(state.get("sessionId")),
        where=part.name,
        title=string(state.get("customTitle")),
        created=reading.moment(state.get("creationDate")),
        updated=reading.moment(state.get("lastMessageDate")),
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


def _take_item(item: object, draft: MessageDraft, where: str, reading: Reading) -> None:
    row = mapping(item)
    kind = string(row.get("kind"))
    value = row.get("value")
    words = string(value) or string(mapping(value).get("value")) or ""
    if kind in (None, "markdownContent"):
        words = words or string(mapping(row.get("content")).get("value")) or ""
        _append_answer(draft, words)
    elif kind == "thinking":
        draft.pieces.append(Piece(words or as_text(value), Origin.REASONING))
    elif kind in ("toolInvocationSerialized", "toolInvocation"):
        said = row.get("pastTenseMessage") or row.get("invocationMessage")
        text = string(said) or string(mapping(said).get("value")) or ""
        draft.pieces.append(Piece(text, Origin.TOOL_CALL, string(row.get("toolId"))))
        details = mapping(row.get("resultDetails"))
        draft.pieces.append(Piece(as_text(details.get("input")), Origin.TOOL_CALL, string(row.get("toolId"))))
        output = details.get("output")
        words = result_text([{"text": one.get("value"), **one} for one in objects(output)]) or as_text(output)
        draft.pieces.append(Piece(words, Origin.TOOL_RESULT))
        _take_tool_data(mapping(row.get("toolSpecificData")), draft, string(row.get("toolId")))
    elif kind == "inlineReference":
        reference = mapping(row.get("inlineReference"))
        path = string(reference.get("path")) or string(mapping(reference.get("location")).get("uri"))
        _append_answer(draft, f"`{string(row.get('name')) or path or ''}`")
    elif kind not in _CHROME:
        keep_unknown(kind, item, draft, reading.tally, where)


def _take_tool_data(data: Mapping[str, object], draft: MessageDraft, tool: str | None) -> None:
    """What tools keep beside what is said of them: a terminal's command and output, a subagent's task."""
    line = mapping(data.get("commandLine"))
    command = next(
        filter(None, (string(line.get(key)) for key in ("userEdited", "toolEdited", "original"))), ""
    )
    command = command or string(data.get("command")) or string(data.get("prompt")) or ""
    draft.pieces.append(Piece(command, Origin.TOOL_CALL, tool))
    draft.pieces.append(Piece(as_text(data.get("rawInput")), Origin.TOOL_CALL, tool))
    output = data.get("terminalCommandOutput")
    words = string(mapping(output).get("text")) or string(output) or string(data.get("result")) or ""
    draft.pieces.append(Piece(words, Origin.TOOL_RESULT, tool))


def _append_answer(draft: MessageDraft, words: str) -> None:
    """An answer is cut into items around references: put together, they are one text."""
    if draft.pieces and draft.pieces[-1].origin is Origin.ASSISTANT:
        words = draft.pieces.pop().text + words
    draft.pieces.append(Piece(words, Origin.ASSISTANT))


_KEYS = Keys(
    words="""customTitle requests v""",
    used="""k requests.response.kind requests.response.source requests.response.presentation
        requests.modelId requests.agent requests.slashCommand requests.responseId **.toolId **.toolCallId
        **.uriMark **.baseUri **.scheme **.external **.kind""",
    omitted={
        "who takes part, as the editor shows it": """requesterUsername responderUsername
            requesterAvatarIconUri responderAvatarIconUri initialLocation""",
        "a prompt again, in parts": "requests.message.parts v.message.parts",
        "addresses of what a link names": "requests.response.inlineReference v.response.inlineReference",
        "edits to files": "requests.editedFileEvents requests.response.edits",
        "what the model was sent": """requests.result.metadata requests.contentReferences
            requests.codeCitations""",
    },
)

FORMAT = Format(
    id="vscode_chat",
    version=2,
    title="VS Code Copilot Chat",
    reads="session JSON, replayed log and exported chats, thinking, tool calls, terminals, pastes, errors",
    absent="edits to files",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
