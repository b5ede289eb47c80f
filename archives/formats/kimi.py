"""Kimi Code CLI sessions: `sessions/<session>/agents/<agent>/wire.jsonl`, beside them `state.json`.

A line is a record with a dotted type. What the owner typed stands as `turn.prompt` or `turn.steer` and
again as `context.append_message`; an answer is a run of `context.append_loop_event`s of one step.
`context.undo` takes the newest turns back: they are a branch that was left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import Splitter, call_piece, keep_unknown, plain_as, result_text, take_blocks
from archives.formats.injected import typed_apart
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, string, whole
from schemas.conversation import Conversation, Origin

_PROMPTS = frozenset({"turn.prompt", "turn.steer"})
_SPOKEN = _PROMPTS | {"context.append_message", "context.append_loop_event", "context.apply_compaction"}
_MAIN = "main"


def _is_line(value: object) -> bool:
    line = mapping(value)
    kind = string(line.get("type"))
    return kind in _SPOKEN or (kind == "metadata" and "protocol_version" in line)


def _claims(seen: Glimpse) -> bool:
    return seen.kind in (Kind.LINES, Kind.OBJECT) and any(map(_is_line, seen.records))


def _is_state(value: object) -> bool:
    state = mapping(value)
    return isinstance(state.get("agents"), dict) and "workDir" in state


@dataclass(slots=True)
class _Session:
    """The lines of one agent, as they are gathered."""

    where: str
    is_subagent: bool
    drafts: list[MessageDraft] = field(default_factory=list)
    before: str | None = None
    """Key of the message that the next one answers."""
    prompts: Counter[tuple[Piece, ...]] = field(default_factory=Counter)
    """Words of those whose second form has not come yet."""
    turns: list[MessageDraft] = field(default_factory=list)
    """What the owner said and did not take back."""
    answer: MessageDraft | None = None
    """The newest message, while it is an answer that may go on."""
    step: str | None = None
    """The step that it is of."""


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, reading)


def _conversation(part: Part, reading: Reading) -> Conversation:
    folder = PurePosixPath(part.name).parent
    session = _Session(part.name, folder.parent.name == "agents" and folder.name != _MAIN)
    opening: Mapping[str, object] = {}
    model: str | None = None
    for number, (where, value) in enumerate(reading.lines(part)):
        line = mapping(value)
        if not line:
            reading.reject(value, "a line that is no JSON object", where)
            continue
        opening = opening or (line if line.get("type") == "metadata" else {})
        model = string(line.get("modelAlias")) or model
        _take(line, number, session, reading, where)
    state = _state(folder, reading)
    head = Head(
        account=reading.account,
        provider="kimi",
        # a session's id is its folder's name, and a file may come alone: its beginning names it either way
        native_id=None,
        where=part.name,
        title=None if session.is_subagent else string(state.get("title")),
        created=reading.moment(opening.get("created_at")),
        updated=session.drafts[-1].when if session.drafts else reading.moment(None),
        leaf=session.before,
        model=model,
        project=string(state.get("workDir")),
    )
    return assemble(head, session.drafts, reading.tally)


def _state(folder: PurePosixPath, reading: Reading) -> dict[str, object]:
    wanted = (folder.parent.parent / "state.json").as_posix()
    found = (part for part in reading.others if part.name == wanted)
    return next((mapping(record) for part in found for record in part.glimpse.records), {})


def _take(line: dict[str, object], number: int, session: _Session, reading: Reading, where: str) -> None:
    kind = string(line.get("type")) or "no type"
    event = mapping(line.get("event"))
    if kind == "context.append_loop_event" and _continues(event, session, reading, where):
        return
    message = mapping(line.get("message"))
    role = string(message.get("role")) or ("user" if kind in _PROMPTS else kind)
    draft = MessageDraft(
        f"#{number}",
        session.before,
        role,
        None,
        when=reading.moment(line.get("time")),
        empty_because=f"a line without words ({string(event.get('type')) or kind})",
    )
    if kind in _PROMPTS:
        take_blocks(line.get("input"), draft, _words_of("user", line, session), reading.tally, where)
        session.prompts[tuple(draft.pieces)] += 1
    elif kind == "context.append_message":
        _take_message(message, draft, _words_of(role, message, session), reading, where)
        if role == "user" and _is_second_form(draft, session):
            reading.tally.records += 1
            reading.tally.skip("a prompt that stands in the log twice", where)
            return
    elif kind == "context.append_loop_event":
        _take_event(event, draft, reading, where)
    elif kind == "context.apply_compaction":
        draft.pieces.append(Piece(string(line.get("summary")) or "", Origin.GENERATED_SUMMARY))
    elif kind == "context.undo":
        _undo(whole(line.get("count")) or 1, session)
    session.drafts.append(draft)
    if draft.pieces or draft.attachments or draft.raw:
        session.before = draft.key
        session.step = identifier(event.get("stepUuid"))
        session.answer = draft if draft.role == "assistant" and session.step else None
        if any(piece.origin is Origin.TYPED for piece in draft.pieces):
            session.turns.append(draft)


def _words_of(role: str, holder: Mapping[str, object], session: _Session) -> Splitter:
    """How to take a text apart: only a user's own kind of message is typed, and a subagent has no user."""
    kind = string(mapping(holder.get("origin")).get("kind"))
    if role == "assistant":
        return plain_as(Origin.ASSISTANT)
    if role == "tool":
        return plain_as(Origin.TOOL_RESULT)
    if role == "user" and kind in (None, "user"):
        if session.is_subagent:
            return plain_as(Origin.UNKNOWN, "task that an agent gave its subagent")
        return typed_apart
    return plain_as(Origin.RUNTIME_CONTEXT, kind)


def _take_message(
    message: Mapping[str, object], draft: MessageDraft, words: Splitter, reading: Reading, where: str
) -> None:
    take_blocks(message.get("content"), draft, words, reading.tally, where)
    for call in objects(message.get("toolCalls")):
        called = mapping(call.get("function")) or call
        name = string(called.get("name"))
        draft.pieces.append(call_piece(called.get("arguments"), name))


def _is_second_form(draft: MessageDraft, session: _Session) -> bool:
    words = tuple(draft.pieces)
    if not session.prompts[words]:
        return False
    session.prompts[words] -= 1
    return True


def _continues(event: Mapping[str, object], session: _Session, reading: Reading, where: str) -> bool:
    """Put a further part of the newest answer into its draft."""
    step = identifier(event.get("stepUuid"))
    if session.answer is None or step != session.step or event.get("type") == "tool.result":
        return False
    _take_event(event, session.answer, reading, where)
    reading.tally.records += 1
    reading.tally.skip("a line that goes on with the answer before it", where)
    return True


def _take_event(event: Mapping[str, object], draft: MessageDraft, reading: Reading, where: str) -> None:
    kind = string(event.get("type"))
    draft.role = "tool" if kind == "tool.result" else "assistant"
    if kind == "content.part":
        part = mapping(event.get("part"))
        if part.get("type") == "think":
            draft.pieces.append(Piece(string(part.get("think")) or "", Origin.REASONING))
        else:
            take_blocks([part], draft, plain_as(Origin.ASSISTANT), reading.tally, where)
    elif kind == "tool.call":
        draft.pieces.append(call_piece(event.get("args"), string(event.get("name"))))
    elif kind == "tool.result":
        result = event.get("result")
        output = mapping(result).get("output", result)
        draft.pieces.append(Piece(result_text(output), Origin.TOOL_RESULT))
    elif kind is not None and not kind.startswith("step."):
        keep_unknown(f"event {kind}", dict(event), draft, reading.tally, where)


def _undo(count: int, session: _Session) -> None:
    """The next message answers what stood before the turns that were taken back."""
    taken_back = session.turns[-count:]
    if taken_back:
        session.before = taken_back[0].parent
        del session.turns[-count:]


_KEYS = Keys(
    words="message input event summary modelAlias",
    used="event.finishReason event.stepUuid mode reason origin event.usage profileName protocol_version",
    omitted={
        "settings of the agent": """activeToolNames names subagents thinkingEffort thinkingKeep model provider
            agentsMdPaths environmentDisclosure event.traceId event.providerFinishReason
            event.llm app_version""",
        "the agent's system prompt": "systemPrompt",
        "what the tools are called and take": "tools",
    },
)

FORMAT = Format(
    id="kimi",
    version=2,
    title="Kimi Code CLI sessions",
    reads="wire.jsonl of agents and subagents, thinking, tool calls and results, compactions, turns undone",
    absent="system prompts; blobs of pictures; times of single parts of an answer",
    evidence="one file without an answer; the rest from the field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
    accounts_for=lambda seen: any(map(_is_state, seen.records)),
)
