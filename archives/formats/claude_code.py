"""Claude Code sessions: `~/.claude/projects/<folder>/<session>.jsonl` with subagents, and the web's form.

A line is a record; nine in ten `user` lines are tool results or the runtime's, not the user. The chain of
`parentUuid` gives the tree; where parents are missing the order of the file is the chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import call_piece, keep_unknown, plain_as, result_text, take_blocks
from archives.formats.injected import typed_apart
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, sequence, string
from archives.wellformed import well_formed
from schemas.base import sha256_text
from schemas.conversation import Conversation, Origin

_LINE_TYPES = frozenset(
    {"user", "assistant", "system", "attachment", "tool_use", "tool_result", "tool", "summary", "progress"}
)
_NEVER = datetime.min.replace(tzinfo=UTC)
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
"""Line types that name the session, the strongest first."""
_OWN_LINES = frozenset(
    {
        *_TITLES, "attachment", "bridge-session", "file-history-snapshot", "last-prompt", "mode",
        "permission-mode", "pr-link", "progress", "worktree-state", "agent-name",
    }
)  # fmt: skip
"""Line types that hold what the program keeps for itself."""


def _is_line(value: object) -> bool:
    """Qwen Code's lines look alike, with `message.parts`."""
    line = mapping(value)
    return (
        "sessionId" in line
        and "uuid" in line
        and string(line.get("type")) in _LINE_TYPES
        and "parts" not in mapping(line.get("message"))
    )


def _is_web_form(value: object) -> bool:
    return bool(sequence(mapping(value).get("loglines")))


def _claims(seen: Glimpse) -> bool:
    if seen.kind not in (Kind.LINES, Kind.OBJECT):
        return False
    if any("parts" in mapping(record.get("message")) for record in seen.objects()):
        return False
    return any(_is_line(record) or _is_web_form(record) for record in seen.records)


@dataclass(slots=True)
class _Session:
    """The lines of one session, as they are gathered."""

    native_id: str | None
    where: str
    reading: Reading
    """Of this session alone: others of the file are gathered at the same time."""
    drafts: dict[str, MessageDraft] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    leaf: str | None = None
    model: str | None = None
    project: str | None = None
    before: str | None = None
    """Key of the last line outside side chains: the parent of a line that names none."""


def _read(reading: Reading) -> Iterator[Conversation]:
    elsewhere: dict[str, tuple[str, int]] = {}
    for part in reading.parts:
        sessions: dict[str | None, _Session] = {}
        named: list[tuple[str | None, str | None, str]] = []
        current: str | None = None
        for number, (where, line) in enumerate(_lines(part, reading)):
            if isinstance(line, dict):
                current = _session_id(line) or current
            session = sessions.get(current)
            if session is None:
                session = sessions[current] = _Session(current, where, reading.apart())
            if None in sessions and current is not None:
                _go_on(sessions.pop(None), session)
            if not isinstance(line, dict):
                session.reading.reject(line, "a line that is no JSON object", where)
                continue
            if line.get("type") == "summary" and string(line.get("summary")):
                reading.passes_over(line["summary"])  # it may name a session of another file
                named.append((identifier(line.get("leafUuid")), current, str(line["summary"])))
            _take_line(line, number, session, elsewhere, part.name, where)
        _name(named, sessions, elsewhere)
        for session in sessions.values():
            conversation = _conversation(session)
            reading.together(session.reading)
            yield conversation


def _go_on(opening: _Session, session: _Session) -> None:
    """Lines before the first that names its session are of that session."""
    session.drafts = {**opening.drafts, **session.drafts}
    session.titles = {**opening.titles, **session.titles}
    session.leaf = session.leaf or opening.leaf
    session.before = session.before or opening.before
    session.reading.together(opening.reading)


def _name(
    named: list[tuple[str | None, str | None, str]],
    sessions: Mapping[str | None, _Session],
    elsewhere: Mapping[str, tuple[str, int]],
) -> None:
    """Give each session its summary: the line names the last message of what it sums up, may stand in
    front of it, and may be about a session in another file."""
    for leaf, current, title in named:
        own = next((one for one in sessions.values() if leaf in one.drafts), None)
        if own is None and leaf not in elsewhere:
            own = sessions.get(current) or next(iter(sessions.values()))
        if own is not None:
            own.titles["summary"] = title


def _lines(part: Part, reading: Reading) -> Iterator[tuple[str, object]]:
    if part.glimpse.kind is Kind.OBJECT and any(map(_is_web_form, part.glimpse.records)):
        yield from reading.records(
            part, under=("loglines",), plausible=lambda value: "type" in mapping(value)
        )
    else:
        yield from reading.lines(part)


def _session_id(line: Mapping[str, object]) -> str | None:
    """A subagent's lines carry its parent's session id: they are a session of their own."""
    session, agent = identifier(line.get("sessionId")), identifier(line.get("agentId"))
    if session and agent and line.get("isSidechain") is True and agent not in session:
        return f"{session}/{agent}"
    return session


def _take_line(
    line: dict[str, object],
    number: int,
    session: _Session,
    elsewhere: dict[str, tuple[str, int]],
    file: str,
    where: str,
) -> None:
    reading = session.reading
    kind = string(line.get("type")) or "no type"
    _note_session(line, kind, session)
    native = identifier(line.get("uuid"))
    key = native or f"#{number}"
    draft = MessageDraft(
        key,
        _parent(line, session, elsewhere, file),
        string(mapping(line.get("message")).get("role")) or kind,
        native,
        author=string(mapping(line.get("message")).get("model")),
        when=reading.moment(line.get("timestamp")),
        hidden=line.get("isMeta") is True or line.get("isVisibleInTranscriptOnly") is True,
        empty_because=f"a line {'of the program' if kind in _OWN_LINES else 'without words'} ({kind})",
    )
    apart = reading.apart() if native in elsewhere else reading
    _take_words(line, kind, draft, apart, where)
    if native is not None:
        known = elsewhere.setdefault(native, (file, hash(tuple(draft.pieces))))
        if known[0] != file and known[1] == hash(tuple(draft.pieces)):
            reading.tally.records += 1
            reading.tally.skip("a line copied from another session's file", where)
            reading.passes_over(line)
            return
    if apart is not reading:
        reading.together(apart)
    if native is None and not (draft.pieces or draft.raw):
        draft.parent = None
    elif line.get("isSidechain") is not True:
        session.before = key
    first = session.drafts.get(key)
    if first is not None and first.pieces != draft.pieces:
        reading.tally.unknown("two lines with one uuid and different words", where)
        words = "\n".join(piece.text for piece in draft.pieces)
        draft.native_id = key = draft.key = f"{key}~{sha256_text(well_formed(words)[0])[:12]}"
        first = session.drafts.get(key)
    if first is not None:
        reading.tally.records += 1
        reading.tally.skip("a line that repeats another one", where)
        first.told(reading.tally.kept)
        draft.parent = first.parent
    session.drafts[key] = draft


def _note_session(line: Mapping[str, object], kind: str, session: _Session) -> None:
    if kind in _TITLES and kind != "summary" and string(line.get(_TITLES[kind])):
        session.titles[kind] = str(line[_TITLES[kind]])
        session.reading.passes_over(line[_TITLES[kind]])  # a stronger one may be taken
    if kind == "last-prompt":
        session.leaf = identifier(line.get("leafUuid"))
    session.model = session.model or string(mapping(line.get("message")).get("model"))
    session.project = session.project or string(line.get("cwd"))


def _parent(
    line: Mapping[str, object], session: _Session, elsewhere: Mapping[str, tuple[str, int]], file: str
) -> str | None:
    parent = identifier(line.get("parentUuid")) or identifier(line.get("logicalParentUuid"))
    if parent is not None and parent not in session.drafts and elsewhere.get(parent, (file, 0))[0] != file:
        return None
    if parent is None and line.get("isSidechain") is not True:
        return session.before
    return parent


def _take_words(
    line: dict[str, object], kind: str, draft: MessageDraft, reading: Reading, where: str
) -> None:
    message = line.get("message")
    content = message if isinstance(message, str) else mapping(message).get("content")
    origin = mapping(line.get("origin")).get("kind")
    if kind == "user":
        if line.get("isCompactSummary") is True:
            plain = plain_as(Origin.GENERATED_SUMMARY)
        elif line.get("isMeta") is True:
            plain = plain_as(Origin.RUNTIME_CONTEXT)
        elif line.get("isSidechain") is True and origin != "human":
            plain = plain_as(Origin.UNKNOWN, "task that an agent gave its subagent")
        else:
            plain = typed_apart
        take_blocks(content, draft, plain, reading.tally, where)
    elif kind == "assistant":
        failed = line.get("isApiErrorMessage") is True
        plain = plain_as(Origin.RUNTIME_CONTEXT if failed else Origin.ASSISTANT)
        take_blocks(content, draft, plain, reading.tally, where)
    elif kind == "tool_use":
        called = line if "input" in line else mapping(message)
        name = string(line.get("name")) or string(called.get("name")) or string(called.get("tool_name"))
        draft.pieces.append(call_piece(called.get("input", called.get("tool_input")), name))
    elif kind in ("tool_result", "tool"):
        told = (line.get("output"), line.get("content"), mapping(message).get("tool_output"), content)
        words = next(filter(None, map(result_text, told)), "")
        draft.pieces.append(Piece(words, Origin.TOOL_RESULT, string(line.get("name"))))
    elif kind == "summary" and content is not None:
        take_blocks(content, draft, plain_as(Origin.GENERATED_SUMMARY), reading.tally, where)
    elif kind in ("system", "queue-operation"):
        # what waited in the queue stands again where it was sent
        said = (line.get("content"), line.get("text"), content)
        words = next(filter(None, map(result_text, said)), "")
        draft.pieces.append(Piece(words, Origin.RUNTIME_CONTEXT, kind))
    elif kind == "attachment":
        queued = mapping(line.get("attachment"))
        if queued.get("type") == "queued_command" and queued.get("commandMode") == "prompt":
            take_blocks(queued.get("prompt"), draft, typed_apart, reading.tally, where)
    elif kind not in _OWN_LINES:
        keep_unknown(kind, line, draft, reading.tally, where)


def _conversation(session: _Session) -> Conversation:
    reading = session.reading
    drafts = list(session.drafts.values())
    times = [draft.when for draft in drafts if draft.when.at is not None]
    head = Head(
        account=reading.account,
        provider="claude_code",
        native_id=session.native_id,
        where=session.where,
        title=next((session.titles[kind] for kind in _TITLES if kind in session.titles), None),
        created=min(times, key=lambda when: when.at or _NEVER, default=reading.moment(None)),
        updated=max(times, key=lambda when: when.at or _NEVER, default=reading.moment(None)),
        leaf=session.leaf,
        leaf_is_hint=True,
        model=session.model,
        project=session.project,
    )
    return assemble(head, drafts, reading.tally)


_KEYS = Keys(
    words="""message text content summary customTitle aiTitle cwd name input output attachment.prompt""",
    whole="message.content.input input",
    used="""uuid parentUuid sessionId agentId timestamp type isMeta isCompactSummary leafUuid
        message.id message.role message.type message.stop_sequence message.content.type
        message.content.id message.content.tool_use_id message.content.is_error
        subtype level userType entrypoint isSidechain operation promptSource source direction
        message.stop_reason attachment.commandMode attachment.hookEvent attachment.hookName
        sessionKind sessionMode origin logicalParentUuid supersedesUuids retractedMessageUuids""",
    omitted={
        "settings of the program": """gitBranch version slug mode permissionMode effort fallbackModel
            originalModel bridgeSessionId agentName agentSetting agentColor worktreeSession
            worktreeState message.usage message.context_management message.container requestId
            attributionAgent attributionMcpServer attributionMcpTool attributionPlugin
            attributionSkill toolDenialKind apiRefusalCategory trigger
            message.content.caller message.content.from message.content.to message.stop_details
            message.diagnostics""",
        "copies of files that the program keeps to undo an edit": "snapshot",
        "a tool's result again, as the program stores it beside the message": "toolUseResult mcpMeta",
        "what the program tells the model beside the talk": "attachment data hookInfos compactMetadata",
        "the last prompt again": "lastPrompt",
        "links that the program made": "prUrl prRepository",
        "details of a failure that is told in the message": "errorDetails error apiRefusalExplanation",
        "bytes of pictures and documents": """message.content.source.data
            message.content.content.source.data attachment.content.source.data""",
        "what only the service can read": "message.content.signature message.content.data",
    },
)

FORMAT = Format(
    id="claude_code",
    version=4,
    title="Claude Code sessions",
    reads=("session files with subagents, resumed, forked and compacted sessions; the web's loglines form"),
    absent="files beside the sessions (tool-results, memory)",
    evidence="11 files",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
