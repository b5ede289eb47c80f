"""Cline and its kin: `api_conversation_history.json`, Anthropic's messages in a list, a file a task."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from archives.contract import Format, Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import plain_as, take_blocks
from archives.formats.rows import last_key
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import mapping, objects, string
from schemas.conversation import Conversation, Origin

_TASK = re.compile(r"</?(?:task|feedback|user_message|answer)>")
_DETAILS = "<environment_details>"
_RESULT = re.compile(r"\[[a-z_]{3,40}(?: for '[^'\n]{0,300}')?\] Result:")


def _is_message(value: object) -> bool:
    row = mapping(value)
    blocks = list(objects(row.get("content")))
    return (
        row.get("role") in ("user", "assistant") and bool(blocks) and all("type" in block for block in blocks)
    )


def _claims(seen: Glimpse) -> bool:
    return seen.kind is Kind.LIST and bool(seen.records) and all(map(_is_message, seen.records))


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
    for where, record in reading.records(part, plausible=_is_message):
        if isinstance(record, dict) and string(record.get("role")):
            drafts.append(_message(record, len(drafts), last_key(drafts), where, reading))
        else:
            reading.reject(record, "a record without a role", where)
    folder = PurePosixPath(part.name).parent.name
    head = Head(
        account=reading.account,
        provider="cline",
        native_id=folder or None,
        where=part.name,
        created=drafts[0].when if drafts else reading.moment(None),
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


def _message(
    row: Mapping[str, object], number: int, before: str | None, where: str, reading: Reading
) -> MessageDraft:
    role = string(row.get("role")) or "unknown"
    draft = MessageDraft(f"#{number}", before, role, None, when=reading.moment(row.get("ts")))
    plain = (
        _typed if role == "user" else plain_as(Origin.ASSISTANT if role == "assistant" else Origin.UNKNOWN)
    )
    take_blocks(row.get("content"), draft, plain, reading.tally, where)
    return draft


_KEYS = Keys(
    words="content",
    used="stop_reason",
    omitted={
        "bytes of pictures": "content.source.data",
        "what only the service can read": "content.signature",
        "settings and costs": "modelInfo metrics",
    },
    forms=(lambda text: _TASK.sub("", text),),
)

FORMAT = Format(
    id="cline",
    version=2,
    title="Cline task history",
    reads="tasks and feedback, answers, tool calls and results, environment details set apart",
    absent="titles; times, in old versions",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims,
    read=_read,
)
