"""GitHub Copilot CLI sessions: `~/.copilot/session-state/<id>/events.jsonl`, `{type, data, id, parentId}`.

Hooks and notices hang beside the chain as small side leaves: they are no branches, so the order of the file
is the order of the talk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece
from archives.formats.injected import typed_apart
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin


def _is_event(value: object) -> bool:
    row = mapping(value)
    kind = string(row.get("type")) or ""
    return kind.startswith(("session.", "user.", "assistant.")) and isinstance(row.get("data"), dict)


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.LINES, Kind.OBJECT) and any(map(_is_event, seen.records))


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, reading)


def _conversation(part: Part, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    start: Mapping[str, object] = {}
    requested: set[str | None] = {None}
    model: str | None = None
    for number, (where, line) in enumerate(reading.lines(part)):
        row = mapping(line)
        kind, data = string(row.get("type")), mapping(row.get("data"))
        if kind is None:
            reading.reject(line, "a line that is no event", where)
            continue
        if kind == "session.start":
            start = start or data
        model = string(data.get("newModel")) or string(data.get("selectedModel")) or model
        drafts.append(_message(row, kind, data, number, last_key(drafts), requested, reading))
    head = Head(
        account=reading.account,
        provider="copilot_cli",
        native_id=identifier(start.get("sessionId")),
        where=part.name,
        created=reading.moment(start.get("startTime")),
        updated=drafts[-1].when if drafts else Moment(),
        model=model,
        project=string(mapping(start.get("context")).get("cwd")),
    )
    return assemble(head, drafts, reading.tally)


def _message(
    row: Mapping[str, object],
    kind: str,
    data: Mapping[str, object],
    number: int,
    before: str | None,
    requested: set[str | None],
    reading: Reading,
) -> MessageDraft:
    draft = MessageDraft(
        f"#{number}",
        before,
        kind.split(".")[0],
        identifier(row.get("id")),
        when=reading.moment(row.get("timestamp")),
        hidden=kind == "system.message",
        empty_because=f"an event without words ({kind})",
    )
    words = string(data.get("content")) or ""
    inner = data.get("parentToolCallId") is not None
    if kind == "user.message":
        draft.pieces.extend(typed_apart(words))
        for file in objects(data.get("attachments")):
            name = string(file.get("displayName")) or string(file.get("path")) or "unnamed"
            draft.attachments.append(Attachment(name=well_formed(name)[0]))
    elif kind == "assistant.message":
        draft.pieces.append(Piece(string(data.get("reasoningText")) or "", Origin.REASONING))
        label = "answer of a subagent" if inner else None
        draft.pieces.append(Piece(words, Origin.UNKNOWN if inner else Origin.ASSISTANT, label))
        for call in objects(data.get("toolRequests")):
            draft.pieces.append(call_piece(call.get("arguments"), string(call.get("name"))))
            requested.add(identifier(call.get("toolCallId")))
    elif kind == "tool.execution_start" and identifier(data.get("toolCallId")) not in requested:
        draft.pieces.append(call_piece(data.get("arguments"), string(data.get("toolName"))))
    elif kind == "assistant.reasoning":
        draft.pieces.append(Piece(words, Origin.REASONING))
    elif kind == "system.message":
        draft.pieces.append(Piece(words, Origin.RUNTIME_CONTEXT))
    elif kind == "tool.execution_complete":
        result = data.get("result")
        error = data.get("error")
        told = (string(mapping(result).get("content")) or as_text(result),
                string(mapping(error).get("message")) or as_text(error))  # fmt: skip
        draft.pieces.append(Piece("\n".join(filter(None, told)), Origin.TOOL_RESULT))
    elif kind == "session.compaction_complete":
        draft.pieces.append(Piece(string(data.get("summaryContent")) or "", Origin.GENERATED_SUMMARY))
    elif kind.startswith("session."):
        label = kind.partition(".")[2]
        draft.pieces.append(Piece(string(data.get("message")) or "", Origin.RUNTIME_CONTEXT, label))
    return draft


_KEYS = Keys(
    words="""data""",
    used="""data.reason data.errorType data.delivery data.hookType data.infoType data.shutdownType
        data.warningType data.source data.agentMode""",
    omitted={
        "settings of a session": """data.availableModels data.candidateModels data.chosenModel
            data.context data.contextTier data.currentModel data.model data.newModel data.previousModel
            data.selectedModel data.predictedLabel data.producer data.reasoningBucket
            data.reasoningEffort data.routingMethod data.copilotVersion data.modelMetrics
            data.toolTelemetry data.codeChanges""",
        "what a hook was told, which the call and its result hold": "data.input data.output",
        "a call again, before it runs": "data.arguments",
        "the prompt as it was sent, with what the program put in": "data.transformedContent",
        "what only the service can read": "data.encryptedContent data.reasoningOpaque",
        "where a program failed": "data.stack",
        "how the program announces a tool": """data.toolRequests.intentionSummary
            data.toolRequests.toolTitle""",
        "the long form of a result": "data.result.detailedContent",
        "what the runtime tells of its agents": "data.kind",
    },
)

FORMAT = Format(
    id="copilot_cli",
    version=2,
    title="GitHub Copilot CLI sessions",
    reads="events.jsonl, tool requests and results, reasoning",
    absent="whose words a subagent's answers are (origin unknown)",
    evidence="4 files",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
