"""Codex CLI sessions: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, one conversation a file.

Lines are `{timestamp, type, payload}`. What was said often stands twice, as an event and as an item of the
model's input; some turns stand in one of the two only, so the reading is the union. The oldest files hold
bare items without the envelope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece, keep_unknown, plain_as, result_text, take_blocks
from archives.formats.injected import typed_apart
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ENVELOPES = frozenset(
    {"session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state",
     "inter_agent_communication_metadata", "raw_item"}
)  # fmt: skip
_CALLS = frozenset(
    {"function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call",
     "tool_call", "mcp_call", "image_generation_call"}
)  # fmt: skip
_RESULTS = frozenset(
    {"function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output",
     "tool_result", "function_result", "mcp_call_output"}
)  # fmt: skip


_MADE_OF_ITEMS = frozenset({"task_complete", "token_count", "item_completed"})
"""Events that say again what items said."""


def _is_line(value: object) -> bool:
    line = mapping(value)
    return string(line.get("type")) in _ENVELOPES and isinstance(line.get("payload"), dict)


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.LINES, Kind.OBJECT) and any(map(_is_line, seen.records))


@dataclass(slots=True)
class _Rollout:
    """One file as it is gathered."""

    where: str
    native_id: str | None = None
    project: str | None = None
    model: str | None = None
    title: str | None = None
    started: Moment = field(default_factory=Moment)
    drafts: list[MessageDraft] = field(default_factory=list)
    unpaired: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Who said what, and by which kind of line, that has no twin of the other kind yet."""


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, reading)


def _conversation(part: Part, reading: Reading) -> Conversation:
    rollout = _Rollout(part.name)
    for number, (where, line) in enumerate(reading.lines(part)):
        if not isinstance(line, dict):
            reading.reject(line, "a line that is no JSON object", where)
            continue
        _take_line(line, number, rollout, reading, where)
    head = Head(
        account=reading.account,
        provider="codex",
        native_id=rollout.native_id,
        where=rollout.where,
        title=rollout.title,
        created=rollout.started,
        updated=rollout.drafts[-1].when if rollout.drafts else Moment(),
        model=rollout.model,
        project=rollout.project,
    )
    return assemble(head, rollout.drafts, reading.tally)


def _take_line(line: dict[str, object], number: int, rollout: _Rollout, reading: Reading, where: str) -> None:
    envelope = string(line.get("type")) or ""
    payload = line["payload"] if _is_line(line) else line
    item = mapping(payload)
    kind = string(item.get("type")) or ("message" if "role" in item else "no type")
    if envelope == "session_meta":
        # A fork or a resumed session opens with its own line and then copies its parent's.
        rollout.native_id = rollout.native_id or identifier(item.get("id"))
        rollout.project = rollout.project or string(item.get("cwd"))
    if envelope == "turn_context":
        rollout.model = rollout.model or string(item.get("model"))
    if kind == "thread_name_updated":
        rollout.title = string(item.get("thread_name")) or rollout.title
    when = reading.moment(line.get("timestamp") or item.get("timestamp") or item.get("created_at"))
    if rollout.started.at is None:
        rollout.started = when
    draft = MessageDraft(
        f"#{number}",
        rollout.drafts[-1].key if rollout.drafts else None,
        string(item.get("role")) or "",
        identifier(item.get("id")) if envelope == "response_item" else None,
        when=when,
        empty_because=f"a line without words ({envelope or 'bare'}, {kind})",
    )
    if envelope == "event_msg":
        _take_event(item, kind, draft)
    elif envelope == "compacted":
        draft.pieces.append(Piece(string(item.get("message")) or "", Origin.GENERATED_SUMMARY))
        draft.role = "summary"
    elif envelope == "response_item" or not _is_line(line):
        _take_item(item, kind, draft, reading, where)
    said = _said(draft)
    if said and _has_twin(said, envelope == "event_msg", rollout):
        reading.tally.records += 1
        reading.tally.skip("a line that says again what its twin said (event and item)", where)
        return
    rollout.drafts.append(draft)


def _said(draft: MessageDraft) -> tuple[str, str] | None:
    """Who and what, of a line that can stand twice."""
    words = "\n".join(
        piece.text.strip()
        for piece in draft.pieces
        if piece.origin in (Origin.TYPED, Origin.ASSISTANT, Origin.REASONING)
    ).strip()
    return (draft.role, words) if words else None


def _has_twin(said: tuple[str, str], is_event: bool, rollout: _Rollout) -> bool:
    """Pair an event with an item of the same words; the second of a pair is the twin."""
    own, other = ("event", "item") if is_event else ("item", "event")
    waiting = rollout.unpaired.setdefault(said, [])
    if other in waiting:
        waiting.remove(other)
        return True
    waiting.append(own)
    return False


def _take_event(item: Mapping[str, object], kind: str, draft: MessageDraft) -> None:
    words = string(item.get("message")) or string(item.get("text")) or ""
    if kind == "user_message":
        draft.role = "user"
        draft.pieces.extend(typed_apart(words))
    elif kind == "agent_message":
        draft.role = "assistant"
        draft.pieces.append(Piece(words, Origin.ASSISTANT))
    elif kind in ("agent_reasoning", "agent_reasoning_raw_content"):
        draft.role = "reasoning"
        draft.pieces.append(Piece(words, Origin.REASONING))
    elif kind in _CALLS:
        draft.role = "tool"
        name = string(item.get("name")) or string(item.get("tool")) or kind
        draft.pieces.append(call_piece(item.get("arguments", item.get("input")), name))
    elif kind in _RESULTS:
        draft.role = "tool"
        draft.pieces.append(Piece(_output(item), Origin.TOOL_RESULT, string(item.get("name"))))
    elif kind == "exited_review_mode":
        draft.role = "review"
        draft.pieces.append(Piece(_review(item), Origin.RUNTIME_CONTEXT, kind))
    elif kind not in _MADE_OF_ITEMS:
        draft.role = "notice"
        words = words or string(mapping(item.get("error")).get("message")) or ""
        draft.pieces.append(Piece(words, Origin.RUNTIME_CONTEXT, kind))
    for key in ("local_images", "images"):
        draft.attachments.extend(
            Attachment(name=well_formed(image)[0], media_type="image")
            for image in map(string, sequence(item.get(key)))
            if image and not image.startswith("data:")
        )


def _review(item: Mapping[str, object]) -> str:
    """A review by the assistant: what it says as a whole, and each finding."""
    output = mapping(item.get("review_output"))
    told = [output.get("overall_correctness"), output.get("overall_explanation")]
    for finding in objects(output.get("findings")):
        told += [finding.get("title"), finding.get("body")]
    return "\n".join(filter(None, map(string, told)))


def _take_item(item: dict[str, object], kind: str, draft: MessageDraft, reading: Reading, where: str) -> None:
    name = string(item.get("name")) or string(mapping(item.get("function")).get("name"))
    if kind == "message":
        role = draft.role
        draft.role = role or "unknown"
        content = item.get("content", item.get("message", item.get("text")))
        plain = {
            "user": typed_apart,
            "assistant": plain_as(Origin.ASSISTANT),
        }.get(role, plain_as(Origin.RUNTIME_CONTEXT))
        take_blocks(content, draft, plain, reading.tally, where)
    elif kind == "reasoning":
        draft.role = "reasoning"
        texts = [string(part.get("text")) or "" for part in objects(item.get("summary"))]
        texts += [string(part.get("text")) or "" for part in objects(item.get("content"))]
        draft.pieces.append(Piece("\n".join(filter(None, texts)), Origin.REASONING))
    elif kind in _CALLS:
        draft.role = "tool"
        arguments = item.get("arguments", item.get("input", item.get("action")))
        draft.pieces.append(call_piece(arguments, name or kind))
        draft.pieces.append(Piece(result_text(item.get("results", [])), Origin.TOOL_RESULT, name or kind))
    elif kind in _RESULTS:
        draft.role = "tool"
        draft.pieces.append(Piece(_output(item), Origin.TOOL_RESULT, name))
    elif kind == "agent_message":
        draft.role = "agent"
        texts = [string(part.get("text")) or "" for part in objects(item.get("content"))]
        draft.pieces.append(Piece("\n".join(filter(None, texts)), Origin.UNKNOWN, "another agent"))
    elif kind not in ("ghost_snapshot", "compaction", "compaction_trigger"):
        keep_unknown(kind, item, draft, reading.tally, where)


def _output(item: Mapping[str, object]) -> str:
    for key in ("output", "result", "content", "tools"):
        value = item.get(key)
        if isinstance(value, dict):
            words = string(value.get("stdout")) or string(value.get("text")) or string(value.get("content"))
            return words or as_text(value)
        if isinstance(value, list):
            return result_text(sequence(value)) or as_text(value)
        if value is not None:
            return as_text(value)
    return ""


_KEYS = Keys(
    words="""payload payload.summary.text content name
        function arguments input output summary message text""",
    used="""payload.phase payload.role payload.execution payload.status payload.action.type
        payload.reason payload.summary payload.results.domain payload.content.detail payload.recipient""",
    omitted={
        "settings of a session or turn": """model git instructions_version payload.approval_policy
            payload.approvals_reviewer payload.base_instructions payload.cli_version
            payload.collaboration_mode payload.collaboration_mode_kind payload.effort
            payload.file_system_sandbox_policy payload.git payload.history_mode payload.memory_mode
            payload.model payload.model_provider payload.multi_agent_mode payload.originator
            payload.permission_profile payload.personality payload.source payload.thread_source
            payload.timezone payload.current_date payload.user_instructions payload.instructions payload.state
            payload.sandbox_policy payload.truncation_policy payload.thread_settings payload.rate_limits
            payload.info payload.comp_hash payload.network payload.final_output_json_schema
            payload.developer_instructions payload.service_tier""",
        "reasoning that only the service can read": """payload.encrypted_content
            payload.content.encrypted_content""",
        "what a compaction puts in place of the talk before it": "payload.replacement_history",
        "bytes of pictures": "payload.images payload.content.image_url content.image_url",
        "the state of a repository": "payload.ghost_commit",
    },
)

FORMAT = Format(
    id="codex",
    version=2,
    title="Codex CLI sessions",
    reads="rollout files, envelope and bare items; union of events and items",
    absent="encrypted reasoning; replaced history of compactions",
    evidence="8 files",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
