"""Content blocks in Anthropic's shape, which Claude.ai, Claude Code and several coding agents write."""

from __future__ import annotations

import json
from collections.abc import Callable

from archives.drafts import MessageDraft, Piece
from archives.shapes import identifier, mapping, objects, string, whole
from archives.tally import Tally
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Origin, RawBlock
from schemas.report import NoteKind

CHROME = frozenset({"token_budget", "flag", "redacted_thinking", "step-start", "step-finish"})
"""Blocks that hold nothing anybody said."""

EMPTY_RESULT = "a tool's result without words"

Splitter = Callable[[str], list[Piece]]
"""Turns the text of a block into pieces: some of it may be the runtime's."""


def take_blocks(
    content: object, draft: MessageDraft, plain: Splitter, tally: Tally, where: str
) -> frozenset[str]:
    """Put a message's content (a string or a list of blocks) into the draft. Returns the types it met."""
    if isinstance(content, str):
        draft.pieces.extend(plain(content))
        return frozenset({"text"})
    met: set[str] = set()
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            draft.pieces.extend(plain(block))
            met.add("text")
        elif isinstance(block, dict):
            met.add(_take_block(block, draft, plain, tally, where))
        elif block is not None:
            keep_unknown("block", block, draft, tally, where)
    return frozenset(met)


def _take_block(
    block: dict[str, object], draft: MessageDraft, plain: Splitter, tally: Tally, where: str
) -> str:
    kind = string(block.get("type")) or ("text" if isinstance(block.get("text"), str) else "no type")
    match kind:
        case "text" | "input_text" | "output_text":
            draft.pieces.extend(plain(string(block.get("text")) or ""))
            keep_sources(block.get("citations"), draft)
        case "thinking" | "reasoning":
            words = string(block.get("thinking")) or string(block.get("text")) or ""
            summaries = (string(one.get("summary")) for one in objects(block.get("summaries")))
            draft.pieces.append(Piece(words or "\n".join(filter(None, summaries)), Origin.REASONING))
        case "tool_use" | "server_tool_use" | "toolCall" | "tool_call" | "tool-call":
            arguments = block.get("input", block.get("arguments", block.get("args")))
            draft.pieces.append(call_piece(arguments, _tool(block)))
        case "tool_result" | "web_search_tool_result" | "tool-result":
            result = block.get("content", block.get("result", block.get("output")))
            words = result_text(result)
            if not words:
                tally.note(NoteKind.SKIPPED, EMPTY_RESULT, where)
            draft.pieces.append(Piece(words, Origin.TOOL_RESULT, _tool(block)))
        case "image" | "document" | "input_image":
            draft.attachments.append(_file(block, kind))
        case _ if kind in CHROME:
            pass
        case _:
            keep_unknown(kind, block, draft, tally, where)
    return kind


def _tool(block: dict[str, object]) -> str | None:
    return string(block.get("name")) or string(block.get("toolName"))


def call_piece(arguments: object, name: str | None) -> Piece:
    """A tool's call: its arguments, or its name where it takes none, which is all that is said of it."""
    text = "{}" if arguments == {} and name else as_text(arguments)
    return Piece(text or name or "", Origin.TOOL_CALL, name)


def keep_sources(sources: object, draft: MessageDraft) -> None:
    """Keep what an answer cites beside the answer, as it came."""
    if isinstance(sources, list) and sources:
        draft.raw.append(RawBlock(content_type="citations", json_text=json.dumps(sources)))


def keep_unknown(kind: str, block: object, draft: MessageDraft, tally: Tally, where: str) -> None:
    """Keep a block nobody knows in its raw form, and count it."""
    tally.unknown_type(kind, where, block)
    draft.raw.append(RawBlock(content_type=well_formed(kind)[0], json_text=json.dumps(block)))


def result_text(content: object) -> str:
    """The words of a tool's result: a string, or the texts of its blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = (part if isinstance(part, str) else _block_words(mapping(part)) for part in content)
        return "\n".join(text for text in texts if text)
    return as_text(content)


def _block_words(block: dict[str, object]) -> str:
    """What a block says, below its title and address where it has them, as what was found on the web does."""
    words = ""
    for key in ("text", "content", "output", "snippet"):
        value = block.get(key)
        words = value if isinstance(value, str) else result_text(value) if isinstance(value, list) else ""
        if words:
            break
    told = [string(block.get("title")), string(block.get("url")), words]
    return "\n".join(filter(None, told))


def as_text(value: object) -> str:
    """A tool's arguments as text: strings stay, everything else as JSON."""
    if value is None or value == "" or value == {}:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _file(block: dict[str, object], kind: str) -> Attachment:
    source = mapping(block.get("source"))
    name = string(block.get("title")) or string(block.get("file_name")) or kind
    media_type = identifier(source.get("media_type"))
    return Attachment(
        name=well_formed(name)[0],
        media_type=well_formed(media_type)[0] if media_type else None,
        size=whole(block.get("size")),
    )


def plain_as(origin: Origin, label: str | None = None) -> Splitter:
    """A splitter for text that is all of one origin."""
    return lambda text: [Piece(text, origin, label)]
