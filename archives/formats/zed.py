"""Zed's agent threads: `threads.db`, a row a thread, its JSON packed with zstd (plain in old rows).

Two shapes live side by side, since a thread is written anew only when it goes on: messages as `{"User": …}`,
`{"Agent": …}` and `"Resume"`, or (agent 1) as `{role, segments, tool_uses, tool_results}`. No message has a
time.

Facts: `crates/agent/src/db.rs` and `thread.rs` of github.com/zed-industries/zed; a packed row among the
fixtures of github.com/vshulcz/deja-vu (`fixtures/registry/zed/zed.sql`). No user's database was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, keep_unknown
from archives.formats.calls import call_text
from archives.formats.packed import unpacked
from archives.formats.rows import last_key
from archives.formats.stored import stored_json
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.sqlite_copy import Database, opened
from schemas.conversation import Attachment, Conversation, Origin
from schemas.report import NoteKind

_TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?[\"`\[]?threads\b")


def _claims(seen: Glimpse) -> bool:
    return seen.kind is Kind.SQLITE and _TABLE.search(seen.text) is not None and "data_type" in seen.text


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        with opened(part, reading) as database:
            if database is None:
                continue
            if "threads" in database.tables({"threads"}):
                yield from _threads(database, part, reading)
            else:
                reading.tally.lose("the table of threads is missing", part.name)


def _threads(database: Database, part: Part, reading: Reading) -> Iterator[Conversation]:
    for row in database.rows("SELECT * FROM threads ORDER BY rowid"):
        where = f"{part.name}, thread {row.get('id')}"
        kind = string(row.get("data_type"))
        data = row.get("data")
        raw = data if isinstance(data, bytes) else str(data).encode(errors="surrogateescape")
        if kind == "zstd":
            text, why = unpacked(raw, "zstd")
        else:
            text, why = raw, "" if kind in (None, "json") else f"a thread packed as {kind[:40]}"
        thread = mapping(stored_json(text)) if not why else {}
        if not thread:
            reading.tally.reject(why or "a thread that is no JSON object", where, raw)
            continue
        yield _conversation(row, thread, where, reading)


def _conversation(
    row: Mapping[str, object], thread: Mapping[str, object], where: str, reading: Reading
) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, message in enumerate(sequence(thread.get("messages"))):
        drafts.append(_message(message, number, last_key(drafts), f"{where}, message {number}", reading))
    leaf = last_key(drafts)
    summary = _summary(thread.get("detailed_summary", thread.get("detailed_summary_state")))
    if summary:
        told = MessageDraft("summary", None, "system", "summary", hidden=True)
        told.pieces.append(Piece(summary, Origin.GENERATED_SUMMARY))
        drafts.append(told)
    if thread.get("draft_prompt"):
        reading.tally.note(NoteKind.SKIPPED, "a prompt that was never sent", where)
    updated = reading.moment(row.get("updated_at") or thread.get("updated_at"))
    head = Head(
        account=reading.account,
        provider="zed",
        native_id=identifier(row.get("id")),
        where=where,
        title=string(thread.get("title")) or string(thread.get("summary")) or string(row.get("summary")),
        created=reading.moment(row.get("created_at")) if row.get("created_at") else updated,
        updated=updated,
        leaf=leaf,
        model=string(mapping(thread.get("model")).get("model")),
        project=_project(row, thread),
    )
    return assemble(head, drafts, reading.tally)


def _summary(value: object) -> str:
    held = mapping(value)
    return string(value) or string(mapping(held.get("Generated")).get("text")) or ""


def _project(row: Mapping[str, object], thread: Mapping[str, object]) -> str | None:
    """The first folder: the column's are one a line, the thread's own stand in its snapshot."""
    told = string(row.get("folder_paths"))
    if told:
        return next((line for line in told.split("\n") if line), None)
    snapshot = mapping(thread.get("initial_project_snapshot"))
    trees = objects(snapshot.get("worktree_snapshots"))
    return next((path for tree in trees if (path := string(tree.get("worktree_path")))), None)


def _message(value: object, number: int, before: str | None, where: str, reading: Reading) -> MessageDraft:
    row = mapping(value)
    draft = MessageDraft(f"#{number}", before, "unknown", f"{number}")
    if "User" in row:
        user = mapping(row["User"])
        draft.role, draft.native_id = "user", identifier(user.get("id")) or f"{number}"
        for content in sequence(user.get("content")):
            _take_content(content, draft, Origin.TYPED, where, reading)
    elif "Agent" in row:
        agent = mapping(row["Agent"])
        draft.role = "assistant"
        for content in sequence(agent.get("content")):
            _take_content(content, draft, Origin.ASSISTANT, where, reading)
        for result in mapping(agent.get("tool_results")).values():
            _take_result(mapping(result), draft)
    elif "role" in row:
        _take_old(row, draft, where, reading)
    elif value == "Resume":
        draft.role, draft.kind = "user", "Resume"
        draft.empty_because = "a mark that the agent went on"
    else:
        keep_unknown(", ".join(sorted(row)) or "message", value, draft, reading.tally, where)
    return draft


def _take_content(content: object, draft: MessageDraft, spoken: Origin, where: str, reading: Reading) -> None:
    for kind, value in mapping(content).items():
        held = mapping(value)
        match kind:
            case "Text":
                draft.pieces.append(Piece(string(value) or "", spoken))
            case "Mention":
                name = _name_of(held.get("uri"))
                draft.pieces.append(Piece(string(held.get("content")) or "", Origin.ATTACHED, name))
            case "Image":
                draft.attachments.append(Attachment(name="image"))
            case "Thinking":
                draft.pieces.append(Piece(string(held.get("text")) or "", Origin.REASONING))
            case "ToolUse":
                draft.pieces.append(
                    Piece(call_text(held.get("input")), Origin.TOOL_CALL, string(held.get("name")))
                )
            case "RedactedThinking":
                pass
            case _:
                keep_unknown(kind, content, draft, reading.tally, where)
    if not isinstance(content, dict):
        keep_unknown("content", content, draft, reading.tally, where)


def _name_of(uri: object) -> str | None:
    """What a mention names: its path or title, whichever of Zed's kinds of address it is."""
    for value in (*mapping(uri).values(), uri):
        held = mapping(value)
        for key in ("abs_path", "path", "name", "url"):
            if named := string(held.get(key)):
                return named
    return string(uri)


def _take_result(result: Mapping[str, object], draft: MessageDraft) -> None:
    text = _result_words(result.get("content")) or as_text(result.get("output"))
    draft.pieces.append(Piece(text, Origin.TOOL_RESULT, string(result.get("tool_name"))))


def _result_words(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(words for part in content if (words := _result_words(part)))
    held = mapping(content)
    return string(content) or string(held.get("Text")) or string(held.get("text")) or ""


def _take_old(row: Mapping[str, object], draft: MessageDraft, where: str, reading: Reading) -> None:
    role = string(row.get("role")) or "unknown"
    spoken = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "system": Origin.RUNTIME_CONTEXT}.get(role)
    draft.role, draft.hidden = role, role == "system" or row.get("is_hidden") is True
    draft.native_id = identifier(row.get("id")) or draft.native_id
    draft.pieces.append(Piece(string(row.get("context")) or "", Origin.ATTACHED, "context"))
    draft.pieces.append(Piece(string(row.get("text")) or "", spoken or Origin.UNKNOWN))
    for segment in sequence(row.get("segments")):
        held = mapping(segment)
        match held.get("type"):
            case "text":
                draft.pieces.append(Piece(string(held.get("text")) or "", spoken or Origin.UNKNOWN))
            case "thinking":
                draft.pieces.append(Piece(string(held.get("text")) or "", Origin.REASONING))
            case "redacted_thinking":
                pass
            case kind:
                keep_unknown(f"segment {kind}", segment, draft, reading.tally, where)
    names: dict[str | None, str | None] = {}
    for call in objects(row.get("tool_uses")):
        names[string(call.get("id"))] = string(call.get("name"))
        draft.pieces.append(Piece(call_text(call.get("input")), Origin.TOOL_CALL, string(call.get("name"))))
    for result in objects(row.get("tool_results")):
        _take_result({**result, "tool_name": names.get(string(result.get("tool_use_id")))}, draft)


_KEYS = Keys(
    words="summary title folder_paths initial_project_snapshot model messages detailed_summary",
    used="**.tool_use_id **.mime_type profile speed imported version parent_id",
    omitted={
        "a prompt that was never sent, which is counted": "draft_prompt",
        "what it cost": "cumulative_token_usage request_token_usage",
        "encrypted reasoning": "**.reasoning_details **.signature **.RedactedThinking",
        "the arguments of a call again": "**.raw_input",
        "which thread started this one": "subagent_context",
        "settings of the panel": "thinking_enabled thinking_effort ui_scroll_position completion_mode",
        "bytes of pictures": "**.source",
    },
)

FORMAT = Format(
    id="zed",
    version=1,
    title="Zed agent threads",
    reads=(
        "threads.db in both its shapes; mentions with what they brought in, thoughts, tool calls and "
        "results, summaries"
    ),
    absent="times of messages; bytes of pictures; prompts never sent (counted)",
    evidence="a packed and a plain row of another project's fixture",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
