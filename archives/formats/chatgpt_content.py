"""What the content of a ChatGPT message is made of: one row a content type.

Shapes as in the exports up to late 2026. A row turns a content object into pieces of text with their
origins; a content type without a row keeps its raw form and counts as unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from archives.drafts import MessageDraft, Piece
from archives.shapes import identifier, mapping, objects, sequence, string, whole
from schemas.conversation import Attachment, Origin

Content = Mapping[str, object]


class Context(NamedTuple):
    """What a row needs to know beside the content."""

    spoken: Origin
    """The origin of plain words in this message."""
    label: str | None
    """The tool's name, if it is a tool's message."""
    asset_names: Mapping[str, str]
    """Names of attached files by id."""
    unknown: list[tuple[str, object]]
    """Takes type and raw form of what the table has no row for."""


def find(content: Content, draft: MessageDraft, context: Context) -> None:
    """Take a content object apart into the draft's pieces and attachments."""
    kind = string(content.get("content_type")) or ("text" if "parts" in content or "text" in content else "")
    row = _ROWS.get(kind)
    if row is not None:
        row(content, draft, context)
        return
    if content:
        context.unknown.append((kind or "no content_type", dict(content)))
    draft.pieces.extend(Piece(text, Origin.UNKNOWN) for text in _part_texts(content))


def parts_of(content: Content) -> list[object]:
    """The parts of a content; old captures have one in place of a list."""
    parts = content.get("parts")
    return parts if isinstance(parts, list) else [] if parts is None else [parts]


def _part_texts(content: Content) -> Iterator[str]:
    for part in parts_of(content):
        text = part if isinstance(part, str) else mapping(part).get("text")
        if isinstance(text, str) and text:
            yield text


def _text(content: Content, draft: MessageDraft, context: Context) -> None:
    parts = parts_of(content)
    if "parts" not in content and isinstance(content.get("text"), str):
        parts = [content["text"]]
    for part in parts:
        if isinstance(part, str):
            draft.pieces.append(Piece(part, context.spoken, context.label))
        elif isinstance(part, dict):
            _part(part, draft, context)
        elif part is not None:
            context.unknown.append(("part", part))


def _part(part: dict[str, object], draft: MessageDraft, context: Context) -> None:
    kind = string(part.get("content_type"))
    if kind in (None, "text") and isinstance(part.get("text"), str):
        draft.pieces.append(Piece(str(part["text"]), context.spoken, context.label))
    elif kind == "audio_transcription":
        heard = {"in": Origin.TYPED, "out": Origin.ASSISTANT}.get(str(part.get("direction")), context.spoken)
        if heard is Origin.TYPED and context.spoken is Origin.OTHER:
            heard = Origin.OTHER
        draft.pieces.append(Piece(string(part.get("text")) or "", heard))
    elif kind in _POINTERS:
        draft.attachments.extend(_pointers(part, context.asset_names))
        drawn = mapping(mapping(part.get("metadata")).get("dalle"))
        if string(drawn.get("prompt")):
            draft.pieces.append(Piece(str(drawn["prompt"]), Origin.TOOL_CALL, "dalle"))
    else:
        context.unknown.append((f"part {kind}", part))


_POINTERS = {
    "image_asset_pointer": "image",
    "audio_asset_pointer": "audio",
    "video_container_asset_pointer": "video",
    "real_time_user_audio_video_asset_pointer": "audio",
}


def file_of_pointer(pointer: str) -> str:
    """The file that `file-service://file-1` names."""
    return pointer.rpartition("//")[2]


def _pointers(part: dict[str, object], names: Mapping[str, str]) -> Iterator[Attachment]:
    """The file a pointer names; a real-time pointer holds further pointers instead."""
    pointer = string(part.get("asset_pointer"))
    if pointer is not None:
        native = file_of_pointer(pointer)
        kind = _POINTERS.get(str(part.get("content_type")), "file")
        form = string(part.get("format"))
        yield Attachment(
            name=names.get(native, native),
            media_type=f"{kind}/{form}" if form else kind,
            size=whole(part.get("size_bytes")),
            native_id=native,
        )
        return
    nested = [part.get("audio_asset_pointer"), part.get("video_container_asset_pointer")]
    for inner in (*nested, *sequence(part.get("frames_asset_pointers"))):
        if isinstance(inner, dict) and string(inner.get("asset_pointer")):
            yield from _pointers(inner, names)


def _code(content: Content, draft: MessageDraft, context: Context) -> None:
    label = context.label or string(content.get("language"))
    draft.pieces.append(Piece(string(content.get("text")) or "", Origin.TOOL_CALL, label))
    draft.pieces.extend(Piece(text, Origin.TOOL_CALL, label) for text in _part_texts(content))


def _result_of(*keys: str) -> Callable[[Content, MessageDraft, Context], None]:
    """A tool's answer whose words stand under these keys."""

    def row(content: Content, draft: MessageDraft, context: Context) -> None:
        texts = [content[key] for key in keys if isinstance(content.get(key), str)]
        texts += list(_part_texts(content))
        title = string(content.get("title")) or string(content.get("domain")) or context.label
        words = "\n".join(str(text) for text in texts if text)
        draft.pieces.append(Piece(words, Origin.TOOL_RESULT, title))

    return row


def _screen(content: Content, draft: MessageDraft, context: Context) -> None:
    state = mapping(content.get("state"))
    words = " ".join(filter(None, (string(state.get("title")), string(state.get("url")))))
    draft.pieces.append(Piece(words, Origin.TOOL_RESULT, "computer"))
    draft.attachments.extend(_pointers(mapping(content.get("screenshot")), context.asset_names))


def _connector(content: Content, draft: MessageDraft, context: Context) -> None:
    title = string(mapping(content.get("metadata")).get("display_title")) or context.label
    draft.pieces.append(Piece(string(content.get("output_str")) or "", Origin.TOOL_RESULT, title))


def _thoughts(content: Content, draft: MessageDraft, _context: Context) -> None:
    for thought in objects(content.get("thoughts")):
        words = "\n".join(filter(None, (string(thought.get("summary")), string(thought.get("content")))))
        draft.pieces.append(Piece(words, Origin.REASONING))
    draft.pieces.extend(Piece(text, Origin.REASONING) for text in _part_texts(content))


def _recap(content: Content, draft: MessageDraft, _context: Context) -> None:
    """A summary of reasoning; its `content` is chrome such as "Thought for 26 seconds"."""
    draft.pieces.extend(Piece(text, Origin.REASONING) for text in _part_texts(content))


def _quote(content: Content, draft: MessageDraft, _context: Context) -> None:
    title = string(content.get("title")) or string(content.get("domain")) or string(content.get("url"))
    draft.pieces.append(Piece(string(content.get("text")) or "", Origin.ATTACHED, title))


def _instructions(content: Content, draft: MessageDraft, _context: Context) -> None:
    for key in ("user_profile", "user_instructions"):
        words = string(content.get(key))
        if words:
            draft.pieces.append(Piece(unwrapped(words), Origin.CUSTOM_INSTRUCTION, key))
    draft.pieces.extend(Piece(text, Origin.CUSTOM_INSTRUCTION) for text in _part_texts(content))


def unwrapped(words: str) -> str:
    """The owner's text inside the service's "The user provided the following information…```…```"."""
    before, fence, rest = words.partition("```")
    inner, closing, after = rest.rpartition("```")
    if fence and closing and "user" in before.lower() and not after.strip() and inner.strip():
        return inner.strip()
    return words


def _memory(content: Content, draft: MessageDraft, _context: Context) -> None:
    words = string(content.get("model_set_context")) or ""
    draft.pieces.append(Piece(words, Origin.GENERATED_SUMMARY, "memory"))
    draft.pieces.extend(Piece(text, Origin.GENERATED_SUMMARY, "memory") for text in _part_texts(content))


def _workspace(content: Content, draft: MessageDraft, _context: Context) -> None:
    for space in objects(content.get("workspaces")):
        for file in (space, *objects(space.get("files")), *objects(space.get("blocks"))):
            words = string(file.get("content")) or string(file.get("text"))
            if words:
                name = string(file.get("title")) or identifier(file.get("name")) or "workspace"
                draft.pieces.append(Piece(words, Origin.RUNTIME_CONTEXT, name))


_ROWS: Mapping[str, Callable[[Content, MessageDraft, Context], None]] = {
    "text": _text,
    "multimodal_text": _text,
    "code": _code,
    "execution_output": _result_of("text"),
    "computer_output": _screen,
    "thoughts": _thoughts,
    "reasoning_recap": _recap,
    "tether_browsing_display": _result_of("result", "summary"),
    "tether_browsing_code": _result_of("text"),
    "tether_quote": _quote,
    "sonic_webpage": _result_of("text", "snippet"),
    "citable_code_output": _connector,
    "user_editable_context": _instructions,
    "model_editable_context": _memory,
    "system_error": _result_of("name", "text"),
    "app_pairing_content": _workspace,
}
