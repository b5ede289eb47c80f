"""Cline and its kin Roo and Kilo: `api_conversation_history.json`, Anthropic's messages in a list, a file a
task.

Roo's second version wraps them, `{version: 2, messages}`, with the AI SDK's parts (`tool-call`,
`tool-result`, `file`); its `isSummary` marks a condensed talk, `isTruncationMarker` a cut, and reasoning may
stand by itself. The title is the task in `history_item.json` beside. Facts for Roo:
`src/core/task-persistence/apiMessages.ts` and `rooMessage.ts` of github.com/RooCodeInc/Roo-Code; fixtures of
github.com/vshulcz/deja-vu (`fixtures/registry/roo/`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import plain_as, result_text, take_blocks
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_TASK = re.compile(r"</?(?:task|feedback|user_message|answer)>")
_DETAILS = "<environment_details>"
_RESULT = re.compile(r"\[[a-z_]{3,40}(?: for '[^'\n]{0,300}')?\] Result:")
_ROLES = ("user", "assistant", "tool")


def _is_message(value: object) -> bool:
    """A message of blocks, or of a bare string."""
    row = mapping(value)
    if _is_reasoning(row):
        return True
    content = row.get("content")
    return row.get("role") in _ROLES and (bool(string(content)) or _has_blocks(row))


def _has_blocks(value: object) -> bool:
    blocks = list(objects(mapping(value).get("content")))
    return bool(blocks) and all("type" in block for block in blocks)


def _is_reasoning(row: Mapping[str, object]) -> bool:
    return row.get("type") == "reasoning" and "role" not in row


def _is_wrapped(value: object) -> bool:
    record = mapping(value)
    rows = record.get("messages")
    return record.get("version") == 2 and isinstance(rows, list) and _are_messages(rows)


def _are_messages(rows: list[object]) -> bool:
    return bool(rows) and all(map(_is_message, rows)) and any(map(_has_blocks, rows))


def _claims(seen: Glimpse) -> bool:
    if seen.kind is Kind.OBJECT:
        return any(map(_is_wrapped, seen.records))
    return seen.kind is Kind.LIST and _are_messages(list(seen.records))


def _is_about(value: object) -> bool:
    """What lies beside a task's messages: its `history_item.json`."""
    record = mapping(value)
    return "task" in record and "id" in record and "ts" in record


def _accounts_for(seen: Glimpse) -> bool:
    return seen.kind is Kind.OBJECT and any(map(_is_about, seen.records))


def _typed(text: str) -> list[Piece]:
    """A user's block: the task or feedback, a tool's result, or the environment the extension describes."""
    words, details, rest = text.partition(_DETAILS)
    origin = Origin.TOOL_RESULT if _RESULT.match(words.lstrip()) else Origin.TYPED
    pieces = [Piece(_TASK.sub("", words).strip(), origin)]
    if details:
        pieces.append(Piece(details + rest, Origin.RUNTIME_CONTEXT, "environment_details"))
    return pieces


def _read(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        yield _conversation(part, reading)


def _conversation(part: Part, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for where, record in reading.records(part, under=("messages",), plausible=_is_message):
        if isinstance(record, dict) and (string(record.get("role")) or _is_reasoning(record)):
            drafts.append(_message(record, len(drafts), last_key(drafts), where, reading))
        else:
            reading.reject(record, "a record without a role", where)
    folder = PurePosixPath(part.name).parent
    about = _about(folder, reading)
    task = string(about.get("task"))
    head = Head(
        account=reading.account,
        provider="cline",
        native_id=folder.name or identifier(about.get("id")),
        where=part.name,
        title=task.strip().split("\n")[0] if task else None,
        created=drafts[0].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
        project=string(about.get("workspace")),
    )
    return assemble(head, drafts, reading.tally)


def _about(folder: PurePosixPath, reading: Reading) -> Mapping[str, object]:
    for other in reading.others:
        if PurePosixPath(other.name).parent == folder and _accounts_for(other.glimpse):
            return mapping(next(other.whole(), None))
    return {}


def _message(
    row: Mapping[str, object], number: int, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    role = string(row.get("role")) or "assistant"
    draft = MessageDraft(f"#{number}", before, role, None, when=reading.moment(row.get("ts")))
    for thought in (row, *objects(row.get("reasoning_details"))):
        draft.pieces.append(Piece(_thought(thought), Origin.REASONING))
    if _is_reasoning(row):
        draft.empty_because = "reasoning that is encrypted"
        return draft
    plain = (
        _typed if role == "user" else plain_as(Origin.ASSISTANT if role == "assistant" else Origin.UNKNOWN)
    )
    if row.get("isSummary") is True:
        plain = plain_as(Origin.GENERATED_SUMMARY)
    elif row.get("isTruncationMarker") is True:
        plain = plain_as(Origin.RUNTIME_CONTEXT)
    content = row.get("content")
    if isinstance(content, list):
        content = [block for block in map(_as_block, content) if not _took_file(block, draft)]
    take_blocks(content, draft, plain, reading.tally, where)
    return draft


_KEYS = Keys(
    words="content",
    used="stop_reason",
    omitted={
        "bytes of pictures": "content.source.data",
        "what only the service can read": "content.signature",
        "encrypted reasoning": "encrypted_content reasoning_details.data",
        "bytes of files": "content.data",
        "settings and costs": "modelInfo metrics providerOptions",
    },
    forms=(lambda text: _TASK.sub("", text),),
)


def _thought(row: Mapping[str, object]) -> str:
    """The readable part of a thought, of a message or of one of its details."""
    if "role" in row:
        return string(row.get("reasoning_content")) or ""
    return string(row.get("text")) or string(row.get("summary")) or result_text(sequence(row.get("summary")))


def _as_block(block: object) -> object:
    """The AI SDK wraps a tool's output: `{type: text, value}`."""
    held = mapping(block)
    output = mapping(held.get("output"))
    return {**held, "output": output["value"]} if "value" in output else block


def _took_file(block: object, draft: MessageDraft) -> bool:
    held = mapping(block)
    if held.get("type") != "file":
        return False
    media_type = string(held.get("mediaType"))
    draft.attachments.append(
        Attachment(
            name=well_formed(string(held.get("filename")) or "file")[0],
            media_type=well_formed(media_type)[0] if media_type else None,
        )
    )
    return True


FORMAT = Format(
    id="cline",
    version=2,
    title="Cline task history",
    reads=(
        "tasks of Cline, Roo and Kilo: tasks and feedback, answers, tool calls and results, reasoning, "
        "condensed talk, environment details set apart"
    ),
    absent=(
        "times, in old versions; titles where no history_item.json lies beside; ui_messages.json, which "
        "repeats the talk"
    ),
    keys=_KEYS,
    evidence="another project's fixtures; no user's file",
    claims=_claims,
    read=_read,
    accounts_for=_accounts_for,
)
