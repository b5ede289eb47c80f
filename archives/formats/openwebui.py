"""Open WebUI exports: a list of chats, or one bare chat. `messages[]` only repeats the tree's active path.

The server's own `webui.db` holds the same chats: `openwebui_database` reads it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.blocks import call_piece, keep_unknown, result_text
from archives.formats.openwebui_database import PromptAuthor, chats_of, claims_database
from archives.formats.rows import claims_records, read_records
from archives.glimpse import Glimpse, Kind
from archives.keys import Keys
from archives.shapes import identifier, mapping, objects, sequence, string, whole
from archives.wellformed import well_formed
from schemas.conversation import Attachment, Conversation, Origin

_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "system": Origin.CUSTOM_INSTRUCTION}
_DETAILS = re.compile(r'<details type="(reasoning|tool_calls|code_interpreter)"[^>]{0,2000}>')
_DETAILS_END = "</details>"
_SUMMARY = re.compile(r"\s*<summary>[^<]{0,500}</summary>\s*")


def _chat(record: Mapping[str, object]) -> Mapping[str, object]:
    return mapping(record.get("chat")) or record


def _is_record(value: object) -> bool:
    return isinstance(mapping(_chat(mapping(value)).get("history")).get("messages"), dict)


def _claims(seen: Glimpse) -> bool:
    return claims_database(seen) if seen.kind is Kind.SQLITE else _claims_records(seen)


def _read(reading: Reading) -> Iterator[Conversation]:
    databases = [part for part in reading.parts if part.glimpse.kind is Kind.SQLITE]
    for part in databases:
        for record, writer, where in chats_of(part, reading):
            yield _conversation(record, where, reading, writer)
    files = tuple(part for part in reading.parts if part.glimpse.kind is not Kind.SQLITE)
    yield from _read_records(replace(reading, parts=files))


def _conversation(
    record: Mapping[str, object], where: str, reading: Reading, writer: PromptAuthor | None = None
) -> Conversation:
    """`writer` is who wrote the chat, where it may have been somebody else than the owner."""
    chat = _chat(record)
    history = mapping(chat.get("history"))
    drafts: list[MessageDraft] = []
    listed: dict[str, list[str]] = {}
    for key, value in mapping(history.get("messages")).items():
        if isinstance(value, dict):
            listed[key] = [child for child in sequence(value.get("childrenIds")) if isinstance(child, str)]
            drafts.append(_message(value, key, where, reading))
            if writer is not None and drafts[-1].role == "user":
                drafts[-1].author = writer.name
                drafts[-1].pieces = [piece._replace(origin=writer.origin) for piece in drafts[-1].pieces]
        else:
            reading.reject(value, "a message that is no JSON object", where)
    instructions = (string(chat.get("system")), string(mapping(chat.get("params")).get("system")))
    system = "\n\n".join(dict.fromkeys(filter(None, instructions)))
    if system:
        first = MessageDraft("system prompt", None, "system", "system prompt", hidden=True)
        first.pieces.append(Piece(system, Origin.CUSTOM_INSTRUCTION))
        for draft in drafts:
            draft.parent = draft.parent or first.key
        drafts.insert(0, first)
    models = [model for model in sequence(chat.get("models")) if isinstance(model, str)]
    created = record.get("created_at") or chat.get("timestamp")
    head = Head(
        account=reading.account,
        provider="openwebui",
        native_id=identifier(record.get("id")),
        where=where,
        title=string(record.get("title")) or string(chat.get("title")),
        created=reading.moment(created),
        updated=reading.moment(record.get("updated_at")),
        leaf=identifier(history.get("currentId")),
        model=models[0] if models else None,
        project=identifier(record.get("folder_id")),
    )
    return assemble(head, drafts, reading.tally, listed=listed)


def _message(value: dict[str, object], key: str, where: str, reading: Reading) -> MessageDraft:
    role = string(value.get("role")) or "unknown"
    spoken = _ORIGINS.get(role, Origin.UNKNOWN)
    draft = MessageDraft(
        key,
        identifier(value.get("parentId")),
        role,
        key,
        author=string(value.get("model")),
        when=reading.moment(value.get("timestamp")),
        hidden=role == "system",
    )
    content = string(value.get("content")) or ""
    outputs = list(objects(value.get("output")))
    if any(output.get("type") == "message" for output in outputs):
        if not any(output.get("type") == "function_call_output" for output in outputs):
            folded = _details_apart(content)
            draft.pieces = [piece for piece in folded if piece.origin is Origin.TOOL_RESULT]
        for output in outputs:
            _take_output(output, draft, spoken, f"{where}, message {key}", reading)
    elif spoken is Origin.ASSISTANT:
        draft.pieces = _details_apart(content)
    else:
        draft.pieces = [Piece(content, spoken)]
    for file in objects(value.get("files")):
        name = string(file.get("name")) or string(mapping(file.get("file")).get("filename")) or "unnamed"
        media_type = string(file.get("type"))
        draft.attachments.append(
            Attachment(
                name=well_formed(name)[0],
                media_type=well_formed(media_type)[0] if media_type else None,
                size=whole(file.get("size")),
            )
        )
        inner = mapping(mapping(file.get("file")).get("data"))
        words = string(inner.get("content")) or string(file.get("content")) or ""
        draft.pieces.append(Piece(words, Origin.ATTACHED, name))
    _take_beside(value, draft)
    return draft


def _take_beside(value: dict[str, object], draft: MessageDraft) -> None:
    """What an answer was made of and ran into: sources, code that was run, errors."""
    for source in (*objects(value.get("sources")), *objects(value.get("citations"))):
        about = mapping(source.get("source"))
        name = string(about.get("name")) or string(about.get("url"))
        told = [string(mapping(one).get("source")) for one in sequence(source.get("metadata"))]
        told = [
            about_url for about_url in dict.fromkeys((string(about.get("url")), *told)) if about_url != name
        ]
        told += map(string, sequence(source.get("document")))
        draft.pieces.append(Piece("\n".join(filter(None, told)), Origin.TOOL_RESULT, name))
    for run in objects(value.get("code_executions")):
        name = string(run.get("name")) or "code"
        result = mapping(run.get("result"))
        draft.pieces.append(Piece(string(run.get("code")) or "", Origin.TOOL_CALL, name))
        said = (string(result.get("output")), string(result.get("error")))
        draft.pieces.append(Piece("\n".join(filter(None, said)), Origin.TOOL_RESULT, name))
    error = value.get("error")
    words = string(error) or result_text(mapping(error).get("content") or mapping(error).get("message"))
    draft.pieces.append(Piece(words, Origin.RUNTIME_CONTEXT, "error"))


def _take_output(
    output: dict[str, object], draft: MessageDraft, spoken: Origin, where: str, reading: Reading
) -> None:
    name = string(output.get("name"))
    match output.get("type"):
        case "message":
            draft.pieces.append(Piece(result_text(output.get("content")), spoken))
        case "reasoning":
            words = result_text(output.get("content")) or result_text(output.get("summary"))
            draft.pieces.append(Piece(words, Origin.REASONING))
        case "function_call":
            draft.pieces.append(call_piece(output.get("arguments"), name))
        case "function_call_output":
            draft.pieces.append(Piece(result_text(output.get("output")), Origin.TOOL_RESULT, name))
        case kind:
            keep_unknown(f"output {kind}", output, draft, reading.tally, where)


def _shown(content: str) -> str:
    """An answer as `_details_apart` leaves it."""
    return "\n".join(piece.text for piece in _details_apart(content))


def _details_apart(content: str) -> list[Piece]:
    """An answer with reasoning and tool results folded into `<details>` elements."""
    pieces: list[Piece] = []
    at = 0
    while (opening := _DETAILS.search(content, at)) is not None:
        pieces.append(Piece(content[at : opening.start()].strip(), Origin.ASSISTANT))
        end = content.find(_DETAILS_END, opening.end())
        inner = content[opening.end() : end if end >= 0 else len(content)]
        inner = html.unescape(_SUMMARY.sub("", inner, count=1)).strip()
        origin = Origin.REASONING if opening[1] == "reasoning" else Origin.TOOL_RESULT
        pieces.append(Piece(inner, origin))
        at = end + len(_DETAILS_END) if end >= 0 else len(content)
    rest = content[at:]
    pieces.append(Piece(rest.strip() if pieces else rest, Origin.ASSISTANT))
    return pieces


_KEYS = Keys(
    words="""title chat.title chat.system chat.params.system chat.models chat.history.messages
        history.messages models system params.system""",
    used="""**.currentId **.parentId **.childrenIds **.status **.end_tag **.start_tag **.modelIdx
        folder_id **.collection_name **.knowledge""",
    omitted={
        "the active branch again": "chat.messages messages",
        "settings": "chat.params chat.tags meta chat.files params",
        "names of models as they are shown": "**.modelName **.models **.user_id",
        "what the app shows while it works": "**.statusHistory **.usage **.info",
        "the last sentence, for reading aloud": "**.lastSentence",
        "ratings": "**.annotation **.feedbackId",
        "how a source is stored and was found": "**.embedding_config **.hash **.distances",
    },
    forms=(_shown,),
)
_claims_records = claims_records(_is_record)
_read_records = read_records(_is_record, _conversation)

FORMAT = Format(
    id="openwebui",
    version=2,
    title="Open WebUI export",
    reads="export list, bare chat and the server's webui.db, branches, reasoning and tools once",
    absent="ratings; of webui.db, notes, memories and files (counted)",
    evidence="2 files; the database from its source only",
    claims=_claims,
    read=_read,
    keys=_KEYS,
)
