"""Kiro: since 1.0 `~/.kiro/sessions/<hash>/sess_<id>/messages.jsonl` with `session.json` beside; before, a
JSON a session.

An old session (`workspace-sessions/<folder>/<id>.json`, `history[].message`) often has no more of an answer
than "On it."; the whole stands in an execution log, a file without extension, named by `executionId`. It is
put in where it is among the files; where it is not, the report says so.

Facts: github.com/yigitkonur/cli-continues (`src/parsers/kiro.ts` and its fixtures) and three more public
readers of Kiro's sessions, among them one "verified on a real install"; no file of a user's was at hand. The
CLI's `data.sqlite3`, its `sessions/cli/` and `.chat` files (prompts as sent, system prompt included) are not
read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import keep_unknown, plain_as, take_blocks
from archives.formats.calls import call_text, outcome_text
from archives.formats.injected import typed_apart
from archives.formats.rows import last_key, message_rows
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from schemas.conversation import Attachment, Conversation, Origin

_SHORT_ANSWERS = frozenset({"On it."})
"""What stands in a session in place of an answer that its execution log has."""
_EVENTS = frozenset({"user", "assistant", "tool_call", "tool_result", "turn_end", "turn_start"})


def _is_session(value: object) -> bool:
    record = mapping(value)
    rows = record.get("history")
    return (
        "sessionId" in record
        and isinstance(rows, list)
        and all("message" in mapping(row) for row in rows[:5])
    )


def _is_event(value: object) -> bool:
    payload = mapping(mapping(value).get("payload"))
    return string(payload.get("type")) in _EVENTS and ("content" in payload or "toolCallId" in payload)


def _is_log(value: object) -> bool:
    record = mapping(value)
    return "executionId" in record and isinstance(record.get("actions"), list)


def _is_about(value: object) -> bool:
    """The new layout's `session.json`: it has no messages."""
    record = mapping(value)
    return bool({"sessionId", "id"} & record.keys()) and bool(
        {"workspacePath", "workspacePaths"} & record.keys()
    )


def _claims(seen: Glimpse) -> bool:
    if seen.kind is Kind.OBJECT:
        return any(_is_session(record) or _is_event(record) for record in seen.records)
    return seen.kind is Kind.LINES and any(map(_is_event, seen.records))


def _accounts_for(seen: Glimpse) -> bool:
    return seen.kind is Kind.OBJECT and any(_is_log(record) or _is_about(record) for record in seen.records)


def _read(reading: Reading) -> Iterator[Conversation]:
    said: dict[str, str] | None = None
    for part in reading.parts:
        first = next(iter(part.glimpse.records), None)
        if _is_event(first) or part.glimpse.kind is Kind.LINES:
            yield _of_events(part, reading)
            continue
        for where, record in reading.records(part, plausible=_is_session):
            if not isinstance(record, dict) or not _is_session(record):
                reading.reject(record, "a record that is no session", where, alone=True)
                continue
            said = _said_in_logs(reading) if said is None else said
            yield _of_history(record, said, where, reading)


def _said_in_logs(reading: Reading) -> dict[str, str]:
    """The answers of the execution logs among the files, by execution."""
    said: dict[str, str] = {}
    for part in reading.others:
        if part.glimpse.kind is Kind.OBJECT and any(map(_is_log, part.glimpse.records)):
            for record in part.whole():
                for action in objects(mapping(record).get("actions")):
                    words = string(mapping(action.get("output")).get("message"))
                    key = identifier(action.get("executionId"))
                    if action.get("actionType") == "say" and key and words:
                        said[key] = f"{said[key]}\n\n{words}" if key in said else words
    return said


def _of_history(
    record: Mapping[str, object], said: Mapping[str, str], where: str, reading: Reading
) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, entry in message_rows(record.get("history"), where, reading):
        message = mapping(entry.get("message"))
        role = string(message.get("role")) or "unknown"
        draft = MessageDraft(f"#{number}", last_key(drafts), role, identifier(message.get("id")))
        place = f"{where}, message {number}"
        content = message.get("content")
        short = _text(content) in _SHORT_ANSWERS and role == "assistant"
        whole = said.get(identifier(entry.get("executionId")) or "") if role == "assistant" else None
        if short and whole is None:
            reading.tally.hole("an answer whose execution log is not among the files", place)
        if short and whole is not None:
            draft.pieces.append(Piece(whole, Origin.ASSISTANT))
        else:
            _take_content(content, draft, role, place, reading)
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="kiro",
        native_id=identifier(record.get("sessionId")),
        where=where,
        title=string(record.get("title")),
        leaf=last_key(drafts),
        model=string(record.get("selectedModel")),
        project=string(record.get("workspacePath")) or string(record.get("workspaceDirectory")),
    )
    return assemble(head, drafts, reading.tally)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    return "\n".join(string(block.get("text")) or "" for block in objects(content)).strip()


def _take_content(content: object, draft: MessageDraft, role: str, where: str, reading: Reading) -> None:
    plain = typed_apart if role == "user" else plain_as(_ORIGINS.get(role, Origin.UNKNOWN))
    blocks = []
    for block in sequence(content):
        if mapping(block).get("type") == "image_url":
            draft.attachments.append(Attachment(name="image"))
        else:
            blocks.append(block)
    take_blocks(blocks if isinstance(content, list) else content, draft, plain, reading.tally, where)


_ORIGINS = {"assistant": Origin.ASSISTANT, "system": Origin.RUNTIME_CONTEXT, "tool": Origin.TOOL_RESULT}


def _of_events(part: Part, reading: Reading) -> Conversation:
    about = _about(part, reading)
    drafts: list[MessageDraft] = []
    for where, event in reading.lines(part):
        row = mapping(event)
        payload = mapping(row.get("payload"))
        if not payload:
            reading.reject(event, "a line that is no event", where)
            continue
        draft = MessageDraft(
            f"#{len(drafts)}", last_key(drafts), "assistant", identifier(row.get("id")),
            when=reading.moment(row.get("timestamp")), kind=string(payload.get("type")) or "",
            empty_because="an event that holds no text",
        )  # fmt: skip
        _take_event(payload, event, draft, where, reading)
        drafts.append(draft)
    folder = PurePosixPath(part.name).parent.name
    head = Head(
        account=reading.account,
        provider="kiro",
        native_id=identifier(about.get("sessionId")) or identifier(about.get("id")) or folder or None,
        where=part.name,
        title=string(about.get("title")),
        created=drafts[0].when if drafts else reading.moment(None),
        updated=drafts[-1].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
        model=string(about.get("selectedModel")) or string(about.get("modelId")),
        project=string(about.get("workspacePath"))
        or next((path for path in sequence(about.get("workspacePaths")) if isinstance(path, str)), None),
    )
    return assemble(head, drafts, reading.tally)


def _about(part: Part, reading: Reading) -> Mapping[str, object]:
    """What the `session.json` beside the file says."""
    folder = PurePosixPath(part.name).parent
    for other in reading.others:
        beside = PurePosixPath(other.name)
        if (
            beside.parent == folder
            and other.glimpse.kind is Kind.OBJECT
            and any(map(_is_about, other.glimpse.records))
        ):
            return mapping(next(other.whole(), None))
    return {}


def _take_event(
    payload: Mapping[str, object], event: object, draft: MessageDraft, where: str, reading: Reading
) -> None:
    content = payload.get("content")
    match payload.get("type"):
        case "user":
            draft.role = "user"
            _take_content(content, draft, "user", where, reading)
        case "assistant":
            operation = string(payload.get("operationType")) or "Say"
            origins = {
                "Say": Origin.ASSISTANT,
                "Reasoning": Origin.REASONING,
                "Summary": Origin.GENERATED_SUMMARY,
            }
            plain = plain_as(origins.get(operation, Origin.UNKNOWN))
            take_blocks(content, draft, plain, reading.tally, where)
        case "tool_call":
            text = call_text(payload.get("args"))
            draft.pieces.append(Piece(text, Origin.TOOL_CALL, string(payload.get("toolName"))))
        case "tool_result":
            draft.role = "tool"
            draft.pieces.append(Piece(outcome_text(content), Origin.TOOL_RESULT))
        case kind if content:
            keep_unknown(str(kind), event, draft, reading.tally, where)
        case _:
            pass


_KEYS = Keys(
    words="""title workspacePath workspaceDirectory selectedModel history payload.content payload.toolName
        actions""",
    used="""sessionId payload.operationType payload.type payload.toolCallId payload.status payload.kind
        history.message.role history.executionId actions.actionType actions.actionState""",
    omitted={
        "what was sent to the model, which repeats the talk": "history.promptLogs input context",
        "bytes of pictures": "**.image_url",
    },
)

FORMAT = Format(
    id="kiro",
    version=1,
    title="Kiro sessions",
    reads=(
        "messages.jsonl of 1.0 and session JSON before it, answers from execution logs; reasoning, tool "
        "calls, results"
    ),
    absent="times in old sessions; the CLI's own files and .chat files",
    evidence="fixtures of another project; no user's file",
    keys=_KEYS,
    claims=_claims,
    read=_read,
    accounts_for=_accounts_for,
)
