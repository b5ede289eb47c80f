"""Chats as data sets hold them: OpenAI's `{messages: [{role, content}]}` and ShareGPT's `{from, value}`.

There are no times and no ids of worth, so ids come from the content. A `human` in a data set is no proof that
its owner wrote the words, but a file that somebody puts into a memory of their own is taken as theirs.
"""

from __future__ import annotations

from collections.abc import Mapping

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import as_text, call_piece, plain_as, take_blocks
from archives.formats.rows import claims_records, last_key, message_rows, read_records
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string
from schemas.conversation import Conversation, Origin

_ORIGINS = {
    "user": Origin.TYPED,
    "human": Origin.TYPED,
    "assistant": Origin.ASSISTANT,
    "gpt": Origin.ASSISTANT,
    "chatgpt": Origin.ASSISTANT,
    "bard": Origin.ASSISTANT,
    "bing": Origin.ASSISTANT,
    "system": Origin.RUNTIME_CONTEXT,
    "developer": Origin.RUNTIME_CONTEXT,
    "tool": Origin.TOOL_RESULT,
    "function": Origin.TOOL_RESULT,
    "observation": Origin.TOOL_RESULT,
    "function_call": Origin.TOOL_CALL,
}


def _is_sharegpt(value: object) -> bool:
    rows = sequence(mapping(value).get("conversations"))
    first = mapping(rows[0]) if rows else {}
    return "from" in first and "value" in first


def _is_openai(value: object) -> bool:
    rows = sequence(mapping(value).get("messages"))
    first = mapping(rows[0]) if rows else {}
    known = {"role", "content", "name", "tool_calls", "tool_call_id", "weight", "refusal", "function_call"}
    return "role" in first and ("content" in first or "tool_calls" in first) and set(first) <= known


def _sharegpt(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, row in message_rows(record.get("conversations"), where, reading):
        role = string(row.get("from")) or "unknown"
        draft = MessageDraft(f"#{number}", last_key(drafts), role, None)
        origin = _ORIGINS.get(role.lower(), Origin.UNKNOWN)
        draft.pieces.append(Piece(as_text(row.get("value")), origin))
        drafts.append(draft)
    return assemble(_head("sharegpt", record, where, drafts, reading), drafts, reading.tally)


def _openai(record: Mapping[str, object], where: str, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, row in message_rows(record.get("messages"), where, reading):
        role = string(row.get("role")) or "unknown"
        draft = MessageDraft(f"#{number}", last_key(drafts), role, None, author=string(row.get("name")))
        plain = plain_as(_ORIGINS.get(role.lower(), Origin.UNKNOWN))
        take_blocks(row.get("content"), draft, plain, reading.tally, where)
        for call in objects(row.get("tool_calls")):
            function = mapping(call.get("function"))
            draft.pieces.append(call_piece(function.get("arguments"), string(function.get("name"))))
        drafts.append(draft)
    return assemble(_head("openai_messages", record, where, drafts, reading), drafts, reading.tally)


def _head(
    provider: str, record: Mapping[str, object], where: str, drafts: list[MessageDraft], reading: Reading
) -> Head:
    return Head(
        account=reading.account,
        provider=provider,
        native_id=identifier(record.get("id")),
        where=where,
        title=string(record.get("title")),
        leaf=last_key(drafts),
    )


_KEYS = Keys(
    words="title messages conversations.value",
    used="conversations.from messages.refusal",
    omitted={"bytes of pictures": "messages.content.image_url"},
)

SHAREGPT = Format(
    id="sharegpt",
    version=1,
    title="ShareGPT data set",
    reads="conversations of from and value",
    absent="times",
    evidence="one set of 500 conversations",
    keys=_KEYS,
    claims=claims_records(_is_sharegpt),
    read=read_records(_is_sharegpt, _sharegpt),
)
OPENAI_MESSAGES = Format(
    id="openai_messages",
    version=2,
    title="OpenAI messages JSON Lines",
    reads="messages of role and content, tool calls",
    absent="times, ids",
    evidence="field list only",
    keys=_KEYS,
    claims=claims_records(_is_openai),
    read=read_records(_is_openai, _openai),
)
